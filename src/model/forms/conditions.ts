import { isSameJson } from '../json.ts'
import type { ValidationError } from '../validation-error.ts'
import { answerType } from './question-types.ts'
import { type Condition, groupQuestions, type Question, type SurveyForm } from './survey-form.ts'

/**
 * Whether the answer to the earlier question meets a condition. No answer meets none, so a question that depends on
 * a hidden one is hidden too. An answer with several options meets it with one of them.
 */
export function meetsCondition({ answers, isNot }: Condition, answer: unknown): boolean {
  const values = [answer].flat().filter((value) => value !== undefined && value !== null)
  if (values.length === 0) return false
  return values.some((value) => answers.some((it) => isSameJson(it, value))) !== isNot
}

/** Whether a question depends on other answers in a way that only another system knows. */
export const hasUnknownConditions = ({ hasConditions, $showIf }: Question) =>
  hasConditions && $showIf === undefined

/** The answers that a condition can name: the values of a question's options, or those of a checkbox; none of another question. */
export function listConditionAnswers(question: Question): unknown[] {
  const type = answerType(question)
  if (type === 'tick') return [true, false]
  return type === 'option' || type === 'option or other' || type === 'options'
    ? question.options.map(({ value }) => value)
    : []
}

/** The questions before one, or before the end of the form, whose answers a condition can name. */
export function listConditionSources(form: SurveyForm, questionId?: string): Question[] {
  const questions = orderQuestions(form)
  const index = questions.findIndex((question) => question.questionId === questionId)
  return questions
    .slice(0, index < 0 ? questions.length : index)
    .filter((question) => listConditionAnswers(question).length > 0)
}

/** Finds the conditions that name no earlier question, or no answers to it. */
export function findConditionErrors(form: SurveyForm): ValidationError[] {
  const earlier = new Map<string, Question>()
  return orderQuestions(form).flatMap((question) => {
    const { questionId, $showIf } = question
    const path = `questions.${form.questions.indexOf(question)}.$showIf`
    const errors = $showIf ? findErrors($showIf, earlier.get($showIf.questionId), path) : []
    earlier.set(questionId, question)
    return errors
  })
}

const orderQuestions = (form: SurveyForm): Question[] =>
  groupQuestions(form).flatMap(({ questions }) => questions)

function findErrors(
  { answers }: Condition,
  source: Question | undefined,
  path: string,
): ValidationError[] {
  const allowed = source ? listConditionAnswers(source) : []
  if (!source || allowed.length === 0)
    return [
      {
        field: `${path}.questionId`,
        message: 'must be the id of an earlier question with options, or of an earlier checkbox.',
        code: 'not_allowed',
      },
    ]
  return answers.flatMap((answer, index): ValidationError[] =>
    allowed.some((value) => isSameJson(value, answer))
      ? []
      : [
          {
            field: `${path}.answers.${index}`,
            message: `must be an answer to ${source.questionId}: ${listValues(allowed)}.`,
            code: 'not_allowed',
          },
        ],
  )
}

const maxNamedValues = 20

function listValues(values: readonly unknown[]): string {
  const named = values.slice(0, maxNamedValues).map((value) => JSON.stringify(value))
  return [...named, ...(values.length > maxNamedValues ? ['…'] : [])].join(', ')
}
