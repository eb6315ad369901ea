import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { setProperty } from '../../../model/json.ts'
import type { Option } from '../../../model/value-types.ts'
import type { Choice } from '../../collection/choices.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import type { PickerSearch } from '../../collection/picker.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { FieldControlProps } from '../../ui/fields.tsx'
import type { FieldErrors, FieldNames, FieldValues } from '../../ui/form-values.ts'

/** A new value of a property. */
export type PropertyChange = { path: readonly string[]; value: unknown }

/** A question of a form for a record: one or several form fields that set one or several properties. The first field shows errors of its properties. */
export type RecordQuestion = FieldNames & {
  label: string
  /** The names of the properties that it sets. */
  properties: readonly string[]
  /** The collection of the records that it links. */
  collection?: string
  /** The form values of a record. */
  read(values: ShownValues): FieldValues
  /** The properties' new values, or errors. `rendered` has the values before somebody changed them. */
  parse(answer: AnswerInput): Answer | Promise<Answer>
  Control(props: QuestionControlProps): Child
}

type AnswerInput = { c: Context<DashboardEnv>; submitted: FieldValues; rendered: FieldValues }

export type Answer = { changes: readonly PropertyChange[] } | { errors: FieldErrors }

export type QuestionControlProps = FieldControlProps & {
  c: Context<DashboardEnv>
  /** The linked records and the result of a search, if the question links records. */
  chosen: readonly Choice[]
  search: PickerSearch | undefined
}

/** A heading with its questions, below each other or in a row. */
export type QuestionPart = {
  title: string
  hint?: string
  questions: readonly RecordQuestion[]
  isRow?: boolean
}

/** The questions of a form: those of the task first, the others in a fold. */
export type FormLayout = {
  parts: readonly QuestionPart[]
  otherParts: readonly QuestionPart[]
  /** The form values of a new record. */
  defaults: FieldValues
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
export type Ask = (name: string, wording?: Wording) => RecordQuestion

export type LayoutInput = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  ask: Ask
  isNew: boolean
}

/** The questions of a task, in the order in which people answer them. */
export type Task = { parts: readonly QuestionPart[]; defaults?: FieldValues }

/** All questions of a form in order. */
export const listQuestions = ({
  parts,
  otherParts,
}: Pick<FormLayout, 'parts' | 'otherParts'>): readonly RecordQuestion[] =>
  [...parts, ...otherParts].flatMap(({ questions }) => questions)

/** The form values of a record. */
export const readValues = (
  questions: readonly RecordQuestion[],
  values: ShownValues,
): FieldValues => Object.assign({}, ...questions.map((question) => question.read(values)))

/** Whether two forms have the same answer to a question. */
export const hasSameAnswer = (
  { names }: RecordQuestion,
  values: FieldValues,
  otherValues: FieldValues,
) => names.every((name) => String(values[name] ?? '') === String(otherValues[name] ?? ''))

/** Builds the JSON Merge Patch that sets these values. */
export function buildPatch(changes: readonly PropertyChange[]): ShownValues {
  const patch: Record<string, unknown> = {}
  for (const { path, value } of changes) setProperty(patch, path, value)
  return patch
}
