import type { Context } from 'hono'
import { readFormBody } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import {
  askQuestionsOfSeries,
  type StoredQuestion,
  saveBooksAllDates,
  saveEventQuestions,
} from '../../sign-up/event-questions.ts'
import type { EventDocument } from '../../sign-up/public-events.ts'
import { readEventQuestions } from '../../store/sign-up/event-questions.ts'
import {
  parseQuestionFields,
  questionFields,
  toQuestionValues,
} from '../records/form/question-fields.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { FieldsForm } from '../ui/fields-form.tsx'
import type { FieldErrors } from '../ui/form-values.ts'
import { Notice, redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { eventQuestionsPath, recordPath, registerPath } from '../ui/paths.ts'

/** Renders the questions that an event or the dates of a series ask besides the sign-up fields. */
export async function renderQuestionsPage(c: Context<DashboardEnv>, eventId: string) {
  const event = await readQuestions(c, eventId)
  const { notice } = takeFlash(c)
  return c.html(<QuestionsPage c={c} event={event} questions={event.questions} notice={notice} />)
}

/** Saves the questions that have a text, or renders the form again with the validation errors. */
export async function saveQuestionsForm(c: Context<DashboardEnv>, eventId: string) {
  const form = await readFormBody(c.req)
  const questions = parseQuestions(form)
  const event = await readQuestions(c, eventId)
  const isUnchanged = JSON.stringify(questions) === JSON.stringify(event.questions)
  try {
    if (form.inherit !== undefined) await askQuestionsOfSeries(c.var.store, eventId)
    else if (!event.isInherited || !isUnchanged)
      await saveEventQuestions(c.var.store, eventId, questions)
    if (event.isSeries) await saveBooksAllDates(c.var.store, eventId, 'booksAllDates' in form)
  } catch (error) {
    if (!(error instanceof ApiError) || error.errors.length === 0) throw error
    const errors = Object.fromEntries(error.errors.map(({ field, message }) => [field, message]))
    return c.html(<QuestionsPage c={c} event={event} questions={questions} errors={errors} />, 400)
  }
  return redirectWithFlash(c, eventQuestionsPath(c, eventId), { notice: 'Saved.' })
}

/** An event with the questions that it asks. */
type AskingEvent = {
  id: string
  name: string
  isSeries: boolean
  isDate: boolean
  /** Whether people book all dates of the series at once. */
  booksAllDates: boolean
  /** Whether the questions are those of the series that it is a date of. */
  isInherited: boolean
  questions: readonly StoredQuestion[]
}

async function readQuestions(c: Context<DashboardEnv>, eventId: string): Promise<AskingEvent> {
  const { event, questions, isSeries, booksAllDates, isOwn } = await readEventQuestions(
    c.var.store,
    eventId,
  )
  if (event === undefined) throw new ApiError('NOT_FOUND', 'There is no event with this id.')
  const { name, parentEventId }: EventDocument = JSON.parse(event)
  const isDate = Boolean(parentEventId)
  return {
    id: eventId,
    name: name || eventId,
    isSeries,
    booksAllDates,
    isDate,
    isInherited: isDate && !isOwn,
    questions: JSON.parse(questions),
  }
}

const maxQuestions = 20

/** The questions of a form; those without a text are removed. */
const parseQuestions = (form: Readonly<Record<string, unknown>>): StoredQuestion[] =>
  Array.from({ length: maxQuestions }, (_, index) =>
    parseQuestionFields((name) => String(form[`${index}.${name}`] ?? '').trim()),
  ).filter(({ label }) => label !== '')

type QuestionsProps = {
  c: Context<DashboardEnv>
  event: AskingEvent
  questions: readonly StoredQuestion[]
  errors?: FieldErrors
  notice?: string | undefined
}

function QuestionsPage({ c, event, questions, errors = {}, notice }: QuestionsProps) {
  const { id, name, isSeries, isDate, isInherited } = event
  const shown = [...questions, undefined].slice(0, maxQuestions)
  const countsDays = (question: StoredQuestion | undefined) =>
    question ? question.deleteAfter === undefined : isSeries || isDate
  return (
    <Page
      c={c}
      title={`Questions of ${name}`}
      crumbs={[
        isSeries
          ? { name, href: recordPath(c, 'events', id) }
          : { name: 'Register', href: registerPath(c, id) },
      ]}
      tabs={[]}
    >
      <Notice message={notice} />
      <section>
        <p class="quiet">
          The sign-up form {isSeries ? 'of each date ' : ''}asks these of each person, such as diet
          or access needs. The answers appear on the register only, and are deleted after the day
          that you state.
        </p>
        {isSeries && (
          <p class="quiet">A date can ask other questions instead: edit them on its register.</p>
        )}
        {isInherited && questions.length > 0 && (
          <p class="notice">
            These are the questions of the series. A change here is for this date only: without any,
            it asks nothing.
          </p>
        )}
        {isDate && !isInherited && (
          <p class="notice">
            {questions.length > 0
              ? 'This date asks other questions than the series.'
              : 'This date asks nothing, even if the series does.'}
          </p>
        )}
        <FieldsForm
          action={eventQuestionsPath(c, id)}
          fields={
            isSeries
              ? [
                  {
                    name: 'booksAllDates',
                    label: 'People can sign up for all dates to come at once, up to 60',
                    help: 'The public page of the series then has a form. Each date keeps its places and its waiting list.',
                    tickedValue: 'true',
                  },
                ]
              : []
          }
          hidden={Object.fromEntries(shown.map((question, index) => [`${index}.id`, question?.id]))}
          parts={shown.map((question, index) => ({
            title: question ? `Question ${index + 1}` : 'New question',
            fields: questionFields({
              prefix: `${index}.`,
              isStored: question !== undefined,
              countsDays: countsDays(question),
            }),
          }))}
          values={Object.assign(
            { booksAllDates: event.booksAllDates ? 'true' : '' },
            ...shown.map((question, index) => toQuestionValues(`${index}.`, question)),
          )}
          errors={errors}
          saveLabel={isSeries ? 'Save' : 'Save questions'}
          buttons={
            isDate &&
            !isInherited && (
              <button type="submit" class="button" name="inherit" value="true">
                Ask the questions of the series
              </button>
            )
          }
        />
      </section>
    </Page>
  )
}
