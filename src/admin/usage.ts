import { and, desc, eq, gte, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { withTimeout } from '../platform/timeout.ts'
import { statement } from '../store/sql/statement.ts'
import { apiKeys, keyUse } from '../store/sql/tables.ts'

const dayMs = 86_400_000

/** How long is kept how keys were used. */
const retentionDays = 400

/** How often a key asked for a collection, and how many records it was given: on a day, or until the last of several. */
export type Usage = {
  day: string
  keyId: string
  /** What the key is called, unless it was deleted. */
  key: string | null
  collection: string
  requests: number
  records: number
}

/** How an organisation's keys were used in the last days, today included: day by day the newest first, or the sums of all. */
export function readUsage(
  d1: D1Database,
  organisationId: string,
  { days, daily }: { days: number; daily: boolean },
): Promise<Usage[]> {
  const { keyId, collection } = keyUse
  return withTimeout(
    drizzle(d1)
      .select({
        day: sql<string>`max(${keyUse.day})`,
        keyId,
        key: sql<string | null>`${apiKeys.name} || ' (' || ${apiKeys.prefix} || '…)'`,
        collection,
        requests: sql<number>`sum(${keyUse.requests})`,
        records: sql<number>`sum(${keyUse.records})`,
      })
      .from(keyUse)
      .leftJoin(apiKeys, eq(apiKeys.id, keyId))
      .where(
        and(
          eq(keyUse.organisationId, organisationId),
          gte(keyUse.day, isoDayBefore(Date.now(), days - 1)),
        ),
      )
      .groupBy(keyId, collection, ...(daily ? [keyUse.day] : []))
      .orderBy(...(daily ? [desc(keyUse.day)] : []), apiKeys.name, keyId, collection),
  )
}

/** Forgets some of what is older than 400 days. */
export async function deleteOldUsage(d1: D1Database, now: number): Promise<void> {
  const query = sql`DELETE FROM key_use WHERE (organisation_id, day, key_id, collection) IN (
    SELECT organisation_id, day, key_id, collection
    FROM organisations CROSS JOIN key_use ON organisation_id = organisations.id
      AND day < ${isoDayBefore(now, retentionDays)}
    LIMIT 5000
  )`
  await withTimeout(statement(d1, query).run())
}

const isoDayBefore = (now: number, days: number) =>
  new Date(now - days * dayMs).toISOString().slice(0, 10)
