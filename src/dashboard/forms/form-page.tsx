import { questionTypes } from '../../model/forms/question-types.ts'
import type { Question, SurveyForm } from '../../model/forms/survey-form.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { formPath } from '../../sign-up/forms/form-links.ts'
import { layoutOf } from '../../sign-up/forms/layout.ts'
import { findObstacles, isOpenToEverybody } from '../../sign-up/forms/publishing.ts'
import { can } from '../session/permissions.ts'
import { Form } from '../ui/form.tsx'
import { listFormTabs } from '../ui/form-tabs.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { formPagePath, formsPath, recordPath } from '../ui/paths.ts'
import { describeCondition } from './condition-draft.ts'
import { describeFormAccess, type FormContext } from './form-record.ts'

type Props = {
  c: FormContext
  form: SurveyForm
  etag: string
  /** Whether the organisation's public pages are on. */
  isPublic: boolean
  /** The number of responses. */
  responses: number | undefined
  notice: string | undefined
}

/** Renders a form's sections and questions, with the actions that change them. */
export function FormBuilderPage({ c, form, etag, isPublic, responses, notice }: Props) {
  const path = formPagePath(c, form.formId)
  const canEdit = can(c, 'write')
  return (
    <Page
      c={c}
      title={form.name || form.formId}
      crumbs={[{ name: 'Forms', href: formsPath(c) }]}
      tabs={listFormTabs(c, form, 'Questions', responses)}
      actions={
        <>
          <Menu label="More actions for this form" isRare>
            <li>
              <a href={recordPath(c, 'forms', form.formId)}>All fields and history</a>
            </li>
          </Menu>
          <a class="button primary" href={`${path}/preview`}>
            Preview
          </a>
        </>
      }
    >
      <Notice message={notice} />
      <Access c={c} form={form} isPublic={isPublic} />
      <Form action={`${path}/change`} hidden={{ $etag: etag }}>
        {layoutOf(form).map(({ title, description, questions }, index) => (
          <section class="section">
            <div class="title">
              <h2>{title || `Section ${index + 1}`}</h2>
              {canEdit && <SectionMenu path={path} form={form} index={index} title={title} />}
            </div>
            {description && <p class="quiet">{description}</p>}
            {questions.length === 0 ? (
              <p>This section has no questions yet.</p>
            ) : (
              <ol class="stack">
                {questions.map((question) => (
                  <li class="event">
                    <QuestionRow path={path} form={form} question={question} canEdit={canEdit} />
                  </li>
                ))}
              </ol>
            )}
            {canEdit && (
              <p class="after">
                <a
                  class="button small"
                  href={`${path}/question?section=${index}`}
                  aria-label={`Add question to ${title || `section ${index + 1}`}`}
                >
                  <Icon name="plus" /> Add question
                </a>
              </p>
            )}
          </section>
        ))}
      </Form>
      {canEdit && (
        <p class="section">
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
        <p>{describeFormAccess(form, obstacles)}</p>
      )}
      {isOpen && (
        <p>
          <a href={address}>{address}</a>
        </p>
      )}
    </section>
  )
}

type SectionMenuProps = { path: string; form: SurveyForm; index: number; title: string }

function SectionMenu({ path, form, index, title }: SectionMenuProps) {
  const { sections } = form
  return (
    <Menu label={`Actions for ${title || `section ${index + 1}`}`} isRare class="plain">
      <li>
        <a href={`${path}/section?index=${index}`}>Change</a>
      </li>
      {index > 0 && <ChangeItem action={`section-up ${index}`} label="Move up" />}
      {index < sections.length - 1 && (
        <ChangeItem action={`section-down ${index}`} label="Move down" />
      )}
      {sections.length > 1 && (
        <ChangeItem action={`section-remove ${index}`} label="Remove" isDanger />
      )}
    </Menu>
  )
}

type QuestionRowProps = { path: string; form: SurveyForm; question: Question; canEdit: boolean }

function QuestionRow({ path, form, question, canEdit }: QuestionRowProps) {
  const { questionId, title, type, required, options } = question
  const facts = [
    questionTypes[type]?.label ?? type,
    required && 'required',
    options.length > 0 && formatCount(options.length, 'option'),
  ]
  const condition = describeCondition(question, form.questions)
  const query = new URLSearchParams({ id: questionId })
  return (
    <>
      <div>
        {canEdit ? <a href={`${path}/question?${query}`}>{title}</a> : title}
        <p class="quiet">{facts.filter(Boolean).join(', ')}</p>
        {condition && <p class="quiet">{condition}</p>}
      </div>
      {canEdit && (
        <Menu label={`Actions for ${title}`} isRare class="plain">
          <li>
            <a href={`${path}/question?${query}`}>Change</a>
          </li>
          <ChangeItem action={`up ${questionId}`} label="Move up" />
          <ChangeItem action={`down ${questionId}`} label="Move down" />
          <ChangeItem action={`remove ${questionId}`} label="Remove" isDanger />
        </Menu>
      )}
    </>
  )
}

type ChangeItemProps = { action: string; label: string; isDanger?: boolean }

function ChangeItem({ action, label, isDanger = false }: ChangeItemProps) {
  return (
    <li class={isDanger ? 'apart' : undefined}>
      <button type="submit" class={isDanger ? 'danger' : undefined} name="action" value={action}>
        {label}
      </button>
    </li>
  )
}
