import type { AccessPolicy } from '../../access/access-policy.ts'
import type { HiddenProperties } from '../../access/hidden-properties.ts'
import type { Filter } from '../../model/filter.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import type { ReferencePath } from '../../model/query/resolve.ts'
import { splitAges } from '../../model/summary/ages.ts'
import type { Ages } from '../../model/summary/buckets.ts'
import type { NamedGroup, NamedMeasure } from '../../model/summary/parse-summary.ts'
import type { TimeRange } from '../bitmap/time-ranges.ts'
import { type Conditions, decideAll, findMatches } from '../query/find-matches.ts'
import type { OrdinalSet } from '../query/ordinal-set.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, type RowBudget } from '../query/query-reader.ts'
import type { ListTypes } from '../read/list-selection.ts'
import { withFields } from '../read/with-fields.ts'
import type { Found, Known, Unchanged } from '../state.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import { ValueColumn } from './column.ts'
import { type ColumnOf, measureGroups, none, type SummaryFigures } from './measure-groups.ts'
import { type QuestionColumn, readAnswers } from './read-answers.ts'
import { readColumns, selectColumnCosts } from './read-columns.ts'
import { type RecordColumns, readFromCounts } from './read-from-counts.ts'
import { readReferencedFields } from './read-referenced.ts'
import { planSummary, type SummaryField, type SummaryPlan } from './summary-plan.ts'
import { planTally, type Tally } from './tally.ts'

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

export type Summary = SummaryFigures & {
  /** The further summaries of the query. */
  others: SummaryFigures[]
  /** The values of the field of a measure of the query, by record. */
  columnOf(measure: NamedMeasure): ValueColumn
  /** The names of the fields that the caller may see. */
  fieldNames: ReadonlySet<string>
}

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
      const { filter, ages } = splitAges(query.filter)
      const found = await withFields<Resolved, Found<Summary & { head: Row }>, U>(
        store,
        guard,
        types,
        {
          ...selection,
          filter,
          names: [
            ...[query, ...others].flatMap(({ by, measures }) => [
              ...by.flatMap(({ name, ageOn = [] }) => [name].concat(ageOn)),
              ...measures.flatMap(({ name = [] }) => name),
            ]),
            ...ages.flatMap(({ born, on }) => [born, on]),
          ],
          budget,
        },
        ({ fields, predicate }) => ({
          predicate:
            condition && predicate ? { and: [predicate, condition] } : (condition ?? predicate),
          plan: planSummary(collection, { ...query, ages }, fields),
          others: others.map((other) =>
            planSummary(collection, { ...query, ...other, ages }, fields),
          ),
          fieldNames: new Set(
            [...fields]
              .filter(([, { question, derived }]) => question === undefined && !derived)
              .map(([name]) => name),
          ),
        }),
        async ({ predicate, plan, others, fieldNames }, head, latestKnown) => {
          const plans = [plan, ...others]
          const fields = listOwnFields(plans)
          const { indexed, answers, derived } = fields
          const reader = new QueryReader(store, guard, {
            head: {
              ...head,
              // By these, `readColumns` chooses how to read each field.
              ...selectColumnCosts({ organisationId: store.organisationId, collection }, indexed),
            },
            known: latestKnown,
            budget,
          })
          const within = predicate ? [predicate] : []
          const found =
            derived.length > 0 ? await types.derived?.find(store, { within, budget }) : undefined
          const conditions = {
            plan: predicate && buildPlan(predicate),
            created: query.created,
            changed: query.changed,
          }
          const type = types.record?.()
          const hidden = type && policy.hiddenProperties(collection, type)
          const records = await readRecords(reader, conditions, {
            ...fields,
            hidden,
            condition: found?.predicate,
            tally: planTally(plans, query.ages),
          })
          if (reader.unchanged) return reader.unchanged
          const own = new Map(
            [...indexed, ...answers, ...derived].map((field, index) => [
              keyOf(field),
              records.columns[index] ?? none,
            ]),
          )
          const columnOf = await readReferenced(store, policy, plans, own, budget)
          const measurePlan = (it: SummaryPlan) => measureGroups(it, columnOf, records, query)
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
  { indexed, answers, hidden, condition, tally }: ReadFields,
): Promise<RecordColumns> {
  const { plan, created, changed } = conditions
  const areAll = !plan && !created && !changed && answers.length === 0 && !condition
  const counted = areAll ? await readFromCounts(reader, indexed, tally) : undefined
  if (counted) return counted
  const matched = await decideAll(await findMatches(reader, conditions, { blocks: 'all' }))
  const columns = [
    ...(await readColumns(reader, indexed, matched)),
    ...(await readAnswers(reader, answers, matched, hidden)),
    ...(condition ? [await readWhetherPassed(reader, condition, matched)] : []),
  ]
  return { count: matched.size, columns }
}

type ReadFields = OwnFields & {
  hidden: HiddenProperties | undefined
  /** The condition that decides the derived field, if a plan names it. */
  condition: Predicate | undefined
  tally: Tally | undefined
}

/** A column with whether each of the matched records passes a predicate. */
async function readWhetherPassed(
  reader: QueryReader,
  predicate: Predicate,
  matched: OrdinalSet,
): Promise<ValueColumn> {
  const conditions = { plan: buildPlan(predicate) }
  const passed = await decideAll(await findMatches(reader, conditions, { blocks: 'all' }))
  const column = new ValueColumn(matched.size)
  for (const [record, ordinal] of [...matched.ordinals()].entries())
    column.addValues(record, [passed.has(ordinal)])
  return column
}

type Resolved = {
  predicate: Predicate | undefined
  plan: SummaryPlan
  others: readonly SummaryPlan[]
  fieldNames: ReadonlySet<string>
}

/** The fields of some plans. */
const listFields = (plans: readonly SummaryPlan[]): SummaryField[] =>
  plans.flatMap(({ by, measures, ages, people, date }) => [
    ...[...by, ...measures].flatMap(({ field }) => field ?? []),
    ...[...by, ...ages].flatMap(({ on }) => on ?? []),
    ...ages.map(({ born }) => born),
    ...people,
    ...(date ? [date] : []),
  ])

/** The values of the field of a measure. */
function findColumn(plans: readonly SummaryPlan[], { text }: NamedMeasure, columnOf: ColumnOf) {
  const field = plans.flatMap(({ measures }) => measures).find((it) => it.text === text)?.field
  return field ? columnOf(field) : none
}

/** Fields of the summarised records: those of the index, answers, and derived ones. */
type OwnFields = {
  indexed: SummaryField[]
  answers: (SummaryField & QuestionColumn)[]
  derived: SummaryField[]
}

/** The fields of the summarised records that some plans read, each once. */
function listOwnFields(plans: readonly SummaryPlan[]): OwnFields {
  const fields = listFields(plans).map((field) =>
    field.reference ? referringField(field.reference) : field,
  )
  const own = [...new Map(fields.map((field) => [keyOf(field), field])).values()]
  return {
    indexed: own.filter(({ question, derived }) => question === undefined && !derived),
    derived: own.filter(({ derived }) => derived !== undefined),
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
