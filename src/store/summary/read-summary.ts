import type { AccessPolicy } from '../../access/access-policy.ts'
import type { HiddenProperties } from '../../access/hidden-properties.ts'
import { invalidField } from '../../model/api-error.ts'
import type { Filter } from '../../model/filter.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import type { ReferencePath } from '../../model/query/resolve.ts'
import { type Ages, type BucketName, findBucket } from '../../model/summary/buckets.ts'
import { mayBeNumber, measureRules } from '../../model/summary/measure-names.ts'
import type { NamedGroup, NamedMeasure } from '../../model/summary/parse-summary.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import { type Conditions, decideAll, findMatches } from '../query/find-matches.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, type RowBudget } from '../query/query-reader.ts'
import type { ListTypes } from '../read/list-selection.ts'
import { withFields } from '../read/with-fields.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import { joinColumns, ValueColumn } from './column.ts'
import { type Figure, measures } from './measures.ts'
import { type QuestionColumn, readAnswers } from './read-answers.ts'
import { readColumns, selectColumnCosts } from './read-columns.ts'
import { type RecordColumns, readFromCounts } from './read-from-counts.ts'
import { readReferencedFields } from './read-referenced.ts'
import { planSummary, type SummaryField, type SummaryPlan } from './summary-plan.ts'

/** The records to summarise, the names that group them, and what to measure of each group. */
export type SummaryQuery = {
  filters: readonly Filter[]
  filter?: FilterExpression | undefined
  /** A condition of the service itself, which may be on fields of the index that nobody can name. */
  condition?: Predicate | undefined
  created?: TimeRange | undefined
  changed?: TimeRange | undefined
  by: readonly NamedGroup[]
  measures: readonly NamedMeasure[]
  /** Further summaries of the same records, which are then read once. */
  others?: readonly Pick<SummaryQuery, 'by' | 'measures'>[] | undefined
  ages: Ages
  /** Whether the records without a value are groups too, with null. */
  groupsMissing?: boolean | undefined
  /** Whether to measure the people of each group, if the records refer to any, so that small groups can be hidden. */
  protectsPeople: boolean
  budget: RowBudget
}

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

export type Summary = SummaryFigures & {
  /** The further summaries of the query. */
  others: SummaryFigures[]
  /** The values of the field of a measure of the query, by record. */
  columnOf(measure: NamedMeasure): ValueColumn
  /** The names of the fields that the caller may see. */
  fieldNames: ReadonlySet<string>
}

/** The maximum number of groups that a summary measures. */
const maxGroups = 50_000

/**
 * Groups and measures the records of a collection. Throws 400 for a name that the policy does not show, and for a
 * summary that would read more than 200,000 rows.
 */
export const readSummary = <U extends Unchanged = never>(
  store: Store,
  collection: string,
  query: SummaryQuery,
  types: ListTypes,
  known?: Known<U>,
): Promise<Found<Summary> | U> =>
  store.withPolicy(
    async (policy, currentKnown) => {
      const guard = { permissions: ['read'], collection, policy } as const
      const { budget, condition, others = [], ...selection } = query
      const found = await withFields<Resolved, Found<Summary & { head: Row }>, U>(
        store,
        guard,
        types,
        {
          ...selection,
          names: [query, ...others]
            .flatMap(({ by, measures }) => [...by, ...measures])
            .flatMap(({ name = [] }) => name),
          budget,
        },
        ({ fields, predicate }) => ({
          predicate:
            condition && predicate ? { and: [predicate, condition] } : (condition ?? predicate),
          plan: planSummary(collection, query, fields),
          others: others.map((other) => planSummary(collection, { ...query, ...other }, fields)),
          fieldNames: new Set(
            [...fields].filter(([, { question }]) => question === undefined).map(([name]) => name),
          ),
        }),
        async ({ predicate, plan, others, fieldNames }, head, latestKnown) => {
          const plans = [plan, ...others]
          const fields = listOwnFields(plans)
          const { indexed, answers } = fields
          const reader = new QueryReader(store, guard, {
            head: {
              ...head,
              // By these, `readColumns` chooses how to read each field.
              ...selectColumnCosts({ organisationId: store.organisationId, collection }, indexed),
            },
            known: latestKnown,
            budget,
          })
          const conditions = {
            plan: predicate && buildPlan(predicate),
            created: query.created,
            changed: query.changed,
          }
          const type = types.record?.()
          const hidden = type && policy.hiddenProperties(collection, type)
          const { count, columns } = await readRecords(reader, conditions, { ...fields, hidden })
          if (reader.unchanged) return reader.unchanged
          const own = new Map(
            [...indexed, ...answers].map((field, index) => [keyOf(field), columns[index] ?? none]),
          )
          const columnOf = await readReferenced(store, policy, plans, own, budget)
          const measurePlan = (it: SummaryPlan) => measureGroups(it, columnOf, count, query)
          return {
            ...measurePlan(plan),
            others: others.map(measurePlan),
            columnOf: (measure) => findColumn(plans, measure, columnOf),
            fieldNames,
            head: reader.head,
            state: reader.state,
          }
        },
        currentKnown,
      )
      if (found.unchanged) return found
      const { head: _, ...summary } = found.result
      return { ...summary, state: found.state }
    },
    { known },
  )

/** Reads the number of the records that meet the conditions, and a column of each field. */
async function readRecords(
  reader: QueryReader,
  conditions: Conditions,
  { indexed, answers, hidden }: OwnFields & { hidden: HiddenProperties | undefined },
): Promise<RecordColumns> {
  const { plan, created, changed } = conditions
  const areAll = !plan && !created && !changed && answers.length === 0
  const counted = areAll ? await readFromCounts(reader, indexed) : undefined
  if (counted) return counted
  const matched = await decideAll(await findMatches(reader, conditions, { blocks: 'all' }))
  const columns = [
    ...(await readColumns(reader, indexed, matched)),
    ...(await readAnswers(reader, answers, matched, hidden)),
  ]
  return { count: matched.size, columns }
}

type Resolved = {
  predicate: Predicate | undefined
  plan: SummaryPlan
  others: readonly SummaryPlan[]
  fieldNames: ReadonlySet<string>
}

/** The values of a field by record. */
type ColumnOf = (field: SummaryField) => ValueColumn

const none = new ValueColumn(0)

/** The fields of some plans. */
const listFields = (plans: readonly SummaryPlan[]): SummaryField[] =>
  plans.flatMap(({ by, measures, people, date }) => [
    ...[...by, ...measures].flatMap(({ field }) => field ?? []),
    ...people,
    ...(date ? [date] : []),
  ])

/** The values of the field of a measure. */
function findColumn(plans: readonly SummaryPlan[], { text }: NamedMeasure, columnOf: ColumnOf) {
  const field = plans.flatMap(({ measures }) => measures).find((it) => it.text === text)?.field
  return field ? columnOf(field) : none
}

/** Fields of the summarised records: those of the index, and answers. */
type OwnFields = { indexed: SummaryField[]; answers: (SummaryField & QuestionColumn)[] }

/** The fields of the summarised records that some plans read, each once. */
function listOwnFields(plans: readonly SummaryPlan[]): OwnFields {
  const fields = listFields(plans).map((field) =>
    field.reference ? referringField(field.reference) : field,
  )
  const own = [...new Map(fields.map((field) => [keyOf(field), field])).values()]
  return {
    indexed: own.filter(({ question }) => question === undefined),
    answers: own.flatMap(({ question, isPresence = false, ...field }) =>
      question === undefined ? [] : { ...field, question, isPresence },
    ),
  }
}

/** The field of the summarised records with a reference. */
const referringField = ({ path }: ReferencePath): SummaryField => ({
  path,
  isList: false,
  type: 'text',
})

/** The key of a field of the summarised or of the referenced records. */
const keyOf = ({ reference, path, question, isPresence = false }: SummaryField): string =>
  JSON.stringify([reference?.path, path, question, isPresence])

/** Reads the fields of the records that the summarised ones refer to. Returns the values of every field of the plan. */
async function readReferenced(
  store: Store,
  policy: AccessPolicy,
  plans: readonly SummaryPlan[],
  own: ReadonlyMap<string, ValueColumn>,
  budget: RowBudget,
): Promise<ColumnOf> {
  const columns = new Map(own)
  const columnOf = (field: SummaryField) => columns.get(keyOf(field)) ?? none
  const followed = Map.groupBy(
    listFields(plans).filter(({ reference }) => reference),
    ({ reference }) => reference?.path.join('.') ?? '',
  )
  for (const fields of followed.values()) {
    const reference = fields[0]?.reference
    if (!reference) continue
    const guard = { permissions: ['read'], collection: reference.to, policy } as const
    const ids = columnOf(referringField(reference))
    const valuesOf = await readReferencedFields(
      store,
      guard,
      ids.values.map(String),
      fields,
      budget,
    )
    for (const [index, field] of fields.entries())
      columns.set(
        keyOf(field),
        ids.map((id) => valuesOf(id, index)),
      )
  }
  return columnOf
}

/** Groups `count` records by the columns of a plan, and measures each group and all of them. */
function measureGroups(
  { by, measures: named, people, date }: SummaryPlan,
  columnOf: ColumnOf,
  count: number,
  { ages, groupsMissing = false }: Pick<SummaryQuery, 'ages' | 'groupsMissing'>,
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
      // The number of `peopleWithAtLeast`.
      least,
      compared: field && mayBeNumber(field) ? ('number' as const) : ('string' as const),
      isPerson,
    }
    return [text, measures[measure](measured)] as const
  })
  const figuresOf = (records: Int32Array) =>
    new Map(measuresByText.map(([text, measureRecords]) => [text, measureRecords(records)]))
  const all = Int32Array.from({ length: count }, (_, record) => record)
  const { groups, withoutGroup, overlaps } = groupRecords(
    by.map(({ field, bucket }) => {
      const column = columnOf(field)
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

/** A column with a different value for each record: in a collection of people, each record is one person. */
function numberEach(count: number): ValueColumn<Scalar> {
  const column = new ValueColumn<Scalar>(count)
  for (let record = 0; record < count; record++) column.add(record, column.encode(record))
  return column
}

/** With `groupsMissing`, the records without a value share a group. Its code is that of no value. */
const missing: readonly number[] = [-1]

/** Groups records by their values in some columns. A record with a list in the field is in several groups. */
function groupRecords(columns: readonly ValueColumn[], all: Int32Array, groupsMissing: boolean) {
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
        '$by',
        'too_large',
        `must make at most ${formatNumber(maxGroups)} groups. Use a longer period, such as month() instead of day(), or add a condition to $filter.`,
      )
  }
  return { groups: [...groups.values()], withoutGroup, overlaps }
}
