import type { ValueType } from '../value-types.ts'
import type { Question } from './survey-form.ts'

/** How a question is answered. */
export type AnswerType =
  | 'text'
  | 'long text'
  | 'link'
  | 'number'
  | 'date'
  | 'tick'
  | 'option'
  | 'option or other'
  | 'options'
  | 'ranking'
  | 'list'
  | 'table'

type QuestionType = {
  /** The type for people who build a form; absent for short names of other types. */
  label?: string
  /** How it is answered; absent for a type that only shows text. */
  answer?: AnswerType
  /** How it is answered if it has no options. */
  withoutOptions?: AnswerType
  /** Whether it asks for a file. */
  isUpload?: true
  /** Whether its options are in a list that opens. */
  isDropdown?: true
  /** What browsers may fill in. */
  autocomplete?: string
}

const definitions = {
  'Text Input': { label: 'Short text', answer: 'text' },
  'Paragraph Text Input': { label: 'Long text', answer: 'long text' },
  number: { label: 'Number', answer: 'number' },
  'Multiple Choice': { label: 'One option', answer: 'option', withoutOptions: 'text' },
  Dropdown: {
    label: 'One option, in a drop-down list',
    isDropdown: true,
    answer: 'option',
    withoutOptions: 'text',
  },
  'Dropdown with custom input': {
    label: 'One option, or other text',
    isDropdown: true,
    answer: 'option or other',
    withoutOptions: 'text',
  },
  'Dropdown: Multiple choice': {
    label: 'Several options',
    answer: 'options',
    withoutOptions: 'list',
  },
  Checkbox: {
    label: 'Checkboxes, or one checkbox without options',
    answer: 'options',
    withoutOptions: 'tick',
  },
  'Likert Scale': { label: 'Scale', answer: 'option', withoutOptions: 'text' },
  Ranking: { label: 'Ranking', answer: 'ranking', withoutOptions: 'list' },
  Location: { label: 'Address or postcode', answer: 'text', autocomplete: 'street-address' },
  Country: { label: 'Country', answer: 'text', autocomplete: 'country-name' },
  Tag: { label: 'Tags', answer: 'options', withoutOptions: 'list' },
  Relationship: { label: 'Name of a person or organisation', answer: 'text' },
  Table: {
    label: 'Table, with the options as columns',
    answer: 'table',
    withoutOptions: 'long text',
  },
  'Upload Images': { label: 'Images', isUpload: true },
  'Upload Document': { label: 'Document', isUpload: true },
  'Upload Video': { label: 'Video', isUpload: true },
  'Video Link': { label: 'Address of a video', answer: 'link' },
  'Media Embed': { label: 'Address of other media', answer: 'link' },
  Heading: { label: 'Heading' },
  'Explainer Text': { label: 'Explanation' },
  date: { label: 'Date', answer: 'date' },
  text: { answer: 'text' },
  textarea: { answer: 'long text' },
  select: { isDropdown: true, answer: 'option', withoutOptions: 'text' },
  multiselect: { answer: 'options', withoutOptions: 'list' },
  boolean: { answer: 'tick' },
} as const satisfies Record<string, QuestionType>

/** The types of questions by name. */
export const questionTypes: Readonly<Record<string, QuestionType>> = definitions

const byLowerCase = new Map<string, QuestionType>(
  Object.entries(definitions).map(([name, type]) => [name.toLowerCase(), type]),
)

// A form from another system can have a type that the contract does not name.
const unknownType: QuestionType = { answer: 'option', withoutOptions: 'text' }

type TypedQuestion = Pick<Question, 'type' | 'options'>

export const questionType = ({ type }: Pick<Question, 'type'>): QuestionType =>
  byLowerCase.get(type.toLowerCase()) ?? unknownType

/** How a question is answered; undefined for files and types that only show text. */
export function answerType(question: TypedQuestion): AnswerType | undefined {
  const { answer, withoutOptions } = questionType(question)
  return question.options.length === 0 ? (withoutOptions ?? answer) : answer
}

export function isDisplayed(question: Pick<Question, 'type'>): boolean {
  const { answer, isUpload } = questionType(question)
  return answer === undefined && !isUpload
}

/** The value type of an answer. */
export const answerValueTypes: Readonly<Record<AnswerType, ValueType>> = {
  text: 'text',
  'long text': 'text',
  link: 'text',
  number: 'number',
  date: 'date',
  tick: 'boolean',
  option: 'option',
  'option or other': 'option',
  options: 'list',
  ranking: 'list',
  list: 'list',
  table: 'text',
}

/** The `type` of a response's item by answer type. */
export const responseTypes: Readonly<Record<AnswerType, string>> = {
  text: 'text',
  'long text': 'textarea',
  link: 'text',
  number: 'number',
  date: 'date',
  tick: 'boolean',
  option: 'select',
  'option or other': 'select',
  options: 'multiselect',
  ranking: 'multiselect',
  list: 'multiselect',
  table: 'table',
}
