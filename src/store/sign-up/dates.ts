import { sql } from 'drizzle-orm/sql'
import { text } from '../columns.ts'
import type { Store } from '../store.ts'
import { fromDates } from './series.ts'

/** An event or a date of a series, with the time when it starts. */
export type DatedEvent = { id: string; name: string; start: string }

const maxDates = 1000

/** Reads the dates of a series by start. Requires `take-registers`. */
export async function readDatedEvents(store: Store, seriesId: string): Promise<DatedEvent[]> {
  const { rows } = await store.select({
    rows: {
      columns: {
        id: text(sql`records.id`),
        name: text(sql`ifnull(records.document ->> '$.name', '')`),
        start: text(sql`records.document ->> '$.start'`),
      },
      from: sql`${fromDates(store.organisationId, sql`${seriesId}`)}
          AND records.document ->> '$.start' IS NOT NULL
        ORDER BY records.document ->> '$.start', records.id
        LIMIT ${sql.raw(String(maxDates))}`,
    },
    permissions: ['take-registers'],
  })
  return rows
}
