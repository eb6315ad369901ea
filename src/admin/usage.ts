import { and, desc, eq, gte, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { apiKeys, keyUsage } from '../store/access-tables.ts'
import { statement } from '../store/statement.ts'

const dayMs = 86_400_000

const retentionDays = 400

/** The numbers of requests, returned records and rows read of a key for a collection, on a day or in a period. */
export type Usage = {
  day: string
  keyId: string
  /** The key's name and prefix; null for a deleted key. */
  key: string | null
  collection: string
  requests: number
  records: number
  /** The rows that the database read for the requests. */
  rowsRead: number
}

/** The use of an organisation's keys in the last `days` days, including today. With `daily`, groups it by day, newest first. */
export function readUsage(
  d1: D1Database,
  organisationId: string,
  { days, daily }: { days: number; daily: boolean },
): Promise<Usage[]> {
  const { keyId, collection } = keyUsage
  return drizzle(d1)
    .select({
      day: sql<string>`max(${keyUsage.day})`,
      keyId,
      key: sql<string | null>`${apiKeys.name} || ' (' || ${apiKeys.prefix} || '…)'`,
      collection,
      requests: sql<number>`sum(${keyUsage.requests})`,
      records: sql<number>`sum(${keyUsage.records})`,
      rowsRead: sql<number>`sum(${keyUsage.rowsRead})`,
    })
    .from(keyUsage)
    .leftJoin(apiKeys, eq(apiKeys.id, keyId))
    .where(
      and(
        eq(keyUsage.organisationId, organisationId),
        gte(keyUsage.day, isoDayBefore(Date.now(), days - 1)),
      ),
    )
    .groupBy(keyId, collection, ...(daily ? [keyUsage.day] : []))
    .orderBy(...(daily ? [desc(keyUsage.day)] : []), apiKeys.name, keyId, collection)
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
