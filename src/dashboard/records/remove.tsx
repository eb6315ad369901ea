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

/** Asks before a record is deleted, and says what goes with it. */
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
        <p role="alert">Somebody else changed this record meanwhile, so it was not deleted.</p>
      )}
      <Confirm
        action={`${path}/delete`}
        confirmLabel={`Delete this ${collection.singularLabel}`}
        cancelPath={path}
        cancelLabel="Keep it"
      >
        <input type="hidden" name="etag" value={record.etag} />
        <p>
          This cannot be undone. <strong>{recordTitle(collection, record.values)}</strong> will be
          gone from the dashboard, from the API, and from every copy that follows it.
        </p>
        {cascading.length > 0 && (
          <p>
            Deleted with it: {cascading.map(describeCount).join(', ')}, which make no sense without
            it.
          </p>
        )}
        {unlinked.length > 0 && (
          <p>
            Kept, but without this {collection.singularLabel} in them:{' '}
            {unlinked.map(describeCount).join(', ')}.
          </p>
        )}
        {collection.kind && (
          <p>
            What is written in these stays, such as the name on a booking. Somebody who has asked to
            be forgotten is erased instead, by an administrator.
          </p>
        )}
      </Confirm>
    </Page>,
    isConflict ? 412 : 200,
  )
}

/** Deletes a record with what goes with it, unless it is another by now than was shown. */
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
