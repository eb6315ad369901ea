import { questionTypes } from '../../model/forms/question-types.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import type { Field as SchemaField } from '../../model/properties/schema.ts'
import { SaveButtons } from '../ui/button.tsx'
import { Checkbox, Field, noOption, SelectField } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { type FormContext, formPagePath } from './form-record.ts'
import type { QuestionDraft } from './question-draft.ts'

type Props = {
  c: FormContext
  form: SurveyForm
  etag: string
  /** The id of an existing question. */
  questionId?: string | undefined
  draft: QuestionDraft
  /** The fields that a new question can fill. */
  fields: readonly SchemaField[]
  errors?: Partial<QuestionDraft>
  error?: string | undefined
}

/** Renders the form for a question, with the submitted values and their errors. */
export function QuestionPage(props: Props) {
  const { c, form, etag, questionId, draft, fields, errors = {}, error } = props
  const path = formPagePath(c, form.formId)
  const hasErrors = error !== undefined || Object.keys(errors).length > 0
  return (
    <Page
      c={c}
      title={questionId === undefined ? 'Add a question' : 'Change a question'}
      crumbs={[{ name: form.name || 'Form', href: path }]}
      tabs={[]}
    >
      {hasErrors && <p role="alert">{error ?? 'Nothing was saved. Correct the errors below.'}</p>}
      <form class="form" method="post" action={`${path}/question`}>
        <input type="hidden" name="$etag" value={etag} />
        {questionId !== undefined && <input type="hidden" name="$id" value={questionId} />}
        <Field label="Question" name="title" error={errors.title}>
          {(attributes) => (
            <input
              {...attributes}
              value={draft.title}
              required
              maxlength={1000}
              autocomplete="off"
            />
          )}
        </Field>
        <Field label="Help (optional)" name="description" error={errors.description}>
          {(attributes) => <textarea {...attributes}>{draft.description}</textarea>}
        </Field>
        <SelectField
          label="Type"
          name="type"
          options={typeOptions(draft.type)}
          selected={draft.type}
          error={errors.type}
          help="The public pages cannot receive files: a form that requires one cannot be published."
        />
        {questionId === undefined && fields.length > 0 && (
          <SelectField
            label="Field that the answer fills (optional)"
            name="field"
            options={[noOption, ...fields.map(({ id, label }) => ({ value: id, label }))]}
            selected={draft.field}
            error={errors.field}
            help="You cannot change this later."
          />
        )}
        <Checkbox
          name="required"
          value="true"
          checkedValues={[draft.required]}
          label="People must answer this question"
        />
        <Field
          label="Options (optional)"
          name="options"
          error={errors.options}
          help="One per line, for types with options. To show a label for a value, add it after a bar: “5 | Always”. Numbers count for the score."
        >
          {(attributes) => <textarea {...attributes}>{draft.options}</textarea>}
        </Field>
        <fieldset class="field-grid">
          <legend>Limits (optional)</legend>
          <LimitField
            label="Minimum"
            name="minAllowed"
            draft={draft}
            errors={errors}
            help="Of a number, or of the options chosen."
          />
          <LimitField
            label="Maximum"
            name="maxAllowed"
            draft={draft}
            errors={errors}
            help="Also the rows of a table."
          />
          <LimitField
            label="Maximum words"
            name="wordCount"
            draft={draft}
            errors={errors}
            help="Of a text."
          />
        </fieldset>
        <SelectField
          label="Section"
          name="section"
          options={sectionOptions(form)}
          selected={draft.section}
          error={errors.section}
        />
        <SaveButtons cancelPath={path} />
      </form>
    </Page>
  )
}

type LimitProps = {
  label: string
  name: 'minAllowed' | 'maxAllowed' | 'wordCount'
  help: string
  draft: QuestionDraft
  errors: Partial<QuestionDraft>
}

function LimitField({ label, name, help, draft, errors }: LimitProps) {
  return (
    <Field label={label} name={name} error={errors[name]} help={help}>
      {(attributes) => (
        <input {...attributes} value={draft[name]} inputmode="decimal" autocomplete="off" />
      )}
    </Field>
  )
}

/** Returns the types to choose from, with the current one if it has another name. */
function typeOptions(current: string) {
  const options = Object.entries(questionTypes).flatMap(([value, { label }]) =>
    label ? [{ value, label }] : [],
  )
  return options.some(({ value }) => value === current)
    ? options
    : [{ value: current, label: current }, ...options]
}

const sectionOptions = ({ sections }: SurveyForm) =>
  sections.length === 0
    ? [{ value: '0', label: 'The form' }]
    : sections.map(({ title }, index) => ({
        value: String(index),
        label: title || `Section ${index + 1}`,
      }))
