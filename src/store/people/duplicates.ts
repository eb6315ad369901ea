import { type SQL, sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { recordCount } from '../bitmap/bits.ts'
import { type Column, text } from '../columns.ts'
import { ofCollection, ofOrganisation, recordExists } from '../fragments.ts'
import type { Store } from '../store.ts'

/** The ids of two people. */
export type PersonPair = readonly [string, string]

const maxDismissed = 20_000
/** The time between two comparisons of all people, for each person: each costs a row. */
const secondsForEach = 0.02

/** The pairs of a kind that were marked as different people. */
export async function readDismissedPairs(store: Store, kind: Kind): Promise<PersonPair[]> {
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`id`), otherId: text(sql`other_id`) },
      from: sql`FROM dismissed_duplicates WHERE ${ofCollection(store, kind, 'dismissed_duplicates')}
        LIMIT ${maxDismissed}`,
    },
  })
  return rows.map(({ id, otherId }) => [id, otherId])
}

/** Marks two people as different, if both exist. */
export async function dismissPair(store: Store, kind: Kind, ids: PersonPair): Promise<void> {
  const [id = '', otherId = ''] = ids.toSorted()
  await write(
    store,
    kind,
    sql`INSERT INTO dismissed_duplicates (organisation_id, collection, id, other_id, created)
      SELECT ${store.organisationId}, ${kind}, ${id}, ${otherId}, ${new Date().toISOString()}
      WHERE ${id} <> ${otherId} AND ${recordExists(store, kind, id)} AND ${recordExists(store, kind, otherId)}
      ON CONFLICT DO NOTHING`,
  )
}

/*
 * The number of pairs is a cache of the last comparison, which costs a row for each person. It is derived from
 * the people alone, and saving it changes no version. So the requests that show it fill it, a GET too: the
 * service compares no people for a list that nobody opens.
 */

/** The number of pairs at the last comparison, and whether it is recent: nothing changed since, or it is only minutes ago. */
export type CachedPairCount = { pairs: number; isRecent: boolean }

/** The cached number of pairs of a kind as a column of another read; 0 before the first comparison. */
export const cachedPairCountColumn = (
  { organisationId }: Store,
  kind: Kind,
): Column<CachedPairCount> => ({
  decode: (value) => {
    const [pairs, isRecent] = JSON.parse(String(value ?? '[0,0]'))
    return { pairs: Number(pairs), isRecent: isRecent === 1 }
  },
  expression: sql`(
  SELECT json_array(pairs, duplicate_checks.version = organisations.version
    OR checked > strftime('%Y-%m-%dT%H:%M:%fZ', 'now',
      -(${secondsForEach} * ${recordCount({ organisationId, collection: kind })}) || ' seconds'))
  FROM duplicate_checks CROSS JOIN organisations ON organisations.id = organisation_id
  WHERE ${ofOrganisation({ organisationId })} AND collection = ${kind})`,
})

/** Caches the number of pairs of a comparison that has just ended. */
export const cachePairCount = (store: Store, kind: Kind, pairs: number): Promise<void> =>
  write(
    store,
    kind,
    sql`INSERT INTO duplicate_checks (organisation_id, collection, pairs, version, checked)
      SELECT id, ${kind}, ${pairs}, version, ${new Date().toISOString()}
      FROM organisations
      WHERE id = ${store.organisationId}
      ON CONFLICT DO UPDATE SET pairs = excluded.pairs, version = excluded.version,
        checked = excluded.checked`,
  )

async function write(store: Store, kind: Kind, statement: SQL): Promise<void> {
  await store.write({ permissions: ['write'], collection: kind, isInternal: true }, [statement])
}
