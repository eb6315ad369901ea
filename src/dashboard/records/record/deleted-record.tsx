import type { Context } from 'hono'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import { listHistoryRecords, loadChanges } from './changes.ts'
import { History } from './history.tsx'
import { DeletedPersonMenu } from './record-menu.tsx'
import { loadTitles } from './titles.ts'

/** Renders the page of a deleted record: its history, *Restore*, and of a person the download and erasure. Throws 404 for an unknown record. */
export async function renderDeletedRecord(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  id: string,
  error?: string,
) {
  const { name, label, singularLabel } = collection
  const { changes } = await loadChanges(c, collection, id)
  const findTitle = await loadTitles(c, [
    ...listHistoryRecords(collection, changes),
    { collection: name, id },
  ])
  // Undefined if no previous version is stored: then nothing can be restored.
  const known = findTitle(name, id)
  return c.html(
    <Page
      c={c}
      title={known?.title ?? `A deleted ${singularLabel}`}
      lead={`This ${singularLabel} was deleted.`}
      crumbs={[{ name: label, href: collectionPath(c, name) }]}
      actions={
        known &&
        can(c, 'write') && (
          <>
            {collection.kind && <DeletedPersonMenu c={c} collection={collection} id={id} />}
            <ActionButton
              action={`${recordPath(c, name, id)}/restore`}
              label="Restore"
              class="button primary"
            />
          </>
        )
      }
    >
      {error && <p role="alert">It was not restored. {error}</p>}
      <section class="section">
        <h2>History</h2>
        <History c={c} collection={collection} id={id} changes={changes} findTitle={findTitle} />
      </section>
    </Page>,
    error ? 400 : 200,
  )
}
