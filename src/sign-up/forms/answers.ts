import { hasUnknownConditions, meetsCondition } from '../../model/forms/conditions.ts'
import { type AnswerType, answerType, responseTypes } from '../../model/forms/question-types.ts'
import { groupQuestions, type Question, type SurveyForm } from '../../model/forms/survey-form.ts'
import { fieldTypes } from '../../model/properties/field-types.ts'
import { fieldValueType } from '../../model/properties/field-value-type.ts'
import type { Schema } from '../../model/properties/schema.ts'
import { type Problem, type ValidationError, validate } from '../../model/validation-error.ts'
import type { ValueType } from '../../model/value-types.ts'
import { texts } from '../../texts/texts.ts'
import { type Entry, parseAnswer } from './parse-answer.ts'

/** What a person entered, by question id. */
export type Entries = ReadonlyMap<string, Entry>

/** An item of a survey response. */
type ResponseItem = {
  questionId: string
  question: string
  outcome: string
  type: string
  response: unknown
}

/** The questions that people answer, in order. Files cannot be sent. */
export const answerableQuestions = (form: SurveyForm): Question[] =>
  groupQuestions(form)
    .flatMap(({ questions }) => questions)
    .filter((question) => answerType(question) !== undefined)

/** The questions and texts that are shown after these entries. A condition depends only on an earlier question. */
export function shownQuestions(form: SurveyForm, entries: Entries): Question[] {
  const answers = new Map<string, unknown>()
  const questions = groupQuestions(form).flatMap(({ questions }) => questions)
  return questions.filter((question) => {
    const { questionId, $showIf } = question
    if ($showIf && !meetsCondition($showIf, answers.get($showIf.questionId))) return false
    const parsed = parseAnswer(question, entries.get(questionId) ?? [])
    answers.set(questionId, 'value' in parsed ? parsed.value : undefined)
    return true
  })
}

/**
 * Validates the answers to these questions and returns the items of the response, or every error
 * with the question's id as its field. Answers to a schema form must also suit the schema's fields.
 */
export function validateAnswers(
  questions: readonly Question[],
  entries: Entries,
  schema?: Schema,
): { items: ResponseItem[]; errors: ValidationError[] } {
  const items: ResponseItem[] = []
  const errors: ValidationError[] = []
  for (const question of questions) {
    const { questionId, title, outcome } = question
    const type = answerType(question)
    if (!type) continue
    const parsed = parseAnswer(question, entries.get(questionId) ?? [])
    const problem =
      'problem' in parsed
        ? { ...parsed.problem, type }
        : findProblem(question, type, parsed.value, schema)
    if (problem)
      errors.push({
        field: questionId,
        message: texts.form.error(shorten(title), problem.type, problem),
        code: problem.code,
      })
    else if ('value' in parsed && parsed.value !== undefined)
      items.push({
        questionId,
        question: title,
        outcome: outcome ?? '',
        type: responseTypes[type],
        response: parsed.value,
      })
  }
  return { items, errors }
}

/** A problem with an answer, and the type that the answer must have. */
type AnswerProblem = Problem & { type: AnswerType | ValueType }

// Nobody has to answer a question with unknown conditions.
function findProblem(
  question: Question,
  type: AnswerType,
  value: unknown,
  schema: Schema | undefined,
): AnswerProblem | undefined {
  const { questionId, required } = question
  if (value === undefined)
    return required && !hasUnknownConditions(question) ? { code: 'required', type } : undefined
  const field = schema?.fields.find(({ id }) => id === questionId)
  // A mismatch of the options is not the respondent's error: such an answer fills no field.
  if (!field || !freelyWritten.includes(type)) return undefined
  const checked = validate(fieldValueType(field), value)
  const [error] = 'errors' in checked ? checked.errors : []
  return error && { ...error, type: fieldTypes[field.type].value ?? 'text' }
}

const freelyWritten: readonly AnswerType[] = ['text', 'long text', 'link', 'number', 'date']

const maxTitleLength = 100

const shorten = (title: string) =>
  title.length > maxTitleLength ? `${title.slice(0, maxTitleLength)}…` : title

/**
 * The sum of the chosen options' numbers, or null if the form has no score or no answered
 * question has numeric options. The form's direction, which end is better, does not change the sum.
 */
export function calculateScore(form: SurveyForm, items: readonly ResponseItem[]): number | null {
  if (!form.settings.calculateOverallScore) return null
  const scored = new Set(
    form.questions
      .filter(({ options }) => options.some(({ value }) => typeof value === 'number'))
      .map(({ questionId }) => questionId),
  )
  const numbers = items
    .filter(({ questionId }) => scored.has(questionId))
    .flatMap(({ response }) => [response].flat())
    .filter((value) => typeof value === 'number')
  return numbers.length > 0 ? numbers.reduce((sum, value) => sum + value, 0) : null
}
