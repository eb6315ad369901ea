import { type SQL, sql } from 'drizzle-orm/sql'
import { hasPermissions } from '../../access/credential.ts'
import { type Kind, kinds } from '../../model/properties/schema.ts'
import type { Reference } from '../../model/references.ts'
import { actorOf, auditInsert } from '../audit-log.ts'
import { type UniqueValue, uniqueValueOwners } from '../read/unique-values.ts'
import { hasWebhooks, type Store } from '../store.ts'
import { replaceDocuments } from '../version.ts'
import { noteDeletion, selectReferrerCounts, sumReferrers } from './delete.ts'
import { type IdempotentRequest, storeResponse } from './idempotency.ts'
import { findReferences, isPerson } from './preview-erasure.ts'
import { type NewDocument, putDocuments } from './put.ts'
import { maxCascade, referencingRows } from './referrers.ts'

/** Two people to merge: the survivor's new document, and the person to delete. */
export type Merge = {
  kind: Kind
  survivor: NewDocument & { version: number }
  duplicate: { id: string; version: number }
  /** The survivor's new values of unique fields. Only the two people may have them. */
  unique: readonly UniqueValue[]
  request: IdempotentRequest | undefined
}

/** The state that a merge found in its transaction. */
type MergeResult = {
  /** Whether one of the two changed after they were read. */
  isChanged: boolean
  /** Unique values that a third person has. */
  taken: UniqueValue[]
  /** The number of records that refer to the duplicate, by collection, as JSON text. */
  moved: string
  /** The total of `moved`. */
  size: number
}

/** Merges two people in one transaction. Writes nothing if the result shows an obstacle. */
export async function commitMerge(
  store: Store,
  { kind, survivor, duplicate, unique, request }: Merge,
): Promise<MergeResult> {
  const { organisationId, credential } = store
  const scope = { organisationId, collection: kind }
  const references = findReferences(kind)
  const duplicateRow = sql`SELECT row FROM records
    WHERE ${isPerson(organisationId, kind, duplicate.id)} AND version = ${duplicate.version}`
  // Statements after the survivor's update check again, so its new document also counts as
  // unchanged.
  const isUnchanged = sql`EXISTS (${duplicateRow}) AND EXISTS (
    SELECT 1 FROM records WHERE ${isPerson(organisationId, kind, survivor.id)}
      AND (version = ${survivor.version} OR document = ${survivor.document})
  )`
  const taken = sql`SELECT field, value FROM (${uniqueValueOwners(scope, unique)})
    WHERE id NOT IN (${survivor.id}, ${duplicate.id})`
  const size = sumReferrers(organisationId, references, duplicate.id)
  const condition = sql`${hasPermissions(credential, ['write'])} AND ${isUnchanged}
    AND NOT EXISTS (${taken}) AND ${size} <= ${maxCascade}`
  const moved = sql`(SELECT json_group_object(collection, count)
    FROM (${selectReferrerCounts(organisationId, references, duplicate.id)}))`
  const entry = {
    ...{ organisationId, actor: actorOf(credential.author) },
    ...{ action: `merged ${kinds[kind].singular}`, target: `${duplicate.id} into ${survivor.id}` },
  }
  const deleted = sql`${duplicateRow} AND ${condition}`
  // Previous versions with the same time belong to one operation.
  const now = new Date().toISOString()
  const { head } = await store.transact(
    { permissions: ['write'], collection: kind },
    {
      ...{ followed: hasWebhooks(organisationId), unchanged: isUnchanged, moved, size },
      taken: sql`(SELECT json_group_array(json_object('field', field, 'value', value)) FROM (${taken}))`,
    },
    [
      ...(request
        ? storeResponse(organisationId, request, { id: survivor.id, text: moved }, condition)
        : []),
      auditInsert(entry, condition),
      ...references.map((reference) =>
        replaceDocuments(
          credential.author,
          sql`records.row IN (${referencingRows(organisationId, reference, duplicate.id)} AND ${condition})`,
          replaceReference(reference, duplicate.id, survivor.id),
          { now },
        ),
      ),
      putDocuments(scope, [survivor], credential.author, condition, now),
      noteDeletion(credential, deleted, { now, mergedInto: survivor.id }),
      sql`DELETE FROM records WHERE row IN (${deleted})`,
    ],
  )
  return {
    isChanged: head.unchanged !== 1,
    taken: JSON.parse(String(head.taken)),
    moved: String(head.moved),
    size: Number(head.size),
  }
}

/** Returns SQL for a record's document with a reference to `from` changed to `to`. Removes duplicates from a list. */
function replaceReference({ path }: Reference, from: string, to: string): SQL {
  const at = `$.${path}`
  return sql`json_set(records.document, ${at}, CASE json_type(records.document, ${at})
    WHEN 'array' THEN (
      SELECT json_group_array(linked) FROM (
        SELECT iif(value = ${from}, ${to}, value) AS linked FROM json_each(records.document, ${at})
        GROUP BY linked ORDER BY min(key)
      )
    )
    ELSE ${to} END)`
}
