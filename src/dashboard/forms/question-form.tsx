import { listConditionSources } from '../../model/forms/conditions.ts'
import { questionTypes } from '../../model/forms/question-types.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import type { Field as SchemaField } from '../../model/properties/schema.ts'
import { noOption } from '../ui/controls.tsx'
import type { FormField } from '../ui/fields.tsx'
import { FieldsForm, type FormPart } from '../ui/fields-form.tsx'
import type { FieldErrors } from '../ui/form-values.ts'
import { Page } from '../ui/page.tsx'
import { formPagePath } from '../ui/paths.ts'
import type { FormContext } from './form-record.ts'
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
  errors?: FieldErrors
  error?: string
}

/** Renders the form for a question, with the submitted values and their errors. */
export function QuestionPage(props: Props) {
  const { c, form, etag, questionId, draft, fields, errors = {}, error } = props
  const path = formPagePath(c, form.formId)
  return (
    <Page
      c={c}
      title={questionId === undefined ? 'Add a question' : 'Change a question'}
      crumbs={[{ name: form.name || 'Form', href: path }]}
      tabs={[]}
    >
      <FieldsForm
        action={`${path}/question`}
        hidden={{ $etag: etag, $id: questionId }}
        parts={listParts(form, draft.type, questionId === undefined ? fields : [])}
        fold={conditionFold(form, questionId, draft)}
        values={draft}
        errors={errors}
        error={error}
        cancelPath={path}
      />
    </Page>
  )
}

const listParts = (
  form: SurveyForm,
  type: string,
  fields: readonly SchemaField[],
): readonly FormPart[] => [
  {
    title: 'Question',
    fields: [
      {
        name: 'title',
        label: 'Question',
        attributes: { required: true, maxlength: 1000, autocomplete: 'off' },
      },
      { name: 'description', label: 'Help (optional)', isLong: true },
      { name: 'section', label: 'Section', options: sectionOptions(form) },
    ],
  },
  {
    title: 'Answer',
    fields: [
      {
        name: 'type',
        label: 'Type',
        options: typeOptions(type),
        help: 'The public pages cannot receive files: a form that requires one cannot be published.',
      },
      ...(fields.length > 0 ? [filledField(fields)] : []),
      { name: 'required', label: 'People must answer this question', tickedValue: 'true' },
      {
        name: 'options',
        label: 'Options (optional)',
        summaryLabel: 'Options',
        help: 'One per line, for types with options. To show a label for a value, add it after a bar: “5 | Always”. Numbers count for the score.',
        isLong: true,
      },
    ],
  },
  {
    title: 'Limits (optional)',
    isRow: true,
    fields: [
      limitField('minAllowed', 'Minimum', 'Of a number, or of the options chosen.'),
      limitField('maxAllowed', 'Maximum', 'Also the rows of a table.'),
      limitField('wordCount', 'Maximum words', 'Of a text.'),
    ],
  },
]

/** The fields of the question's condition, which most questions do not have. */
function conditionFold(form: SurveyForm, questionId: string | undefined, draft: QuestionDraft) {
  const sources = listConditionSources(form, questionId)
  if (sources.length === 0) return undefined
  const fields: FormField[] = [
    {
      name: 'showIfQuestion',
      label: 'Ask this question',
      summaryLabel: 'The earlier question',
      options: [
        { value: '', label: 'Always' },
        ...sources.map(({ questionId, title }) => ({
          value: questionId,
          label: `After an answer to “${title}”`,
        })),
      ],
    },
    {
      name: 'showIfNot',
      label: 'If the answer is',
      options: [
        { value: '', label: 'One of these' },
        { value: 'true', label: 'None of these' },
      ],
    },
    {
      name: 'showIfAnswers',
      label: 'Answers',
      help: 'One per line, as people see them: the options of the earlier question, or Yes or No for a checkbox.',
      isLong: true,
    },
  ]
  return {
    summary: 'Ask only after some answers',
    isOpen: draft.showIfQuestion !== '',
    parts: [{ title: 'Condition', fields }],
  }
}

const filledField = (fields: readonly SchemaField[]): FormField => ({
  name: 'field',
  label: 'Field that the answer fills (optional)',
  options: [noOption, ...fields.map(({ id, label }) => ({ value: id, label }))],
  help: 'You cannot change this later.',
})

const limitField = (name: string, label: string, help: string): FormField => ({
  name,
  label,
  help,
  attributes: { inputmode: 'decimal', autocomplete: 'off' },
})

/** The types to choose from, with the current one if it has another name. */
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
