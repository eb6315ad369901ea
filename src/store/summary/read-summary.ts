import type { AccessPolicy } from '../../access/access-policy.ts'
import { invalidField } from '../../model/api-error.ts'
import type { Filter } from '../../model/filter.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import type { FieldPath, Predicate, Scalar } from '../../model/query/predicate.ts'
import type { QueryField } from '../../model/query/resolve.ts'
import { type Ages, type BucketName, findBucket } from '../../model/summary/buckets.ts'
import { measureRules } from '../../model/summary/measure-names.ts'
import type { NamedGroup, NamedMeasure } from '../../model/summary/parse-summary.ts'
import { isNumber } from '../../model/value-types.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import { type Conditions, decideAll, findMatches } from '../query/find-matches.ts'
import { buildPlan, indexField } from '../query/plan.ts'
import { QueryReader, type RowBudget } from '../query/query-reader.ts'
import type { ListTypes } from '../read/list-selection.ts'
import { withFields } from '../read/with-fields.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import { joinColumns, ValueColumn } from './column.ts'
import { type Figure, measures } from './measures.ts'
import { readColumns, selectIndexCosts } from './read-columns.ts'
import { type RecordColumns, readFromCounts } from './read-from-counts.ts'
import { readReferencedFields } from './read-referenced.ts'
import { planSummary, type SummaryPlan } from './summary-plan.ts'

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

/** A group of records: its values, in the order of `by` and null for none, and its figures. */
export type SummaryGroup = { by: readonly (Scalar | null)[]; figures: Figures }

export type Summary = {
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
      const { budget, condition, ...names } = query
      const found = await withFields<Resolved, Found<Summary & { head: Row }>, U>(
        store,
        guard,
        types,
        {
          ...names,
          names: [...query.by, ...query.measures].flatMap(({ name = [] }) => name),
          budget,
        },
        ({ fields, predicate }) => ({
          predicate:
            condition && predicate ? { and: [predicate, condition] } : (condition ?? predicate),
          plan: planSummary(collection, query, fields),
          fieldNames: new Set(fields.keys()),
        }),
        async ({ predicate, plan, fieldNames }, head, latestKnown) => {
          const fields = listOwnFields(plan)
          const reader = new QueryReader(store, guard, {
            head: {
              ...head,
              ...selectIndexCosts({ organisationId: store.organisationId, collection }, fields),
            },
            known: latestKnown,
            budget,
          })
          const conditions = {
            plan: predicate && buildPlan(predicate),
            created: query.created,
            changed: query.changed,
          }
          const { count, columns } = await readRecords(reader, conditions, fields)
          if (reader.unchanged) return reader.unchanged
          const own = new Map(
            fields.map((field, index) => [indexField(field), columns[index] ?? none]),
          )
          const columnOf = await readReferenced(store, policy, plan, own, budget)
          const summary = measureGroups(plan, columnOf, count, query)
          return { ...summary, fieldNames, head: reader.head, state: reader.state }
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
  fields: readonly FieldPath[],
): Promise<RecordColumns> {
  const { plan, created, changed } = conditions
  const areAll = !plan && !created && !changed
  const counted = areAll ? await readFromCounts(reader, fields) : undefined
  if (counted) return counted
  const matched = await decideAll(await findMatches(reader, conditions, { blocks: 'all' }))
  return { count: matched.size, columns: await readColumns(reader, fields, matched) }
}

type Resolved = {
  predicate: Predicate | undefined
  plan: SummaryPlan
  fieldNames: ReadonlySet<string>
}

/** The values of a field by record. */
type ColumnOf = (field: QueryField) => ValueColumn

const none = new ValueColumn(0)

/** The fields of the plan. */
const listFields = ({ by, measures }: SummaryPlan): QueryField[] =>
  [...by, ...measures].flatMap(({ field }) => field ?? [])

/** The fields of the summarised records that the plan reads, each once. */
function listOwnFields(plan: SummaryPlan): FieldPath[] {
  const fields = listFields(plan).map(
    ({ reference, path, isList }): FieldPath =>
      reference ? { path: reference.path, isList: false } : { path, isList },
  )
  const all = [...fields, ...plan.people]
  return [...new Map(all.map((field) => [indexField(field), field])).values()]
}

/** Reads the fields of the records that the summarised ones refer to. Returns the values of every field of the plan. */
async function readReferenced(
  store: Store,
  policy: AccessPolicy,
  plan: SummaryPlan,
  own: ReadonlyMap<string, ValueColumn>,
  budget: RowBudget,
): Promise<ColumnOf> {
  const ownColumn = (path: readonly string[]) => own.get(path.join('.')) ?? none
  const columns = new Map<string, ValueColumn>()
  const keyOf = ({ reference, path }: QueryField) => JSON.stringify([reference?.path, path])
  const followed = Map.groupBy(
    listFields(plan).filter(({ reference }) => reference),
    ({ reference }) => reference?.path.join('.') ?? '',
  )
  for (const fields of followed.values()) {
    const reference = fields[0]?.reference
    if (!reference) continue
    const guard = { permissions: ['read'], collection: reference.to, policy } as const
    const ids = ownColumn(reference.path)
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
  return (field) => (field.reference ? columns.get(keyOf(field)) : ownColumn(field.path)) ?? none
}

function measureGroups(
  { by, measures: named, people }: SummaryPlan,
  columnOf: ColumnOf,
  count: number,
  { ages, groupsMissing = false }: Pick<SummaryQuery, 'ages' | 'groupsMissing'>,
): Omit<Summary, 'fieldNames'> {
  const refersToPeople = people.length > 0
  const isOfPeople = named.some(({ measure }) => measureRules[measure].countsPeople)
  const ofRecords = isOfPeople ? numberEach(count) : none
  const peopleColumn = refersToPeople ? joinColumns(people.map(columnOf), count) : ofRecords
  const measure = named.map(({ text, measure, field, least, isPerson }) => {
    const measured = {
      field: field ? columnOf(field) : none,
      people: peopleColumn,
      least,
      compared: field && isNumber(field) ? ('number' as const) : ('string' as const),
      isPerson,
    }
    return [text, measures[measure](measured)] as const
  })
  const figuresOf = (records: Int32Array) =>
    new Map(measure.map(([text, measureRecords]) => [text, measureRecords(records)]))
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

/** A column in which each record has another value, as each of people is one person. */
function numberEach(count: number): ValueColumn<Scalar> {
  const column = new ValueColumn<Scalar>(count)
  for (let record = 0; record < count; record++) column.add(record, column.encode(record))
  return column
}

/** The codes of a record without a value where these are groups. */
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
