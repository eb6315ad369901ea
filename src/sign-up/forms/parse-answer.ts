import * as z from 'zod'
import { hasUnknownConditions } from '../../model/forms/conditions.ts'
import { type AnswerType, answerType } from '../../model/forms/question-types.ts'
import type { Question, QuestionOption } from '../../model/forms/survey-form.ts'
import type { ErrorCode, Problem, Unit } from '../../model/validation-error.ts'

/** What a person entered for a question: the texts of its controls, in order. */
export type Entry = readonly string[]

/** A parsed answer, undefined for none, or its problem. */
type ParsedAnswer = { value: unknown } | { problem: Problem }

const maxTextLength = 1_000
const maxLongTextLength = 20_000
const maxLinkLength = 2_000
const maxTags = 50
const maxTableRows = 20
const defaultTableRows = 5

/** Parses what a person entered, under the limits of the question. */
export function parseAnswer(question: Question, entry: Entry): ParsedAnswer {
  const type = answerType(question)
  return type ? parsers[type](question, entry) : noAnswer
}

type Parser = (question: Question, entry: Entry) => ParsedAnswer

const noAnswer = { value: undefined }

const parsers: Readonly<Record<AnswerType, Parser>> = {
  text: (question, entry) => parseText(question, entry, maxTextLength),
  'long text': (question, entry) => parseText(question, entry, maxLongTextLength),
  link(_, entry) {
    const text = firstText(entry)
    if (text === '') return noAnswer
    return text.length <= maxLinkLength && webAddress.safeParse(text).success
      ? { value: text }
      : invalid
  },
  number({ validation }, entry) {
    const text = firstText(entry).replaceAll(/[\s,]/g, '')
    if (text === '') return noAnswer
    if (!/^[-+]?\d{1,15}(\.\d{1,10})?$/.test(text)) return invalid
    const { minAllowed: min = -Infinity, maxAllowed: max = Infinity } = validation
    const value = Number(text)
    if (value < min) return problem('too_small', { min })
    if (value > max) return problem('too_large', { max })
    return { value }
  },
  date(_, entry) {
    const [day = '', month = '', year = ''] = entry.map((text) => text.trim())
    if (day + month + year === '') return noAnswer
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    return z.iso.date().safeParse(date).success ? { value: date } : invalid
  },
  tick: (question, entry) => {
    if (entry.includes('true')) return { value: true }
    // An empty box means no, except if it must be ticked or if it may not apply.
    return question.required || hasUnknownConditions(question) ? noAnswer : { value: false }
  },
  option({ options }, entry) {
    const text = firstText(entry)
    return text === '' ? noAnswer : toOptionAnswer(findOption(options, text))
  },
  'option or other'({ options }, entry) {
    const [choice = '', other = ''] = entry.map((text) => text.trim())
    if (choice !== '' && other !== '') return problem('conflict')
    if (choice !== '') return toOptionAnswer(findOption(options, choice))
    if (other.length > maxTextLength) return tooLong(maxTextLength)
    return other === '' ? noAnswer : { value: other }
  },
  options(question, entry) {
    const chosen = [...new Set(entry)].map((text) => findOption(question.options, text))
    if (chosen.includes(undefined)) return notAnOption
    return checkCount(
      question,
      chosen.map((option) => option?.value),
      'option',
    )
  },
  ranking(question, entry) {
    const ranked = question.options
      .map((option, index) => ({ option, rank: Number((entry[index] ?? '').trim()) }))
      .filter(({ rank }) => rank !== 0)
      .toSorted((one, other) => one.rank - other.rank)
    if (ranked.some(({ rank }, index) => rank !== index + 1)) return invalid
    return checkCount(
      question,
      ranked.map(({ option }) => option.value),
      'option',
    )
  },
  list(question, entry) {
    const items = firstText(entry)
      .split(/[\n,]/)
      .map((item) => item.trim())
      .filter(Boolean)
    if (items.length > maxTags) return problem('too_long', { max: maxTags, unit: 'entry' })
    if (items.some((item) => item.length > maxTextLength)) return tooLong(maxTextLength)
    return checkCount(question, [...new Set(items)], 'entry')
  },
  table(question, entry) {
    const { options } = question
    const rows = Array.from({ length: countTableRows(question) }, (_, row) =>
      options.map((option, column) => {
        const text = (entry[row * options.length + column] ?? '').trim()
        return [optionText(option), text] as const
      }),
    ).filter((cells) => cells.some(([, text]) => text !== ''))
    if (rows.flat().some(([, text]) => text.length > maxTextLength)) return tooLong(maxTextLength)
    return checkCount(
      question,
      rows.map((cells) => Object.fromEntries(cells)),
      'row',
    )
  },
}

/** The number of rows of a table for the answer. */
export const countTableRows = ({ validation }: Question) =>
  Math.min(Math.max(1, Math.floor(validation.maxAllowed ?? defaultTableRows)), maxTableRows)

/** The text that a form sends for an option. */
export const optionText = ({ value }: Pick<QuestionOption, 'value'>): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

function parseText({ validation }: Question, entry: Entry, maxLength: number): ParsedAnswer {
  const text = firstText(entry)
  if (text === '') return noAnswer
  if (text.length > maxLength) return tooLong(maxLength)
  const { wordCount: maxWords = Infinity } = validation
  const words = text.split(/\s+/).length
  return words > maxWords
    ? problem('too_long', { max: maxWords, unit: 'word', count: words })
    : { value: text }
}

const firstText = ([text = '']: Entry) => text.replaceAll('\r\n', '\n').trim()

const findOption = (options: readonly QuestionOption[], text: string) =>
  options.find((option) => optionText(option) === text)

const toOptionAnswer = (option: QuestionOption | undefined): ParsedAnswer =>
  option ? { value: option.value } : notAnOption

/** Checks the number of entries in a list. An empty list is no answer. */
function checkCount(
  { validation }: Question,
  values: readonly unknown[],
  unit: Unit,
): ParsedAnswer {
  if (values.length === 0) return noAnswer
  const { minAllowed: min = 0, maxAllowed: max = Infinity } = validation
  if (values.length < min) return problem('too_short', { min, unit })
  if (values.length > max) return problem('too_long', { max, unit })
  return { value: values }
}

const problem = (code: ErrorCode, parameters?: Problem['parameters']): ParsedAnswer => ({
  problem: { code, parameters },
})

const invalid = problem('invalid_format')

const notAnOption = problem('not_allowed')

const tooLong = (max: number) => problem('too_long', { max, unit: 'character' })

const webAddress = z.url({ protocol: /^https?$/, hostname: z.regexes.domain })
