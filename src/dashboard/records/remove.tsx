import type { Context } from 'hono'
import { readForm } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { callApi } from '../session/api.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Confirm } from '../ui/confirm.tsx'
import { redirectWithFlash } from '../ui/flash.ts'
import { Page } from '../ui/page.tsx'
import { describeCollection, recordTitle } from './described.ts'
import { describeCount, findReferencing } from './links.ts'
import { apiRecordPath, collectionPath, recordPath } from './paths.ts'
import { loadRecord } from './record.ts'

/** Asks for confirmation before a record is deleted, and lists the records affected. */
export async function renderDeletePage(
  c: Context<DashboardEnv>,
  name: string,
  id: string,
  isConflict = false,
) {
  const collection = await describeCollection(c, name)
  const [record, referencing] = await Promise.all([
    loadRecord(c, collection, id),
    findReferencing(c, name, id, 1),
  ])
  const path = recordPath(c, name, id)
  const cascading = referencing.filter(({ reference }) => !reference.optional)
  const unlinked = referencing.filter(({ reference }) => reference.optional)
  return c.html(
    <Page c={c} title={`Delete ${recordTitle(collection, record.values)}`}>
      {isConflict && (
        <p role="alert">
          Somebody else changed this record while you had it open, so it was not deleted.
        </p>
      )}
      <Confirm
        action={`${path}/delete`}
        confirmLabel={`Delete this ${collection.singularLabel}`}
        cancelPath={path}
        cancelLabel="Cancel"
      >
        <input type="hidden" name="etag" value={record.etag} />
        <p>
          This cannot be undone. <strong>{recordTitle(collection, record.values)}</strong>{' '}
          disappears from the dashboard, the API and every copy that follows it.
        </p>
        {cascading.length > 0 && <p>Also deleted: {cascading.map(describeCount).join(', ')}.</p>}
        {unlinked.length > 0 && (
          <p>
            Kept, without the link to this {collection.singularLabel}:{' '}
            {unlinked.map(describeCount).join(', ')}.
          </p>
        )}
        {collection.kind && (
          <p>
            Text in those records stays, such as the name on a booking. If the person asked to be
            forgotten, ask an administrator to erase them instead.
          </p>
        )}
      </Confirm>
    </Page>,
    isConflict ? 412 : 200,
  )
}

/** Deletes a record and its dependants unless it has changed since the page was shown. */
export async function deleteRecord(c: Context<DashboardEnv>, name: string, id: string) {
  const { etag } = await readForm(c.req)
  try {
    await callApi(c, `${apiRecordPath(name, id)}?$cascade=true`, {
      method: 'DELETE',
      headers: { 'If-Match': String(etag ?? '') },
    })
  } catch (error) {
    if (error instanceof ApiError && error.type === 'PRECONDITION_FAILED')
      return renderDeletePage(c, name, id, true)
    throw error
  }
  return redirectWithFlash(c, collectionPath(c, name), { notice: 'Deleted.' })
}
