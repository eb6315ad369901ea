import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { formFields } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { ask } from '../api.ts'
import { redirectTelling } from '../flash.ts'
import { Page } from '../page.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { described, titleOf } from './described.ts'
import { countOf, namingOf } from './links.ts'
import { apiPathOf, pathOfCollection, pathOfRecord } from './paths.ts'
import { recordOf } from './record.ts'

/** Asks before a record is deleted, and says what goes with it. */
export async function removePage(
  c: Context<DashboardEnv>,
  name: string,
  id: string,
  hasChanged = false,
) {
  const about = await described(c, name)
  const [record, naming] = await Promise.all([recordOf(c, about, id), namingOf(c, name, id, 1)])
  const path = pathOfRecord(c, name, id)
  const going = naming.filter(({ reference }) => !reference.optional)
  const staying = naming.filter(({ reference }) => reference.optional)
  return c.html(
    <Page c={c} title={`Delete ${titleOf(about, record.values)}`}>
      {hasChanged && (
        <p role="alert">Somebody else changed this record meanwhile, so it was not deleted.</p>
      )}
      <Confirm
        action={`${path}/delete`}
        act={`Delete this ${about.one}`}
        back={path}
        keep="Keep it"
      >
        <input type="hidden" name="etag" value={record.etag} />
        <p>
          This cannot be undone. <strong>{titleOf(about, record.values)}</strong> will be gone from
          the dashboard, from the API, and from every copy that follows it.
        </p>
        {going.length > 0 && (
          <p>Deleted with it: {going.map(countOf).join(', ')}, which make no sense without it.</p>
        )}
        {staying.length > 0 && (
          <p>
            Kept, but without this {about.one} in them: {staying.map(countOf).join(', ')}.
          </p>
        )}
        {about.kind && (
          <p>
            What is written in these stays, such as the name on a booking. Somebody who has asked to
            be forgotten is erased instead, by an administrator.
          </p>
        )}
      </Confirm>
    </Page>,
    hasChanged ? 412 : 200,
  )
}

/** Deletes a record with what goes with it, unless it is another by now than was shown. */
export async function remove(c: Context<DashboardEnv>, name: string, id: string) {
  const { etag } = await formFields(c.req)
  try {
    await ask(c, `${apiPathOf(name, id)}?$cascade=true`, {
      method: 'DELETE',
      headers: { 'If-Match': String(etag ?? '') },
    })
  } catch (error) {
    if (error instanceof ApiError && error.type === 'PRECONDITION_FAILED')
      return removePage(c, name, id, true)
    throw error
  }
  return redirectTelling(c, pathOfCollection(c, name), { notice: 'Deleted.' })
}
