import { type SQL, sql } from 'drizzle-orm/sql'
import { collectionTitle, formatRecordCount } from '../../model/collection.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import type { Audit } from '../terms.ts'
import type { StoredImport, UndoProgress } from './list-imports.ts'

const leaseSeconds = 60

/** SQL for the end of a lease that starts now. */
const leaseEnd = sql.raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${leaseSeconds} seconds')`)

const isImport = ({ organisationId }: Store, { id }: StoredImport) =>
  sql`${ofOrganisation({ organisationId }, 'imports')} AND imports.id = ${id}`

function auditOf({ id, collection, edited, deleted }: StoredImport): Audit {
  if (edited !== null)
    return { action: 'edit.undone', detail: collectionTitle(collection), target: edited }
  return deleted === null
    ? { action: 'import.undone', target: `${id} (${collection})` }
    : { action: 'deletion.undone', target: formatRecordCount(deleted, collection) }
}

/** Claims an import to work on its undo for a minute. Returns false while another undo of the organisation runs. Adds the start of an undo to the audit log. */
export async function claimUndo(
  store: Store,
  of: StoredImport,
  progress: UndoProgress,
  isStart: boolean,
): Promise<boolean> {
  const { organisationId, credential } = store
  const { refused } = await store.write(
    {
      permissions: ['write'],
      unless: {
        isTaken: sql`EXISTS (
          SELECT 1 FROM imports WHERE ${ofOrganisation({ organisationId })} AND undo_lease IS NOT NULL
            AND undo_lease > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
        )`,
      },
      audit: isStart ? auditOf(of) : undefined,
      isInternal: true,
    },
    [
      sql`UPDATE imports SET undo_lease = ${leaseEnd}, undo = ${JSON.stringify(progress)},
          undone = NULL, undone_by = ${JSON.stringify(credential.author)}
        WHERE ${isImport(store, of)}`,
    ],
  )
  return refused === undefined
}

/** Stores the progress of an undo. `isLast` ends the request's claim. */
export async function saveUndoProgress(
  store: Store,
  of: StoredImport,
  progress: UndoProgress,
  isLast: boolean,
): Promise<void> {
  await store.write({ permissions: ['write'], isInternal: true }, [
    sql`UPDATE imports SET undo = ${JSON.stringify(progress)},
        undo_lease = ${isLast ? sql`NULL` : leaseEnd},
        undone = ${progress.cursor === null ? sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')` : sql`NULL`}
      WHERE ${isImport(store, of)}`,
  ])
}

/** SQL that adds to the deleted records, in the transaction of the deletion: a second scan would not see them. */
export const addDeleted = (store: Store, of: StoredImport, count: SQL): SQL =>
  sql`UPDATE imports SET undo = json_set(undo, '$.deleted', (undo ->> '$.deleted') + ${count})
    WHERE ${isImport(store, of)}`

/** Ends the request's claim after an error, so that the next request can continue. Needs no permission, which may be gone. */
export async function releaseUndo(store: Store, of: StoredImport): Promise<void> {
  await store.write({ permissions: [], isInternal: true }, [
    sql`UPDATE imports SET undo_lease = NULL WHERE ${isImport(store, of)}`,
  ])
}
