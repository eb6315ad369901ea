import { type SQL, sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import { collectionTerm } from '../bitmap/bits.ts'
import { ofOrganisation } from '../fragments.ts'
import { type Scope, statement } from '../statement.ts'
import { nextTime, nextVersion } from '../version.ts'

/** A record to write, with its document as JSON text and the time of the write (default: now). */
export type NewDocument = { id: string; document: string; updated?: string }

/**
 * Writes records of one collection in one statement. Ids must be distinct; new records take the
 * next ordinals in the given order.
 */
export async function putRecords(
  d1: D1Database,
  organisationId: string,
  collection: string,
  documents: readonly NewDocument[],
  author?: Author,
): Promise<void> {
  await statement(d1, putDocuments({ organisationId, collection }, documents, author)).run()
}

/** The SQL of `putRecords`. `documents` may be SQL for a JSON list. */
export function putDocuments(
  scope: Scope,
  documents: readonly NewDocument[] | SQL,
  author?: Author,
  now = new Date().toISOString(),
): SQL {
  const [version, time] = [nextVersion(sql`number + 1`), nextTime(now)]
  return sql`
    INSERT INTO records (
      organisation_id, collection, id, ordinal, document, updated,
      version, first_version, created, changed, created_by
    )
    SELECT
      ${scope.organisationId}, ${scope.collection}, item.id,
      sum(new) OVER (ORDER BY number)
        + coalesce((SELECT last FROM terms WHERE ${collectionTerm(scope)}), 0),
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
        ) AS new
      FROM json_each(${Array.isArray(documents) ? JSON.stringify(documents) : documents}) AS item
    ) AS item CROSS JOIN organisations ON organisations.id = ${scope.organisationId}
    WHERE true
    ON CONFLICT (collection, id, organisation_id)
    DO UPDATE SET
      document = excluded.document, updated = excluded.updated,
      version = excluded.version, changed = excluded.changed,
      changed_by = excluded.created_by, changed_by_version = excluded.version
    WHERE document <> excluded.document`
}
