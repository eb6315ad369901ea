import { answerType } from '../../model/forms/question-types.ts'
import { isAnonymous, type Question, type SurveyForm } from '../../model/forms/survey-form.ts'
import { parseAnswer } from '../../sign-up/forms/parse-answer.ts'
import { texts } from '../../texts/texts.ts'
import {
  type RobotContext,
  RobotControls,
  TurnstileWidget,
  turnstileScript,
} from '../access/robots.tsx'
import { HiddenInputs, PublicErrorSummary, PublicForm, RefusalNotice } from '../ui/form.tsx'
import type { FormValues } from '../ui/form-values.ts'
import { PublicPage } from '../ui/page.tsx'
import type { PublicSite } from '../ui/site.ts'
import { ConfirmationPanel, SummaryList } from '../ui/summary.tsx'
import { carriedValues, readEntries } from './entries.ts'
import { formatAnswer } from './format-answer.ts'
import { QuestionField } from './question.tsx'
import { buildSteps, type FormView, listShownSteps, numberQuestions, shownIds } from './steps.ts'

type Props = {
  site: PublicSite
  form: SurveyForm
  /** The path that the form is sent to. */
  path: string
  /** The random text that makes a repeated answer harmless. */
  token: string
  values: FormValues
  view: FormView
  /** The reason why the answers were not accepted. */
  refusal?: string | undefined
  /** Whether the answers can be saved for later: with a personal link. */
  canSave?: boolean
  /** The request, for the protection against robots; a preview needs none. */
  request?: RobotContext
  /** A line above the form, such as that it is a preview. */
  notice?: string | undefined
}

/** Renders a page of a form: its cover, a step, or the check of all answers. */
export function FormPage(props: Props) {
  const { site, form, path, token, values, view, refusal, request, notice } = props
  const { page, isChange, errors } = view
  const hasErrors = Object.keys(errors).length > 0
  const isFirst = page === 'cover' || (page === 0 && !form.settings.coverPage)
  return (
    <PublicPage
      site={site}
      title={pageTitle(props)}
      hasErrors={hasErrors || refusal !== undefined}
      script={page === 'check' && request ? turnstileScript(request) : undefined}
    >
      {notice && <p class="notice">{notice}</p>}
      <PublicErrorSummary errors={errors} />
      <RefusalNotice title={texts.form.notSent} message={refusal} />
      <h1>{pageTitle(props)}</h1>
      {isFirst && <Introduction form={form} />}
      <PublicForm
        action={path}
        hidden={[
          ['token', token],
          ['page', String(page)],
          ['isChange', String(isChange)],
        ]}
      >
        {request && <RobotControls values={values} />}
        {page === 'cover' && <Cover {...props} />}
        {page === 'check' && <Check {...props} />}
        {typeof page === 'number' && <StepQuestions {...props} index={page} />}
      </PublicForm>
    </PublicPage>
  )
}

function pageTitle({ form, view: { page } }: Props): string {
  if (page === 'cover') return form.name
  if (page === 'check') return texts.controls.checkAnswers
  return buildSteps(form)[page]?.title || form.name
}

function Introduction({ form }: { form: SurveyForm }) {
  const { description, deadline } = form
  return (
    <>
      {description && <p class="description">{description}</p>}
      {isAnonymous(form) && <p>{texts.form.anonymous}</p>}
      {deadline && !Number.isNaN(Date.parse(deadline)) && (
        <p class="quiet">{texts.form.deadline(deadline)}</p>
      )}
    </>
  )
}

function Cover({ values }: Props) {
  return (
    <>
      <HiddenInputs entries={carriedValues(values, [])} />
      <Actions label={texts.form.start} />
    </>
  )
}

function StepQuestions({ form, values, view, index, canSave }: Props & { index: number }) {
  const steps = buildSteps(form)
  const shown = shownIds(form, values)
  const pages = listShownSteps(steps, shown)
  const { description = '' } = steps[index] ?? {}
  const questions = (steps[index]?.questions ?? []).filter(({ questionId }) =>
    shown.has(questionId),
  )
  const numbers = numberQuestions(form)
  const canGoBack = index > 0 || form.settings.coverPage || view.isChange
  return (
    <>
      {pages.length > 1 && (
        <p class="quiet">{texts.form.pageOf(pages.indexOf(index) + 1, pages.length)}</p>
      )}
      {description && <p class="description">{description}</p>}
      <HiddenInputs entries={carriedValues(values, questions)} />
      {questions.map((question) => (
        <QuestionField
          question={question}
          number={numbers.get(question.questionId)}
          values={values}
          errors={view.errors}
        />
      ))}
      <Actions label={texts.form.next} canGoBack={canGoBack} canSave={canSave} />
    </>
  )
}

function Check({ form, values, request, canSave }: Props) {
  const numbers = numberQuestions(form)
  const shown = shownIds(form, values)
  const steps = buildSteps(form)
  const toAnswer = (question: Question) => {
    const entry = readEntries([question], values).get(question.questionId) ?? []
    const parsed = parseAnswer(question, entry)
    const number = numbers.get(question.questionId)
    return {
      label: number === undefined ? question.title : `${number}. ${question.title}`,
      answer: 'value' in parsed ? formatAnswer(question, parsed.value) : entry.join(' '),
    }
  }
  return (
    <>
      <HiddenInputs entries={carriedValues(values, [])} />
      {listShownSteps(steps, shown).map((index, page) => {
        const { title = '', questions = [] } = steps[index] ?? {}
        return (
          <section>
            <h2>{title || texts.form.yourAnswers}</h2>
            <SummaryList
              answers={questions
                .filter(
                  (question) =>
                    answerType(question) !== undefined && shown.has(question.questionId),
                )
                .map(toAnswer)}
            />
            <button type="submit" class="link" name="go" value={`change ${index}`}>
              {texts.form.change}
              <span class="visually-hidden"> {title || texts.form.changedPage(page + 1)}</span>
            </button>
          </section>
        )
      })}
      {request && <TurnstileWidget c={request} />}
      <Actions label={texts.form.send} value="send" canGoBack canSave={canSave} />
    </>
  )
}

type ActionsProps = {
  label: string
  value?: string
  canGoBack?: boolean
  canSave?: boolean | undefined
}

// The Enter key presses the first button.
function Actions({ label, value = 'next', canGoBack = false, canSave = false }: ActionsProps) {
  return (
    <div class="actions">
      <button type="submit" class="button primary" name="go" value={value}>
        {label}
      </button>
      {canGoBack && (
        <button type="submit" class="button" name="go" value="back">
          {texts.form.back}
        </button>
      )}
      {canSave && (
        <button type="submit" class="button" name="go" value="save">
          {texts.form.save}
        </button>
      )}
    </div>
  )
}

type SavedPageProps = Pick<Props, 'site' | 'form'> & { expires: string }

/** Renders how to come back after saving. */
export function FormSavedPage({ site, form, expires }: SavedPageProps) {
  return (
    <PublicPage site={site} title={texts.form.saved}>
      <ConfirmationPanel title={texts.form.saved}>
        <p>{form.name}</p>
      </ConfirmationPanel>
      <p>{texts.form.comeBack(expires)}</p>
    </PublicPage>
  )
}

type SentPageProps = Pick<Props, 'site' | 'form' | 'notice'>

/** Renders the message after a form was sent. */
export function FormSentPage({ site, form, notice }: SentPageProps) {
  return (
    <PublicPage site={site} title={texts.form.sent}>
      {notice && <p class="notice">{notice}</p>}
      <ConfirmationPanel title={texts.form.sent}>
        <p>{form.name}</p>
      </ConfirmationPanel>
      <p class="description">{form.settings.afterSubmitMessage || texts.form.thanks}</p>
    </PublicPage>
  )
}
