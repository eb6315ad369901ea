import { questionTypes } from '../../model/forms/question-types.ts'
import type { Question, SurveyForm } from '../../model/forms/survey-form.ts'
import { formPath } from '../../sign-up/forms/form-links.ts'
import { layoutOf } from '../../sign-up/forms/layout.ts'
import { findObstacles, isOpenToEverybody } from '../../sign-up/forms/publishing.ts'
import { can } from '../session/permissions.ts'
import { ActionLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { recordPath } from '../ui/paths.ts'
import { describeAccess, type FormContext, formPagePath, formsPath } from './form-record.ts'

type Props = {
  c: FormContext
  form: SurveyForm
  etag: string
  /** Whether the organisation's public pages are on. */
  isPublic: boolean
  notice: string | undefined
}

/** Renders a form's sections and questions, with the actions that change them. */
export function FormPage({ c, form, etag, isPublic, notice }: Props) {
  const path = formPagePath(c, form.formId)
  const canEdit = can(c, 'write')
  return (
    <Page
      c={c}
      title={form.name || form.formId}
      actions={
        <>
          <a class="button primary" href={`${path}/preview`}>
            Preview
          </a>
          {canEdit && (
            <>
              <a class="button" href={`${path}/settings`}>
                Settings
              </a>
              <a class="button" href={`${path}/links`}>
                Personal links
              </a>
            </>
          )}
          <a class="button" href={recordPath(c, 'forms', form.formId)}>
            Record
          </a>
        </>
      }
    >
      <Notice message={notice} />
      <p>
        <a href={formsPath(c)}>All forms</a>
      </p>
      <Access c={c} form={form} isPublic={isPublic} />
      <form method="post" action={`${path}/change`}>
        <input type="hidden" name="$etag" value={etag} />
        {layoutOf(form).map(({ title, description, questions }, index) => (
          <section class="card">
            <div class="heading-row">
              <h2>{title || `Section ${index + 1}`}</h2>
              {canEdit && <SectionActions path={path} form={form} index={index} title={title} />}
            </div>
            {description && <p>{description}</p>}
            {questions.length === 0 ? (
              <p>This section has no questions yet.</p>
            ) : (
              <ol class="questions">
                {questions.map((question) => (
                  <li>
                    <QuestionRow path={path} question={question} canEdit={canEdit} />
                  </li>
                ))}
              </ol>
            )}
            {canEdit && (
              <p>
                <ActionLink
                  href={`${path}/question?section=${index}`}
                  label="Add question"
                  target={`to ${title || `section ${index + 1}`}`}
                />
              </p>
            )}
          </section>
        ))}
      </form>
      {canEdit && (
        <p>
          <a class="button" href={`${path}/section`}>
            Add section
          </a>
        </p>
      )}
    </Page>
  )
}

/** Renders who can answer the form, and every obstacle. */
function Access({ c, form, isPublic }: Pick<Props, 'c' | 'form' | 'isPublic'>) {
  const obstacles = findObstacles(form)
  const address = new URL(formPath(c.var.store.organisationId, form.formId), c.req.url).href
  const isOpen = isPublic && obstacles.length === 0 && isOpenToEverybody(form)
  return (
    <section>
      <h2>Who can answer</h2>
      {!isPublic && (
        <p>Nobody yet: the public pages are off. An administrator can switch them on.</p>
      )}
      {obstacles.length > 0 ? (
        <>
          <p>This form cannot be published:</p>
          <ul>
            {obstacles.map((obstacle) => (
              <li>{obstacle}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>{describeAccess(form, obstacles)}</p>
      )}
      {isOpen && (
        <p>
          <a href={address}>{address}</a>
        </p>
      )}
    </section>
  )
}

type SectionActionsProps = { path: string; form: SurveyForm; index: number; title: string }

function SectionActions({ path, form, index, title }: SectionActionsProps) {
  const target = title || `section ${index + 1}`
  const { sections } = form
  return (
    <div class="buttons">
      <ActionLink href={`${path}/section?index=${index}`} label="Change" target={target} />
      {index > 0 && <ChangeButton action={`section-up ${index}`} label="Up" target={target} />}
      {index < sections.length - 1 && (
        <ChangeButton action={`section-down ${index}`} label="Down" target={target} />
      )}
      {sections.length > 1 && (
        <ChangeButton action={`section-remove ${index}`} label="Remove" target={target} />
      )}
    </div>
  )
}

type QuestionRowProps = { path: string; question: Question; canEdit: boolean }

function QuestionRow({ path, question, canEdit }: QuestionRowProps) {
  const { questionId, title, type, required, options } = question
  const facts = [
    questionTypes[type]?.label ?? type,
    required && 'required',
    options.length > 0 && `${options.length} options`,
  ]
  const query = new URLSearchParams({ id: questionId })
  return (
    <div class="heading-row">
      <span>
        {title}
        <br />
        <small>{facts.filter(Boolean).join(', ')}</small>
      </span>
      {canEdit && (
        <div class="buttons">
          <ActionLink href={`${path}/question?${query}`} label="Change" target={title} />
          <ChangeButton action={`up ${questionId}`} label="Up" target={title} />
          <ChangeButton action={`down ${questionId}`} label="Down" target={title} />
          <ChangeButton action={`remove ${questionId}`} label="Remove" target={title} />
        </div>
      )}
    </div>
  )
}

type ChangeButtonProps = { action: string; label: string; target: string }

function ChangeButton({ action, label, target }: ChangeButtonProps) {
  return (
    <button
      type="submit"
      class="secondary"
      name="action"
      value={action}
      aria-label={`${label}: ${target}`}
    >
      {label}
    </button>
  )
}
