import { sql } from 'drizzle-orm/sql'
import { flag, integer, optional, text } from '../columns.ts'
import { ofOrganisation, ofRecord } from '../fragments.ts'
import type { Store } from '../store.ts'
import { isSeries } from './series.ts'

/**
 * Reads the events of which the public may see something else since a version, in order of the version of that change, and
 * deleted ones without a document (migrations/records/0039_event_versions.sql). Reads about three rows for each.
 * The events of one change, a date and its series, are never separated, so there may be fewer than the maximum.
 */
export async function readEventVersions(store: Store, after: number, max: number) {
  const { organisationId } = store
  const id = sql`event_versions.event_id`
  const { rows } = await store.select({
    rows: {
      columns: {
        id: text(id),
        version: integer(sql`event_versions.version`),
        hadDates: flag(sql`had_dates`),
        isSeries: flag(sql`iif(had_dates, ${isSeries(organisationId, id)}, 0)`),
        document: optional(text(sql`records.document`)),
      },
      from: sql`FROM event_versions LEFT JOIN records
          ON ${ofRecord(store, { collection: 'events', id }, 'records')}
        WHERE ${ofOrganisation(store, 'event_versions')} AND event_versions.version > ${after}
        ORDER BY event_versions.version, event_versions.event_id
        LIMIT ${sql.raw(String(max + 1))}`,
    },
  })
  const beyond = rows[max]
  return beyond ? rows.filter(({ version }) => version < beyond.version) : rows
}
