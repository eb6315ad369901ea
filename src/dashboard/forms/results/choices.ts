import { cutText } from '../../../store/query/term-ranges.ts'
import { figureOf } from '../../../store/summary/measure-groups.ts'
import { formatValue } from '../../ui/format-value.ts'
import type { QuestionResult } from './load-results.ts'

/** A value that people answered, or an option that nobody chose. */
export type AnswerCount = { label: string; count: number }

const maxChoices = 30

/** The choices of a question: its options in order, then other answers. If these are many, the most frequent, and the number of others. */
export function listChoices({ question, figures }: QuestionResult) {
  if (figures.groups.length === 0) return { choices: [], omitted: 0 }
  const counts = new Map<unknown, number>(
    figures.groups.map(({ by: [value], figures }) => [value, figureOf(figures, 'count') ?? 0]),
  )
  const labels = new Map<unknown, string>(
    question.options.map(({ label, value }) => [
      typeof value === 'string' ? cutText(value) : value,
      label,
    ]),
  )
  const isOption = (value: unknown) => labels.has(value)
  const values = [...labels.keys(), ...[...counts.keys()].filter((value) => !isOption(value))]
  const all = values.map((value) => ({
    label: labels.get(value) || formatValue(value, { type: 'any' }),
    count: counts.get(value) ?? 0,
  }))
  const choices = all.length > maxChoices ? all.toSorted(byCount).slice(0, maxChoices) : all
  return { choices, omitted: all.length - choices.length }
}

const byCount = (one: AnswerCount, other: AnswerCount) => other.count - one.count
