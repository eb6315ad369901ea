import { hasUnknownConditions } from '../../model/forms/conditions.ts'
import {
  answerType,
  answerValueTypes,
  isDisplayed,
  questionTypes,
} from '../../model/forms/question-types.ts'
import type { Question, QuestionOption } from '../../model/forms/survey-form.ts'
import { withoutDerivedFields } from '../../model/properties/area-fields.ts'
import { valueTypeOf } from '../../model/properties/field-types.ts'
import type { Field, Schema } from '../../model/properties/schema.ts'
import { valueTypes } from '../../model/value-types.ts'
import { optionText } from '../../sign-up/forms/parse-answer.ts'
import { maxOptions } from '../../sign-up/forms/publishing.ts'
import { readTexts } from '../ui/form-values.ts'
import { conditionNames, parseCondition, toConditionDraft } from './condition-draft.ts'

/** The form values of a question: one option per line. */
export type QuestionDraft = Record<(typeof draftNames)[number], string>

const limitNames = ['minAllowed', 'maxAllowed', 'wordCount'] as const

const draftNames = [
  'title',
  'type',
  'field',
  'description',
  'required',
  'options',
  'section',
  ...limitNames,
  ...conditionNames,
] as const

/** The form values of a question; of a new one without `question`. */
export const toQuestionDraft = (
  question: Question | undefined,
  section: number,
  sources: readonly Question[],
): QuestionDraft => ({
  ...toConditionDraft(question?.$showIf, sources),
  title: question?.title ?? '',
  type: question?.type ?? 'Text Input',
  field: '',
  description: question?.description ?? '',
  required: question?.required ? 'true' : '',
  options: formatOptions(question?.options ?? []),
  section: String(section),
  minAllowed: String(question?.validation.minAllowed ?? ''),
  maxAllowed: String(question?.validation.maxAllowed ?? ''),
  wordCount: String(question?.validation.wordCount ?? ''),
})

/** The values of a submitted form. */
export const readQuestionDraft = (submitted: Readonly<Record<string, unknown>>): QuestionDraft =>
  readTexts(draftNames, submitted)

type Errors = Partial<Record<keyof QuestionDraft, string>>

const maxTitleLength = 1000

/** Builds a question from its form values, or returns the errors by form field. Its condition names one of `sources`. */
export function buildQuestion(
  draft: QuestionDraft,
  existing: Question | undefined,
  schema: Schema | undefined,
  sources: readonly Question[],
): { question: Question } | { errors: Errors } {
  const { title, type, description } = draft
  const field = schema?.fields.find(({ id }) => id === (existing?.questionId ?? draft.field))
  const options = parseOptions(draft, existing, field)
  const parsed = parseCondition(draft, sources)
  const condition = 'condition' in parsed ? parsed.condition : undefined
  const limits = limitNames.flatMap((name) =>
    draft[name] === '' ? [] : [[name, Number(draft[name].replaceAll(',', ''))] as const],
  )
  const question: Question = {
    questionId: existing?.questionId ?? field?.id ?? crypto.randomUUID(),
    title,
    type,
    section: 0,
    required: draft.required === 'true',
    order: 0,
    options,
    description,
    outcome: existing?.outcome ?? null,
    validation: Object.fromEntries(limits),
    hasConditions:
      condition !== undefined || (existing !== undefined && hasUnknownConditions(existing)),
    ...(condition && { $showIf: condition }),
  }
  const errors: Errors = {
    ...(title === '' && { title: 'must not be empty.' }),
    ...(title.length > maxTitleLength && {
      title: `must have at most ${maxTitleLength} characters.`,
    }),
    ...(!isKnownType(type, existing) && { type: 'must be one of the types.' }),
    ...(options.length > maxOptions && { options: `must be at most ${maxOptions} lines.` }),
    ...findRepeatedOption(options),
    ...(needsOptions(question) && { options: 'must have a line for each option.' }),
    ...(field && !fits(question, field) && { type: `must suit the field ${field.label}.` }),
    ...findLimitErrors(new Map(limits)),
    ...('errors' in parsed && parsed.errors),
  }
  return Object.keys(errors).length > 0 ? { errors } : { question }
}

const isKnownType = (type: string, existing: Question | undefined) =>
  questionTypes[type]?.label !== undefined || type === existing?.type

const needsOptions = ({ type, options }: Question) =>
  options.length === 0 &&
  ['option', 'option or other', 'ranking', 'table'].includes(questionTypes[type]?.answer ?? '')

function fits(question: Question, field: Field): boolean {
  const answer = answerType(question)
  if (answer === undefined) return isDisplayed(question)
  if (answer === 'table') return false
  const type = valueTypeOf(field)
  if (type === 'option') return answer === 'option'
  return valueTypes[answerValueTypes[answer]].stored === valueTypes[type].stored
}

/** The fields that a new question can fill, without the fields of other questions. */
export const unusedFields = (schema: Schema | undefined, questions: readonly Question[]): Field[] =>
  withoutDerivedFields(schema?.fields ?? []).filter(
    ({ id, type }) =>
      !['divider', 'uniqueId'].includes(type) &&
      !questions.some(({ questionId }) => questionId === id),
  )

function findLimitErrors(limits: ReadonlyMap<string, number>): Errors {
  const min = limits.get('minAllowed')
  const max = limits.get('maxAllowed')
  const words = limits.get('wordCount')
  return {
    ...(Number.isNaN(min) && { minAllowed: 'must be a number.' }),
    ...(Number.isNaN(max) && { maxAllowed: 'must be a number.' }),
    ...(min !== undefined &&
      max !== undefined &&
      min > max && { maxAllowed: 'must not be less than the minimum.' }),
    ...(words !== undefined &&
      !(Number.isInteger(words) && words > 0) && {
        wordCount: 'must be a whole number, at least 1.',
      }),
  }
}

const separator = ' | '

const formatOptions = (options: readonly QuestionOption[]) =>
  options
    .map((option) => {
      const text = optionText(option)
      return text === option.label ? text : text + separator + option.label
    })
    .join('\n')

/**
 * Parses the options, or returns the existing ones if the text is unedited, or the field's if it is
 * empty. Numbers stay numbers, so that they count for a score, unless they fill a field.
 */
function parseOptions(
  { options }: QuestionDraft,
  existing: Question | undefined,
  field: Field | undefined,
): readonly QuestionOption[] {
  if (existing && formatOptions(existing.options) === options) return existing.options
  if (!existing && options === '' && field?.options) return field.options
  return options
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [value = '', ...label] = line.split(separator)
      const text = value.trim()
      const isNumber = !field && /^-?\d{1,15}(\.\d{1,10})?$/.test(text)
      return {
        label: label.join(separator).trim() || text,
        value: isNumber ? Number(text) : text,
      }
    })
}

function findRepeatedOption(options: readonly QuestionOption[]): Errors {
  const texts = options.map(optionText)
  const repeated = texts.find((text, index) => texts.indexOf(text) < index)
  return repeated === undefined ? {} : { options: `has ${repeated} twice.` }
}
