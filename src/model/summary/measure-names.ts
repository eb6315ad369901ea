import { isBoolean, isDated, isNumber, type ValueType } from '../value-types.ts'

/** The field that a measure reads. */
type MeasuredField = { type: ValueType }

type MeasureRules = {
  /** The argument in parentheses after the name. */
  argument: 'none' | 'field' | 'number'
  /** Whether the measure counts the people that records refer to. */
  countsPeople?: true
  /** The fields that the measure can be of, in words, and the test of one. */
  fields?: { words: string; accept: (field: MeasuredField) => boolean }
}

const numbers = { words: 'a number', accept: isNumber }

const numbersAndDates = {
  words: 'a number, a date or a time',
  accept: (field: MeasuredField) => isNumber(field) || isDated(field),
}

const rules = {
  count: { argument: 'none' },
  people: { argument: 'none', countsPeople: true },
  distinct: { argument: 'field' },
  sum: { argument: 'field', fields: numbers },
  average: { argument: 'field', fields: numbers },
  median: { argument: 'field', fields: numbers },
  min: { argument: 'field', fields: numbersAndDates },
  max: { argument: 'field', fields: numbersAndDates },
  share: {
    argument: 'field',
    fields: { words: 'yes or no', accept: isBoolean },
  },
  peopleWithAtLeast: { argument: 'number', countsPeople: true },
} as const satisfies Record<string, MeasureRules>

export type MeasureName = keyof typeof rules

/** The spelling of each measure. Its computation is in `src/store/summary/measures.ts`. */
export const measureRules: Readonly<Record<MeasureName, MeasureRules>> = rules

export const measureNames = Object.keys(rules) as MeasureName[]
