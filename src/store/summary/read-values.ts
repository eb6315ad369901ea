import { sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { resolveField } from '../../model/query/resolve.ts'
import { createdBetween } from '../bitmap/time-ranges.ts'
import { integer } from '../columns.ts'
import { type Origin, readOrigins } from '../people/read-origins.ts'
import { decideAll, findMatches } from '../query/find-matches.ts'
import type { OrdinalSet } from '../query/ordinal-set.ts'
import { buildPlan } from '../query/plan.ts'
import { QueryReader, type RowBudget } from '../query/query-reader.ts'
import { withFields } from '../read/with-fields.ts'
import type { Scope } from '../statement.ts'
import type { Store } from '../store.ts'
import type { ValueColumn } from './column.ts'
import { numberRecords } from './numbered-records.ts'
import { readColumns, selectColumnCosts } from './read-columns.ts'
import { summaryLimits } from './row-limit.ts'

/** The values of some fields of people, by the number of the person in order of arrival. */
export type FieldColumns = {
  /** The values by the name of the field. */
  columns: ReadonlyMap<string, ValueColumn>
  total: number
  /** The number of people created before each of the `times`, who come first. */
  earlier: readonly number[]
  /** Who added the people since `originsFrom`; undefined if there are too many to read. */
  origins: readonly OriginPeople[] | undefined
}

/** An origin, with the numbers of its people. */
type OriginPeople = Omit<Origin, 'ordinals'> & { people: readonly number[] }

type ValuesQuery = {
  /** The names of at most 12 fields: each takes five of the 100 parameters of a statement. */
  names: readonly string[]
  /** Timestamps. */
  times: readonly string[]
  originsFrom: string
  budget: RowBudget
}

/** Reads fields of all people of a kind. Throws 400 if that takes more rows than a summary may read. */
export const readAllValues = (
  store: Store,
  collection: Kind,
  { names, times, originsFrom, budget }: ValuesQuery,
): Promise<FieldColumns> =>
  store.withPolicy(async (policy) => {
    const guard = { permissions: ['read'], collection, policy } as const
    const scope = { organisationId: store.organisationId, collection }
    const { result } = await withFields(
      store,
      guard,
      {},
      { filters: [], names, budget },
      ({ fields, predicate }) => ({
        plan: predicate && buildPlan(predicate),
        fields: names.map((name) => resolveField('names', name, fields)),
      }),
      async ({ plan, fields }, head) => {
        const reader = new QueryReader(store, guard, {
          head: { ...head, ...selectColumnCosts(scope, fields) },
          budget,
        })
        const matched = await decideAll(await findMatches(reader, { plan }, { blocks: 'all' }))
        const columns = await readColumns(reader, fields, matched)
        const [lastOfOthers = 0, ...lasts] = await readLastBefore(reader, scope, [
          originsFrom,
          ...times,
        ])
        return {
          columns: new Map(columns.map((column, index) => [names[index] ?? '', column])),
          total: matched.size,
          earlier: lasts.map((last) => matched.between(-1, last).size),
          origins: await readVisibleOrigins(reader, matched, lastOfOthers),
          head: reader.head,
          state: reader.state,
        }
      },
    )
    const { head: _, state: _state, ...values } = result
    return values
  })

/** Reads who added the matched people above an ordinal; undefined if there are too many. */
async function readVisibleOrigins(
  reader: QueryReader,
  matched: OrdinalSet,
  after: number,
): Promise<OriginPeople[] | undefined> {
  const { ordinals, recordOf } = numberRecords(matched)
  const added = (ordinals.at(-1) ?? 0) - after
  if (reader.rowsRead + 2 * added > summaryLimits.rows) return undefined
  const origins = await readOrigins(reader, after)
  return origins.map(({ ordinals: found, ...origin }) => ({
    ...origin,
    people: found.flatMap((ordinal) => recordOf(ordinal) ?? []),
  }))
}

/** Reads the greatest ordinal of a record before each time. A statement of its own, because of its many parameters. */
async function readLastBefore(
  reader: QueryReader,
  scope: Scope & { collection: string },
  times: readonly string[],
): Promise<number[]> {
  const columns = Object.fromEntries(
    times.map((from, index) => [
      `last_${index}`,
      integer(
        sql`(WITH RECURSIVE ${createdBetween(scope, { from })} SELECT after FROM created_between)`,
      ),
    ]),
  )
  const [lasts = {}] = await reader.select({ columns, from: sql`` })
  return times.map((_, index) => lasts[`last_${index}`] ?? 0)
}
