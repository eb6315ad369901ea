import { type SQL, sql } from 'drizzle-orm/sql'
import { integer, nullable, type Selected, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import { statement } from '../statement.ts'
import type { Store } from '../store.ts'

const dayMs = 86_400_000

const retentionDays = 400

const columns = {
  /** The last day with requests. */
  day: text(sql`max(day)`),
  keyId: text(sql`key_id`),
  /** The key's name and prefix; null for a deleted key. */
  key: nullable(text(sql`api_keys.name || ' (' || api_keys.prefix || '…)'`)),
  collection: text(sql`collection`),
  requests: integer(sql`sum(requests)`),
  /** The returned records. */
  records: integer(sql`sum(records)`),
  /** The rows that the database read for the requests. */
  rowsRead: integer(sql`sum(rows_read)`),
}

/** The use of a key for a collection, on a day or in a period. */
export type Usage = Selected<typeof columns>

/** The use of an organisation's keys in the last `days` days, including today. With `daily`, groups it by day, newest first. */
export async function readUsage(
  store: Store,
  { days, daily }: { days: number; daily: boolean },
): Promise<Usage[]> {
  const ifDaily = (part: SQL) => (daily ? part : sql``)
  const { rows } = await store.select({
    rows: {
      columns,
      from: sql`FROM key_usage LEFT JOIN api_keys ON api_keys.id = key_id
        WHERE ${ofOrganisation(store, 'key_usage')} AND day >= ${isoDayBefore(Date.now(), days - 1)}
        GROUP BY key_id, collection ${ifDaily(sql`, day`)}
        ORDER BY ${ifDaily(sql`day DESC,`)} api_keys.name, key_id, collection`,
    },
  })
  return rows
}

/** Deletes at most 5,000 entries that are older than 400 days. */
export async function deleteOldUsage(d1: D1Database, now: number): Promise<void> {
  const query = sql`DELETE FROM key_usage WHERE (organisation_id, day, key_id, collection) IN (
    SELECT organisation_id, day, key_id, collection
    FROM organisations CROSS JOIN key_usage ON organisation_id = organisations.id
      AND day < ${isoDayBefore(now, retentionDays)}
    LIMIT 5000
  )`
  await statement(d1, query).run()
}

const isoDayBefore = (now: number, days: number) =>
  new Date(now - days * dayMs).toISOString().slice(0, 10)
