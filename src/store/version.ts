import { type SQL, sql } from 'drizzle-orm/sql'
import type { Author } from '../model/author.ts'

// Every change takes the organisation's next version, at a time no earlier than the last change.
// The triggers in migrations/records/0004_changes.sql update the organisation, also for SQL typed
// at a console.

/**
 * SQL for the next version in a statement that joins `organisations`. `step` numbers the
 * statement's changes from 1.
 */
export const nextVersion = (step: SQL = sql`1`): SQL => sql`organisations.version + ${step}`

/** SQL for the time of the next change in such a statement. */
export const nextTime = (now: string): SQL => sql`max(organisations.changed, ${now})`

/**
 * Makes statements one operation, because previous versions with the same time belong together. No other change
 * gets that time, even if the clock stands still, goes back, or differs from that of the database.
 */
export function asOneOperation(
  organisationId: string,
  now: string,
  statements: readonly SQL[],
): SQL[] {
  const later = sql`strftime('%Y-%m-%dT%H:%M:%fZ', changed, '+0.001 seconds')`
  return [
    sql`UPDATE organisations SET changed = max(coalesce(${later}, ''), ${now}) WHERE id = ${organisationId}`,
    ...statements,
    sql`UPDATE organisations SET changed = ${later}
      WHERE id = ${organisationId} AND changed > ${now}`,
  ]
}

/** SQL that replaces the documents of matching records if they differ. */
export function replaceDocuments(
  author: Author,
  condition: SQL,
  document: SQL,
  {
    isWrite = false,
    isSingle = false,
    now = new Date().toISOString(),
  }: { isWrite?: boolean; isSingle?: boolean; now?: string } = {},
): SQL {
  const step = isSingle ? undefined : sql`row_number() OVER (ORDER BY records.row)`
  return sql`
    UPDATE records SET
      document = next.document, version = next.version, changed = next.changed,
      changed_by = ${JSON.stringify(author)}, changed_by_version = next.version
      ${isWrite ? sql`, updated = ${now}` : sql``}
    FROM (
      SELECT records.row, ${document} AS document, ${nextVersion(step)} AS version,
        ${nextTime(now)} AS changed
      FROM records CROSS JOIN organisations ON organisations.id = records.organisation_id
      WHERE ${condition}
    ) AS next
    WHERE records.row = next.row AND records.document <> next.document`
}
