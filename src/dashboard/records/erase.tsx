import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { formFields } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { namesOthers } from '../../model/references.ts'
import { ask } from '../api.ts'
import { redirectTelling } from '../flash.ts'
import { Page } from '../page.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import { described, titleOf } from './described.ts'
import { type Naming, namingOf } from './links.ts'
import { apiPathOf, pathOfCollection, pathOfRecord } from './paths.ts'
import { recordOf } from './record.ts'

const mostLooked = 100

/** Why somebody was not erased: another name was typed, or the record was changed meanwhile. */
type Fault = 'another name' | 'changed'

/** Asks before a person is erased: says what goes and what stays, and takes their name. */
export async function erasePage(c: Context<DashboardEnv>, name: string, id: string, fault?: Fault) {
  const about = await described(c, name)
  if (!about.kind) throw new ApiError('NOT_FOUND', 'Only people are erased.')
  const [record, naming] = await Promise.all([
    recordOf(c, about, id),
    namingOf(c, name, id, mostLooked),
  ])
  const path = pathOfRecord(c, name, id)
  const title = titleOf(about, record.values)
  const shared = naming.flatMap((one) => sharedIn(one, id))
  const counts = naming.map(
    ({ total, described: { label, one } }) =>
      `${total.toLocaleString('en-GB')} ${total === 1 ? one : label.toLowerCase()}`,
  )
  const status = { 'another name': 400, changed: 412 } as const
  return c.html(
    <Page c={c} title={`Erase ${title}`}>
      {fault === 'changed' && (
        <p role="alert">Somebody else changed this record meanwhile, so nobody was erased.</p>
      )}
      <Confirm action={`${path}/erase`} act="Erase for good" back={path} keep="Keep them">
        <input type="hidden" name="etag" value={record.etag} />
        <p>
          This cannot be undone. Nothing will be left of <strong>{title}</strong> but their id and
          the time: not here, not in the API, and not in copies that follow it.
        </p>
        {counts.length > 0 && (
          <p>
            They are named in {counts.join(' and ')}. Bookings stay for the figures, but no longer
            say whose they were. Answers and notes are erased, except those that are about others
            too.
          </p>
        )}
        {shared.length > 0 && (
          <>
            <p>
              These are about others too, so they stay, without the link. Read them first: their
              text may still mention {title}.
            </p>
            <ul>
              {shared.map((one) => (
                <li>
                  <a href={pathOfRecord(c, one.collection, one.id)}>{one.id}</a>
                </li>
              ))}
            </ul>
          </>
        )}
        <Field
          label={`Type ${title} to confirm`}
          name="name"
          fault={fault === 'another name' ? `must be ${title}.` : undefined}
        >
          {(tied) => <input type="text" autocomplete="off" required {...tied} />}
        </Field>
      </Confirm>
    </Page>,
    fault ? status[fault] : 200,
  )
}

/** Erases a person whose name was typed, unless the record is another by now than was shown. */
export async function erase(c: Context<DashboardEnv>, name: string, id: string) {
  const about = await described(c, name)
  const { values } = await recordOf(c, about, id)
  const { etag, name: typed } = await formFields(c.req)
  if (plain(String(typed ?? '')) !== plain(titleOf(about, values)))
    return erasePage(c, name, id, 'another name')
  try {
    const answer = await ask(c, `${apiPathOf(name, id)}?$erase=true`, {
      method: 'DELETE',
      headers: { 'If-Match': String(etag ?? '') },
    })
    const { shared } = await answer.json<{ shared: unknown[] }>()
    const stays = `What is about others too stays, without the link: ${shared.length.toLocaleString('en-GB')}.`
    const notice = shared.length > 0 ? `Erased. ${stays}` : 'Erased.'
    return redirectTelling(c, pathOfCollection(c, name), { notice })
  } catch (error) {
    if (error instanceof ApiError && error.type === 'PRECONDITION_FAILED')
      return erasePage(c, name, id, 'changed')
    throw error
  }
}

/** Those of the records that name somebody which name anybody else. */
const sharedIn = ({ reference, described, first }: Naming, id: string) =>
  first
    .filter((record) => namesOthers(reference, record, id))
    .map((record) => ({ collection: described.name, id: String(record[described.id]) }))

const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
