import type { StoredQuestion } from '../../../sign-up/event-questions.ts'
import type { FormField } from '../../ui/fields.tsx'
import type { FieldValues } from '../../ui/form-values.ts'

/** The usual number of days after an event for which the answers are needed. */
const usualDays = '30'

type QuestionForm = {
  /** What the names of the fields begin with. */
  prefix: string
  /** Whether the question exists, so that an empty text removes it. */
  isStored: boolean
  /** Whether the answers are deleted a number of days after the event, instead of on a day. */
  countsDays: boolean
}

/** The form fields of a question that an event asks besides the sign-up fields. */
export const questionFields = ({ prefix, isStored, countsDays }: QuestionForm): FormField[] => [
  {
    name: `${prefix}label`,
    label: 'Question',
    help: isStored ? 'Without a text, the question and its answers are deleted.' : undefined,
    attributes: { maxlength: 200 },
  },
  {
    name: `${prefix}purpose`,
    label: 'Reason for asking',
    help: 'People read it below the question.',
    attributes: { maxlength: 500 },
  },
  { name: `${prefix}hint`, label: 'Hint (optional)', attributes: { maxlength: 500 } },
  countsDays
    ? {
        name: `${prefix}deleteDaysAfter`,
        label: 'Delete the answers this many days after the date',
        attributes: { class: 'narrow', inputmode: 'numeric' },
      }
    : {
        name: `${prefix}deleteAfter`,
        label: 'Delete the answers after',
        attributes: { type: 'date' },
      },
  { name: `${prefix}required`, label: 'An answer is required', tickedValue: 'true' },
]

/** Parses a question from the texts of its form fields. Saving it validates it. */
export function parseQuestionFields(textOf: (name: string) => string): StoredQuestion {
  const days = textOf('deleteDaysAfter')
  return {
    id: textOf('id') || crypto.randomUUID(),
    label: textOf('label'),
    hint: textOf('hint'),
    purpose: textOf('purpose'),
    required: textOf('required') === 'true',
    ...(days === '' ? { deleteAfter: textOf('deleteAfter') } : { deleteDaysAfter: Number(days) }),
  }
}

/** The form values of a question; those of a new one without `question`. */
export const toQuestionValues = (prefix: string, question?: StoredQuestion): FieldValues =>
  Object.fromEntries(
    Object.entries(question ?? { deleteDaysAfter: usualDays }).map(([name, value]) => [
      `${prefix}${name}`,
      String(value ?? ''),
    ]),
  )
