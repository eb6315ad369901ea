import { listConditionAnswers } from '../../model/forms/conditions.ts'
import type { Condition, Question } from '../../model/forms/survey-form.ts'
import { optionText } from '../../sign-up/forms/parse-answer.ts'

/** The form values of a condition: the earlier question, `true` for all other answers, and one answer per line. */
export type ConditionDraft = Record<(typeof conditionNames)[number], string>

export const conditionNames = ['showIfQuestion', 'showIfNot', 'showIfAnswers'] as const

/** The form values of a question's condition; empty without one. */
export function toConditionDraft(
  condition: Condition | undefined,
  sources: readonly Question[],
): ConditionDraft {
  const source = sources.find(({ questionId }) => questionId === condition?.questionId)
  const answers = (condition?.answers ?? []).map((value) =>
    source ? answerLabel(source, value) : optionText({ value }),
  )
  return {
    showIfQuestion: condition?.questionId ?? '',
    showIfNot: condition?.isNot ? 'true' : '',
    showIfAnswers: answers.join('\n'),
  }
}

type ConditionErrors = Partial<ConditionDraft>

/** Parses a condition, undefined for none, or returns the errors by form field. Lines name options by label or value. */
export function parseCondition(
  { showIfQuestion, showIfNot, showIfAnswers }: ConditionDraft,
  sources: readonly Question[],
): { condition: Condition | undefined } | { errors: ConditionErrors } {
  if (showIfQuestion === '') return { condition: undefined }
  const source = sources.find(({ questionId }) => questionId === showIfQuestion)
  if (!source)
    return {
      errors: { showIfQuestion: 'must be an earlier question with options, or a checkbox.' },
    }
  const lines = showIfAnswers
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const values = listConditionAnswers(source)
  const answers = [...new Set(lines)].map((line) =>
    values.filter((value) => [answerLabel(source, value), optionText({ value })].includes(line)),
  )
  if (lines.length === 0 || answers.some((values) => values.length === 0)) {
    const allowed = values.slice(0, maxNamed).map((value) => answerLabel(source, value))
    const others = values.length > maxNamed ? ', …' : ''
    return {
      errors: { showIfAnswers: `must be lines from these: ${allowed.join(', ')}${others}.` },
    }
  }
  return {
    condition: {
      questionId: showIfQuestion,
      answers: answers.flat(),
      isNot: showIfNot === 'true',
    },
  }
}

const maxNamed = 20

/** An answer in words, as the form shows it. */
export function answerLabel({ options }: Question, value: unknown): string {
  if (typeof value === 'boolean' && options.length === 0) return value ? 'Yes' : 'No'
  return options.find((option) => option.value === value)?.label || optionText({ value })
}

/** When a question is asked: "Asked if “Have you come before?” is Yes or Not sure". */
export function describeCondition(
  { $showIf }: Question,
  questions: readonly Question[],
): string | undefined {
  const source = questions.find(({ questionId }) => questionId === $showIf?.questionId)
  if (!$showIf || !source) return undefined
  const labels = $showIf.answers.map((value) => answerLabel(source, value))
  return `Asked if “${source.title}” is ${$showIf.isNot ? 'not ' : ''}${labels.join(' or ')}`
}
