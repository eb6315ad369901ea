import { type SQL, sql } from 'drizzle-orm/sql'
import type { Permission } from '../../access/permissions.ts'
import { indexedText } from '../bitmap/bits.ts'
import { text } from '../columns.ts'
import { ofCollection, ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/*
 * A series is an event that other events, its dates, name as their `parentEventId`. People book a
 * date, not the series. A date cannot be a series itself.
 */

/** SQL that tests whether an event is a series with dates. `eventId` is SQL. */
export const isSeries = (organisationId: string, eventId: SQL): SQL => sql`EXISTS (
  SELECT 1 FROM terms CROSS JOIN records AS series ON series.collection = 'events'
    AND series.id = ${eventId} AND ${ofOrganisation({ organisationId }, 'series')}
  WHERE ${ofCollection({ organisationId }, 'events', 'terms')}
    AND terms.field = 'parentEventId' AND terms.value = ${indexedText(eventId)}
    AND ifnull(series.document ->> '$.parentEventId', '') = '')`

/** The events that are series with dates, of those with the given ids. */
export async function findSeries(
  store: Store,
  eventIds: readonly string[],
  permissions: readonly Permission[] = ['read'],
): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0) return new Set()
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`event.value`) },
      from: sql`FROM json_each(${JSON.stringify(eventIds)}) AS event
        WHERE ${isSeries(store.organisationId, sql`event.value`)}`,
    },
    permissions,
  })
  return new Set(rows.map(({ id }) => id))
}

/** The ids of all series with dates. */
export async function readSeries(store: Store): Promise<ReadonlySet<string>> {
  const { organisationId } = store
  const { rows } = await store.select({
    rows: {
      columns: { id: text(sql`parent.value`) },
      from: sql`FROM terms AS parent
      WHERE ${ofCollection({ organisationId }, 'events', 'parent')}
        AND parent.field = 'parentEventId' AND ${isSeries(organisationId, sql`parent.value`)}`,
    },
  })
  return new Set(rows.map(({ id }) => id))
}
