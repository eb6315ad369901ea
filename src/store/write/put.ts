import { type SQL, sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import { collectionTerm } from '../bitmap/bits.ts'
import { ofOrganisation } from '../fragments.ts'
import { type Scope, statement } from '../statement.ts'
import { nextTime, nextVersion } from '../version.ts'

/** A record to write, with its document as JSON text and the time of the write (default: now). */
export type NewDocument = { id: string; document: string; updated?: string }

/**
 * SQL that creates or replaces records of one collection. Their ids are distinct. New records take the next ordinals, in
 * the order of the list, and each change takes its own version. A record that has the same document stays as it
 * is. `documents` may be SQL for a JSON list, if only the statement knows which documents to write.
 *
 * `organisations` is joined for `nextVersion` and `nextTime`, which read its `version` and `changed`. Triggers on `records`
 * then raise those and the collection's last ordinal, `terms.last` (migrations/records/0003_index.sql and 0004_changes.sql).
 * A table with triggers gets its first row only after SQLite has evaluated the whole SELECT, so all rows start
 * from the same values.
 *
 * `updated` is the time of the caller's write, which may be in the past. `changed` is the time of the change, never before
 * that of the organisation's previous change. `changed_by` is the author of the version `changed_by_version`:
 * statements elsewhere may change a record without an author. They raise `version` alone, and `changed_by` then no longer
 * applies.
 */
export function putDocuments(
  scope: Scope,
  documents: readonly NewDocument[] | SQL,
  author?: Author,
  now = new Date().toISOString(),
): SQL {
  const version = nextVersion(sql`number + 1`)
  const time = nextTime(now)
  const list = Array.isArray(documents) ? JSON.stringify(documents) : documents
  const lastOrdinal = sql`coalesce((SELECT last FROM terms WHERE ${collectionTerm(scope)}), 0)`
  // With a SELECT, SQLite needs a WHERE before ON CONFLICT: it would read ON as part of the join.
  return sql`
    INSERT INTO records (
      organisation_id, collection, id, ordinal, document, updated,
      version, first_version, created, changed, created_by
    )
    SELECT
      ${scope.organisationId}, ${scope.collection}, item.id,
      ${lastOrdinal} + sum(is_new) OVER (ORDER BY number),
      document, coalesce(updated, ${now}), ${version}, ${version}, ${time}, ${time},
      ${author ? JSON.stringify(author) : null}
    FROM (
      SELECT
        item.key AS number,
        item.value ->> '$.id' AS id,
        item.value ->> '$.document' AS document,
        item.value ->> '$.updated' AS updated,
        NOT EXISTS (
          SELECT 1 FROM records
          WHERE collection = ${scope.collection} AND id = item.value ->> '$.id'
            AND ${ofOrganisation(scope)}
        ) AS is_new
      FROM json_each(${list}) AS item
    ) AS item CROSS JOIN organisations ON organisations.id = ${scope.organisationId}
    WHERE true
    ON CONFLICT (collection, id, organisation_id)
    DO UPDATE SET
      document = excluded.document, updated = excluded.updated,
      version = excluded.version, changed = excluded.changed,
      changed_by = excluded.created_by, changed_by_version = excluded.version
    WHERE document <> excluded.document`
}

/** Creates or replaces records without a store, for tests and benchmarks. */
export async function putRecords(
  d1: D1Database,
  organisationId: string,
  collection: string,
  documents: readonly NewDocument[],
  author?: Author,
): Promise<void> {
  await statement(d1, putDocuments({ organisationId, collection }, documents, author)).run()
}
