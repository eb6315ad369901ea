import type { FilterExpression } from '../model/query/filter-expression.ts'
import { isScalar, passes, type Scalar } from '../model/query/predicate.ts'
import { type QueryField, resolveFilter } from '../model/query/resolve.ts'
import { tenYears } from '../model/summary/buckets.ts'
import { bucketGroup, type NamedGroup, plainGroup } from '../model/summary/parse-summary.ts'
import { loadCollection } from '../resources/resources.ts'
import { summarise } from '../resources/summary/summarise.ts'
import { readReferenced } from '../store/read/read-referenced.ts'
import type { Store } from '../store/store.ts'
import { ValueColumn } from '../store/summary/column.ts'
import { measureGroups, none } from '../store/summary/measure-groups.ts'
import type { EntitySet } from './entity-sets.ts'
import {
  type Apply,
  type ApplyName,
  type Grouped,
  listNames,
  parseApply,
  type Step,
} from './parse-apply.ts'

/*
 * `$apply`: the service counts through the same summaries as `$summary`. Further transformations group and measure the
 * results in the same way.
 */

/** A result by the names of its properties. */
type Result = Readonly<Record<string, Scalar | null>>

type Results = { names: readonly ApplyName[]; rows: readonly Result[] }

/** The maximum number of results. */
const maxGroups = 50_000

/** Reads the results of `$apply`, as entities without an id. Returns them with their names as the context lists them. */
export async function readApplied(store: Store, set: EntitySet, text: string) {
  const apply = parseApply(text, set)
  let results = await groupRecords(store, set.collection, apply)
  for (const step of apply.steps) results = await transform(store, results, step)
  return {
    names: nestNames(results.names.map(({ name }) => name)),
    value: results.rows.map((row) => ({ '@odata.id': null, ...nest(row) })),
  }
}

/** Groups and measures the records that pass the filters. */
async function groupRecords(
  store: Store,
  collection: string,
  { filters, records }: Pick<Apply, 'filters' | 'records'>,
): Promise<Results> {
  const { by, aggregates } = records
  const { list } = await loadCollection(collection)
  const { answer } = await summarise(store, list, {
    filters: [],
    filter: filters.length > 0 ? { and: filters } : undefined,
    words: [],
    by: by.map(toNamedGroup),
    measures: aggregates.map(({ measure }) => measure),
    groupsMissing: true,
    having: undefined,
    order: [],
    limit: maxGroups,
    bands: tenYears,
    isCompared: false,
    hideBelow: undefined,
  })
  const groups = by.length > 0 ? answer.groups : [{ ...answer.total, by: [] }]
  return {
    names: listNames(records),
    rows: groups.map((group) => ({
      ...nameGroups(by, group.by),
      ...Object.fromEntries(
        aggregates.map(({ alias, measure }) => [alias, toScalar(group[measure.text])]),
      ),
    })),
  }
}

const toNamedGroup = ({ field, bucket, ageOn }: ApplyName): NamedGroup =>
  bucket ? bucketGroup(bucket, field, { ageOn, option: '$apply' }) : plainGroup(field, '$apply')

const nameGroups = (by: readonly ApplyName[], values: readonly (Scalar | null)[]): Result =>
  Object.fromEntries(by.map(({ name }, index) => [name, values[index] ?? null]))

const toScalar = (value: unknown): Scalar | null => (isScalar(value) ? value : null)

/** Filters results, or groups and measures them. */
function transform(store: Store, results: Results, step: Step): Promise<Results> | Results {
  return 'filter' in step ? filterResults(store, results, step.filter) : groupResults(results, step)
}

async function filterResults(
  store: Store,
  { names, rows }: Results,
  filter: FilterExpression,
): Promise<Results> {
  const fields = new Map(names.map((name) => [name.field, toField(name)]))
  // Results refer to no records, so this reads nothing.
  const { predicate } = await readReferenced(store, store.policy, resolveFilter(filter, fields))
  return { names, rows: rows.filter((row) => passes(predicate, row)) }
}

const toField = ({ field, type }: Pick<ApplyName, 'field' | 'type'>): QueryField => ({
  path: [field],
  isList: false,
  type,
})

function groupResults({ names, rows }: Results, grouped: Grouped): Results {
  const { by, aggregates } = grouped
  const columns = new Map(
    names.map(({ name }) => {
      const column = new ValueColumn(rows.length)
      for (const [index, row] of rows.entries())
        column.addValues(index, [row[name]].filter(isScalar))
      return [name, column]
    }),
  )
  const fields = new Map(names.map((name) => [name.field, toField(name)]))
  const figures = measureGroups(
    {
      by: by.map((name) => ({ ...plainGroup(name.field, '$apply'), field: toField(name) })),
      measures: aggregates.map(({ measure }) => ({
        ...measure,
        field: measure.name === undefined ? undefined : fields.get(measure.name),
        isPerson: false,
      })),
      ages: [],
      people: [],
      date: undefined,
    },
    ({ path: [name = ''] }) => columns.get(name) ?? none,
    { count: rows.length },
    { ages: { today: '', bands: [] }, groupsMissing: true },
  )
  const groups = by.length > 0 ? figures.groups : [{ by: [], figures: figures.total }]
  return {
    names: listNames(grouped),
    rows: groups.map((group) => ({
      ...nameGroups(by, group.by),
      ...Object.fromEntries(
        aggregates.map(({ alias, measure }) => [
          alias,
          group.figures.get(measure.text)?.value ?? null,
        ]),
      ),
    })),
  }
}

/** A result with its paths as objects: `member/Ward` is the `Ward` of `member`. */
function nest(row: Result): Record<string, unknown> {
  const groups = Map.groupBy(Object.entries(row), ([name]) => name.split('/', 1).join())
  return Object.fromEntries(
    [...groups].map(([first, entries]) => {
      const [[name, value] = [first, null]] = entries
      if (name === first) return [first, value]
      return [
        first,
        Object.fromEntries(entries.map(([path, it]) => [path.slice(first.length + 1), it])),
      ]
    }),
  )
}

/** Names as the context of a response lists them, such as `member(Ward,Gender)`. */
function nestNames(names: readonly string[]): string[] {
  const groups = Map.groupBy(names, (name) => name.split('/', 1).join())
  return [...groups].map(([first, paths]) =>
    paths.includes(first)
      ? first
      : `${first}(${paths.map((path) => path.slice(first.length + 1)).join()})`,
  )
}
