import { compareCodePoints } from '../../model/query/compare-texts.ts'
import type { Scalar } from '../../model/query/predicate.ts'
import type { MeasureName } from '../../model/summary/measure-names.ts'
import type { ValueColumn } from './column.ts'

/** The result of a measure for a group of records, and the numbers of people or records that it reveals. */
export type Figure = { value: number | string | null; reveals: readonly number[] }

/** Measures some of the records, by their numbers. */
export type Measure = (records: Int32Array) => Figure

/** What a measure reads: the values of its field, the people and the date of each record, and the least number of records of a person. */
export type Measured = {
  field: ValueColumn
  people: ValueColumn<Scalar>
  dates: ValueColumn
  least: number
  /** The type of the values of the field that `min` and `max` compare. */
  compared: 'number' | 'string'
  /** Whether the field refers to people. */
  isPerson: boolean
  /** The number of records for which each record stands, if not for itself. Only `count` measures such records. */
  weights: readonly number[] | undefined
}

const counted = (count: number): Figure => ({ value: count, reveals: [count] })

/** The computation of each measure. Its spelling is in `src/model/summary/measure-names.ts`. */
export const measures: Readonly<Record<MeasureName, (measured: Measured) => Measure>> = {
  count:
    ({ weights }) =>
    (records) =>
      counted(weights ? records.reduce((sum, it) => sum + (weights[it] ?? 0), 0) : records.length),
  people:
    ({ people }) =>
    (records) =>
      counted(countRecords(people, records).size),
  distinct:
    ({ field, isPerson }) =>
    (records) => {
      const { size } = countRecords(field, records)
      return isPerson ? counted(size) : { value: size, reveals: [] }
    },
  sum: ({ field }) => ofNumbers(field, (numbers) => add(numbers)),
  average: ({ field }) => ofNumbers(field, (numbers) => add(numbers) / numbers.length),
  median: ({ field }) => ofNumbers(field, findMedian),
  min: (measured) => extreme(measured, (value, other) => value < other),
  max: (measured) => extreme(measured, (value, other) => value > other),
  share:
    ({ field }) =>
    (records) =>
      shareOfYes(valuesIn(field, records)),
  known:
    ({ field }) =>
    (records) =>
      counted(records.filter((record) => field.codesOf(record).length > 0).length),
  averageFirst: (measured) => ofPeople(measured, ([first = 0]) => first),
  averageLast: (measured) => ofPeople(measured, (numbers) => numbers.at(-1) ?? 0),
  shareOfPeople:
    ({ field, people, least }) =>
    (records) => {
      const counts = countRecords(people, records)
      const recordOf = new Map<number, number>()
      for (const record of records)
        for (const person of people.codesOf(record)) recordOf.set(person, record)
      const ofFrequent = [...recordOf].flatMap(([person, record]) =>
        (counts.get(person) ?? 0) >= least ? record : [],
      )
      return shareOfYes(valuesIn(field, ofFrequent))
    },
  peopleWithAtLeast:
    ({ people, least }) =>
    (records) => {
      const counts = [...countRecords(people, records).values()]
      const value = counts.filter((count) => count >= least).length
      return { value, reveals: [value, counts.length - value] }
    },
}

/** The number of the records with each code. */
function countRecords(column: ValueColumn, records: Int32Array): Map<number, number> {
  const counts = new Map<number, number>()
  for (const record of records)
    for (const code of column.codesOf(record)) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}

function shareOfYes(values: readonly Scalar[]): Figure {
  const answers = values.filter((value) => typeof value === 'boolean')
  const yes = answers.filter(Boolean).length
  const value = answers.length > 0 ? round(yes / answers.length) : null
  return { value, reveals: [yes, answers.length - yes] }
}

/** The values of the records, in order of arrival. */
function valuesIn(column: ValueColumn, records: Iterable<number>): Scalar[] {
  const values: Scalar[] = []
  for (const record of records)
    for (const code of column.codesOf(record)) values.push(column.values[code] ?? '')
  return values
}

/** A measure of the numbers in a field. Other values, such as the text "7", do not count. */
const ofNumbers =
  (field: ValueColumn, measure: (numbers: readonly number[]) => number): Measure =>
  (records) => {
    const numbers = valuesIn(field, records).filter((value) => typeof value === 'number')
    const value = numbers.length > 0 ? round(measure(numbers)) : null
    return { value, reveals: [numbers.length] }
  }

/** The average of a number that `choose` takes from those of each person, by date. People with fewer than two do not count. */
const ofPeople =
  (measured: Measured, choose: (numbers: readonly number[]) => number): Measure =>
  (records) => {
    const chosen = numbersOfPeople(measured, records)
      .filter((numbers) => numbers.length >= 2)
      .map(choose)
    return {
      value: chosen.length > 0 ? round(add(chosen) / chosen.length) : null,
      reveals: [chosen.length],
    }
  }

/** The numbers of each person, by the date of their records. A record without a date or a number does not count. */
function numbersOfPeople({ field, people, dates }: Measured, records: Int32Array): number[][] {
  const dated = Array.from(records, (record) => {
    const number = valuesIn(field, [record]).find((value) => typeof value === 'number')
    const [date = ''] = valuesIn(dates, [record])
    return { record, number, date: String(date) }
  })
    .filter(({ number, date }) => number !== undefined && date !== '')
    .toSorted((one, other) => compareCodePoints(one.date, other.date))
  const numbers = new Map<number, number[]>()
  for (const { record, number = 0 } of dated)
    for (const person of people.codesOf(record)) {
      const earlier = numbers.get(person)
      if (earlier) earlier.push(number)
      else numbers.set(person, [number])
    }
  return [...numbers.values()]
}

const add = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

function findMedian(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const [low = 0, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return (low + high) / 2
}

const extreme =
  ({ field, compared }: Measured, isBeyond: (value: Scalar, other: Scalar) => boolean): Measure =>
  (records) => {
    const values = valuesIn(field, records).filter((value) => typeof value === compared)
    const value =
      values.length > 0 ? values.reduce((one, other) => (isBeyond(other, one) ? other : one)) : null
    return { value: typeof value === 'boolean' ? null : value, reveals: [values.length] }
  }

/** A number without the error of binary fractions: 0.1 + 0.2 is 0.3. */
const round = (number: number) =>
  Number.isSafeInteger(number) ? number : Number(number.toPrecision(14))
