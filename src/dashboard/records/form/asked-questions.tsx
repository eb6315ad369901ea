import { validate } from '../../../model/validation-error.ts'
import { EventQuestions, type StoredQuestion } from '../../../sign-up/event-questions.ts'
import { Fields, type FormField } from '../../ui/fields.tsx'
import { type FieldValues, groupErrorsByField, textOf } from '../../ui/form-values.ts'
import type { QuestionControlProps, RecordQuestion } from './question.ts'
import { parseQuestionFields, questionFields, toQuestionValues } from './question-fields.ts'

/** The number of questions that the form of a new event has room for. Its page takes more. */
const slots = 3

const prefixes = Array.from({ length: slots }, (_, index) => `$question${index}.`)

const fieldsOf = (prefix: string): FormField[] =>
  questionFields({ prefix, isStored: false, countsDays: true })

/** What a new event, or each of its dates, asks besides the sign-up fields. The event is saved with them, so they set no property. */
export const newEventQuestions: RecordQuestion = {
  label: 'Questions',
  names: prefixes.flatMap((prefix) => fieldsOf(prefix).map(({ name }) => name)),
  properties: [],
  read: () => Object.assign({}, ...prefixes.map((prefix) => toQuestionValues(prefix))),
  parse({ submitted }) {
    const asked = askedPrefixes(submitted)
    const checked = validate(EventQuestions, readAskedQuestions(submitted))
    if (!('errors' in checked)) return { changes: [] }
    const toName = (path: string) => {
      const [index = '', name = ''] = path.split('.')
      return `${asked[Number(index)]}${name === 'deleteAfter' ? 'deleteDaysAfter' : name}`
    }
    return { errors: groupErrorsByField(checked.errors, toName) }
  },
  Control: AskedQuestions,
}

const askedPrefixes = (submitted: FieldValues) =>
  prefixes.filter((prefix) => textOf(submitted, `${prefix}label`).trim() !== '')

/** The questions on a submitted form. */
export const readAskedQuestions = (submitted: FieldValues): StoredQuestion[] =>
  askedPrefixes(submitted).map((prefix) =>
    parseQuestionFields((name) => textOf(submitted, `${prefix}${name}`).trim()),
  )

function AskedQuestions({ values, errors }: QuestionControlProps) {
  return (
    <>
      {prefixes.map((prefix, index) => {
        const fields = fieldsOf(prefix)
        const isOpen = fields.some(({ name }) => errors[name]) || textOf(values, `${prefix}label`)
        return (
          <details class="fold" open={Boolean(isOpen)}>
            <summary>{index === 0 ? 'Add a question' : 'Add another question'}</summary>
            <div class="asked">
              <Fields fields={fields} values={values} errors={errors} />
            </div>
          </details>
        )
      })}
    </>
  )
}
