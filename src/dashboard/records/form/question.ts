import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { setProperty } from '../../../model/json.ts'
import type { Option } from '../../../model/properties/value-types.ts'
import type { Choice } from '../../collection/choices.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import type { PickerSearch } from '../../collection/picker.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'

/** Form values by form field: text, or a list for checkboxes. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** Error messages by form field. A message without a subject follows the field's label. */
export type FormErrors = Readonly<Record<string, string>>

/** A new value of a property. */
export type Change = { path: readonly string[]; value: unknown }

/** A question of a form for a record: one or several form fields that set one or several properties. */
export type Question = {
  label: string
  /** The names of its form fields. The first one shows errors of its properties. */
  names: readonly string[]
  /** The names of its form fields with several values. */
  lists?: readonly string[]
  /** The names of the properties that it sets. */
  properties: readonly string[]
  /** The collection of the records that it links. */
  collection?: string
  /** The form values of a record. */
  read(values: ShownValues): FormValues
  /** The properties' new values, or errors. `rendered` has the values before somebody changed them. */
  parse(answer: AnswerInput): Answer | Promise<Answer>
  Control(props: ControlProps): Child
}

type AnswerInput = { c: Context<DashboardEnv>; submitted: FormValues; rendered: FormValues }

export type Answer = { changes: readonly Change[] } | { errors: FormErrors }

export type ControlProps = {
  c: Context<DashboardEnv>
  values: FormValues
  errors: FormErrors
  /** The linked records and the result of a search, if the question links records. */
  chosen: readonly Choice[]
  search: PickerSearch | undefined
}

/** A heading with its questions, below each other or in a row. */
export type Part = {
  title: string
  hint?: string
  questions: readonly Question[]
  isRow?: boolean
}

/** The questions of a form: those of the task first, the others in a fold. */
export type FormLayout = {
  parts: readonly Part[]
  otherParts: readonly Part[]
  /** The form values of a new record. */
  defaults: FormValues
}

/** The words of a question where they differ from the property's. */
export type Wording = {
  label?: string
  hint?: string
  /** The options of a text in words. Values of other systems stay unchanged. */
  options?: readonly Option[]
  /** The label for no value. */
  noneLabel?: string
  isLong?: boolean
  isNarrow?: boolean
  isMoney?: boolean
}

/** The question for a property, with its words in this form. */
export type Ask = (name: string, wording?: Wording) => Question

export type LayoutInput = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  ask: Ask
  isNew: boolean
}

/** The questions of a task, in the order in which people answer them. */
export type Task = { parts: readonly Part[]; defaults?: FormValues }

/** All questions of a form in order. */
export const listQuestions = ({
  parts,
  otherParts,
}: Pick<FormLayout, 'parts' | 'otherParts'>): readonly Question[] =>
  [...parts, ...otherParts].flatMap(({ questions }) => questions)

/** A form value as text. */
export const textOf = (values: FormValues, name: string): string =>
  [values[name] ?? ''].flat().join('\n')

/** A form value as a list. */
export const listOf = (values: FormValues, name: string): string[] =>
  [values[name] ?? []].flat().filter((text) => text !== '')

/** The form values of a record. */
export const readValues = (questions: readonly Question[], values: ShownValues): FormValues =>
  Object.assign({}, ...questions.map((question) => question.read(values)))

/** Parses the fields of a submitted form. */
export const parseFields = (
  questions: readonly Question[],
  fields: Readonly<Record<string, unknown>>,
): FormValues =>
  Object.fromEntries(
    questions.flatMap(({ names, lists = [] }) =>
      names.map((name) => {
        const texts = [fields[name] ?? []].flat().map(String)
        return [name, lists.includes(name) ? texts : (texts.at(-1) ?? '').replaceAll('\r\n', '\n')]
      }),
    ),
  )

/** Whether two forms have the same answer to a question. */
export const hasSameAnswer = ({ names }: Question, values: FormValues, otherValues: FormValues) =>
  names.every((name) => String(values[name] ?? '') === String(otherValues[name] ?? ''))

/** Builds the JSON Merge Patch that sets these values. */
export function buildPatch(changes: readonly Change[]): ShownValues {
  const patch: Record<string, unknown> = {}
  for (const { path, value } of changes) setProperty(patch, path, value)
  return patch
}
