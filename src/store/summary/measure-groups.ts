import { invalidField } from '../../model/api-error.ts'
import type { Scalar } from '../../model/query/predicate.ts'
import { ageOnDay } from '../../model/summary/ages.ts'
import { type Ages, type BucketName, findBucket, londonDayOf } from '../../model/summary/buckets.ts'
import { mayBeNumber, measureRules } from '../../model/summary/measure-names.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { joinColumns, ValueColumn } from './column.ts'
import { type Figure, measures } from './measures.ts'
import type { RecordColumns } from './read-from-counts.ts'
import type { SummaryField, SummaryPlan } from './summary-plan.ts'

/** The figures of some records, by measure. */
export type Figures = ReadonlyMap<string, Figure>

/** The number of records of figures with the measure `count`. */
export const countOf = (figures: Figures): number => Number(figures.get('count')?.value ?? 0)

/** The number of a measure; undefined without one. */
export function figureOf(figures: Figures, measure: string): number | undefined {
  const value = figures.get(measure)?.value
  return typeof value === 'number' ? value : undefined
}

/** A group of records: its values, in the order of `by` and null for none, and its figures. */
export type SummaryGroup = { by: readonly (Scalar | null)[]; figures: Figures }

/** The groups of records and their figures. */
export type SummaryFigures = {
  groups: SummaryGroup[]
  /** The figures of all records. A record in several groups counts once. */
  total: Figures
  /** The figures of the records in no group. */
  withoutGroup: Figures
  /** The figures of a group without records. */
  empty: Figures
  /**
   * The figures of several of these groups as one. Measures the records again, because figures of groups do not add up: a
   * person in two groups is one person.
   */
  combine(groups: readonly SummaryGroup[]): Figures
  /** The number of records that refer to no person; undefined if the records are people, or refer to none that the caller may see. */
  withoutPerson: number | undefined
  /** Whether a record is in several groups. */
  overlaps: boolean
}

/** The maximum number of groups that a summary measures. */
const maxGroups = 50_000

/** The values of a field by record. */
export type ColumnOf = (field: SummaryField) => ValueColumn

export const none = new ValueColumn(0)

type GroupOptions = {
  ages: Ages
  /** Whether the records without a value are groups too, with null. */
  groupsMissing?: boolean | undefined
}

/** Groups records by the columns of a plan, and measures each group and all of them. */
export function measureGroups(
  { by, measures: named, ages: conditions, people, date }: SummaryPlan,
  columnOf: ColumnOf,
  { count, weights }: Pick<RecordColumns, 'count' | 'weights'>,
  { ages, groupsMissing = false }: GroupOptions,
): SummaryFigures {
  const refersToPeople = people.length > 0
  const countsPeople = named.some(({ measure }) => measureRules[measure].countsPeople)
  const recordsAsPeople = countsPeople ? numberEach(count) : none
  const peopleColumn = refersToPeople ? joinColumns(people.map(columnOf), count) : recordsAsPeople
  const measuresByText = named.map(({ text, measure, field, least, isPerson }) => {
    const measured = {
      field: field ? columnOf(field) : none,
      people: peopleColumn,
      dates: date ? columnOf(date) : none,
      least,
      compared: field && mayBeNumber(field) ? ('number' as const) : ('string' as const),
      isPerson,
      weights,
    }
    return [text, measures[measure](measured)] as const
  })
  const figuresOf = (records: Int32Array) =>
    new Map(measuresByText.map(([text, measureRecords]) => [text, measureRecords(records)]))
  const tests = conditions.map(({ born, on, test }) => testAges(columnOf(born), columnOf(on), test))
  const all = Int32Array.from({ length: count }, (_, record) => record).filter((record) =>
    tests.every((passes) => passes(record)),
  )
  const { groups, withoutGroup, overlaps } = groupRecords(
    by[0]?.option ?? '$by',
    by.map(({ field, bucket, on }) => {
      const column = columnOf(field)
      if (on) return mapToAges(column, columnOf(on), all, { count, bands: ages.bands })
      return bucket ? mapToBuckets(column, bucket, ages) : column
    }),
    all,
    groupsMissing,
  )
  const recordsOf = new Map(
    groups.map(({ values, records }): [SummaryGroup, readonly number[]] => [
      { by: values, figures: figuresOf(Int32Array.from(records)) },
      records,
    ]),
  )
  return {
    groups: [...recordsOf.keys()],
    combine(combined) {
      const [first, ...others] = combined
      if (first && others.length === 0) return first.figures
      const records = new Set(combined.flatMap((group) => recordsOf.get(group) ?? []))
      return figuresOf(Int32Array.from(records))
    },
    total: figuresOf(all),
    withoutGroup: figuresOf(Int32Array.from(withoutGroup)),
    empty: figuresOf(new Int32Array()),
    withoutPerson: refersToPeople
      ? all.filter((record) => peopleColumn.codesOf(record).length === 0).length
      : undefined,
    overlaps,
  }
}

const mapToBuckets = (column: ValueColumn, bucket: BucketName, ages: Ages): ValueColumn =>
  column.map((value) => {
    const found = findBucket(bucket, String(value), ages)
    return found === undefined ? [] : [found]
  })

/** The bands of the ages of people on the day of each record. */
function mapToAges(
  born: ValueColumn,
  on: ValueColumn,
  records: Int32Array,
  { count, bands }: { count: number; bands: Ages['bands'] },
): ValueColumn {
  const column = new ValueColumn(count)
  for (const record of records)
    for (const [day, birthDay] of listPairs(on, born, record)) {
      const band = findBucket('age', birthDay, { today: londonDayOf(day), bands })
      if (band !== undefined) column.add(record, column.encode(band))
    }
  return column
}

/** Whether a person of a record has an age that passes a test. */
const testAges =
  (born: ValueColumn, on: ValueColumn, test: (years: number) => boolean) =>
  (record: number): boolean =>
    listPairs(on, born, record).some(([day, birthDay]) => {
      const age = ageOnDay(day, birthDay)
      return age !== undefined && test(age)
    })

/** The values of two fields of a record, each with each. */
const listPairs = (one: ValueColumn, other: ValueColumn, record: number): [string, string][] =>
  one
    .codesOf(record)
    .flatMap((code) =>
      other
        .codesOf(record)
        .map((otherCode): [string, string] => [
          String(one.values[code]),
          String(other.values[otherCode]),
        ]),
    )

/** A column with a different value for each record: in a collection of people, each record is one person. */
function numberEach(count: number): ValueColumn<Scalar> {
  const column = new ValueColumn<Scalar>(count)
  for (let record = 0; record < count; record++) column.add(record, column.encode(record))
  return column
}

/** With `groupsMissing`, the records without a value share a group. Its code is that of no value. */
const missing: readonly number[] = [-1]

/** Groups records by their values in some columns. A record with a list in the field is in several groups. */
function groupRecords(
  option: string,
  columns: readonly ValueColumn[],
  all: Int32Array,
  groupsMissing: boolean,
) {
  const groups = new Map<string, { values: (Scalar | null)[]; records: number[] }>()
  const withoutGroup: number[] = []
  const codesOf = (column: ValueColumn, record: number) => {
    const codes = column.codesOf(record)
    return codes.length === 0 && groupsMissing ? missing : codes
  }
  let overlaps = false
  for (const record of columns.length > 0 ? all : []) {
    const combinations = columns.reduce<readonly (readonly number[])[]>(
      (keys, column) =>
        keys.flatMap((key) => codesOf(column, record).map((code) => [...key, code])),
      [[]],
    )
    if (combinations.length === 0) withoutGroup.push(record)
    if (combinations.length > 1) overlaps = true
    for (const codes of combinations) {
      const key = codes.join()
      const group = groups.get(key)
      if (group) group.records.push(record)
      else {
        const values = codes.map((code, index) => columns[index]?.values[code] ?? null)
        groups.set(key, { values, records: [record] })
      }
    }
    if (groups.size > maxGroups)
      throw invalidField(
        option,
        'too_large',
        `must make at most ${formatNumber(maxGroups)} groups. Use a longer period, such as a month instead of a day, or add a condition.`,
      )
  }
  return { groups: [...groups.values()], withoutGroup, overlaps }
}
