import { type SQL, sql } from 'drizzle-orm/sql'
import { type Kind, kinds } from '../../model/properties/schema.ts'
import type { Reference } from '../../model/references.ts'
import { integer, text } from '../columns.ts'
import { ofRecord } from '../fragments.ts'
import { type UniqueValue, uniqueValueOwners } from '../read/unique-values.ts'
import type { Store } from '../store.ts'
import { reasons } from '../terms.ts'
import { asOneOperation, replaceDocuments } from '../version.ts'
import { noteDeletion, selectReferrerCounts, sumReferrers } from './delete.ts'
import { type IdempotentRequest, storeResponse } from './idempotency.ts'
import { findReferencesTo } from './preview-erasure.ts'
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
  const references = findReferencesTo(kind)
  const ofPerson = (person: { id: string; version: number }) => sql`SELECT row FROM records
    WHERE ${ofRecord(store, { collection: kind, id: person.id })} AND version = ${person.version}`
  const size = sumReferrers(organisationId, references, duplicate.id)
  const moved = sql`(SELECT json_group_object(collection, count)
    FROM (${selectReferrerCounts(organisationId, references, duplicate.id)}))`
  const now = new Date().toISOString()
  const { refused, ...returned } = await store.write(
    {
      permissions: ['write'],
      collection: kind,
      unless: (found) => ({
        changed: sql`NOT EXISTS (${ofPerson(duplicate)}) OR NOT EXISTS (${ofPerson(survivor)})`,
        taken: reasons<UniqueValue>(
          sql`SELECT json_object('field', field, 'value', value) AS item
            FROM (${uniqueValueOwners(scope, unique)}) WHERE id NOT IN (${survivor.id}, ${duplicate.id})`,
          { isJson: true },
        ),
        tooLarge: sql`${found.size} > ${maxCascade}`,
      }),
      returns: { moved: text(moved), size: integer(size) },
      audit: {
        action: 'person.merged',
        detail: kinds[kind].singular,
        target: `${duplicate.id} into ${survivor.id}`,
        record: { collection: kind, id: survivor.id },
      },
    },
    asOneOperation(organisationId, now, [
      ...(request ? storeResponse(organisationId, request, { id: survivor.id, text: moved }) : []),
      ...references.map((reference) =>
        replaceDocuments(
          credential.author,
          sql`records.row IN (${referencingRows(organisationId, reference, duplicate.id)})`,
          replaceReference(reference, duplicate.id, survivor.id),
          { now },
        ),
      ),
      putDocuments(scope, [survivor], credential.author, now),
      noteDeletion(credential, ofPerson(duplicate), { now, mergedInto: survivor.id }),
      sql`DELETE FROM records WHERE row IN (${ofPerson(duplicate)})`,
    ]),
  )
  return { ...returned, isChanged: refused?.changed ?? false, taken: refused?.taken ?? [] }
}

/** SQL for a record's document with a reference to `from` changed to `to`. Removes duplicates from a list. */
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
