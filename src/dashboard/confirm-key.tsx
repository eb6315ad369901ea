import type { Context } from 'hono'
import type { ShownKey } from '../auth/key-acts.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { graces } from './key-forms.ts'
import { Page, pathOf } from './page.tsx'

type Props = { c: Context<DashboardEnv>; apiKey: ShownKey }

/** Asks before a key is deleted, for that cannot be undone. */
export function ConfirmDelete({ c, apiKey }: Props) {
  const keys = `${pathOf(apiKey.organisationId)}/settings/api-keys`
  return (
    <Page c={c} title="Delete a key">
      <p>
        Delete <strong>{apiKey.name}</strong> (<code>{apiKey.prefix}…</code>) for good? Whatever
        uses it is refused from now on, and it cannot be brought back. To stop it for a while,
        revoke it instead.
      </p>
      <form method="post" action={`${keys}/${apiKey.id}/delete`}>
        <button type="submit">Delete this key for good</button>
      </form>
      <p>
        <a href={keys}>Keep it</a>
      </p>
    </Page>
  )
}

/** Asks how long the old key is to work on beside its successor. */
export function ConfirmRotate({ c, apiKey }: Props) {
  const keys = `${pathOf(apiKey.organisationId)}/settings/api-keys`
  return (
    <Page c={c} title="Rotate a key">
      <p>
        Makes a new key that replaces <strong>{apiKey.name}</strong> (<code>{apiKey.prefix}…</code>
        ).
      </p>
      <form method="post" action={`${keys}/${apiKey.id}/rotate`}>
        <label>
          The old key works on
          <select name="grace">
            {Object.keys(graces).map((name) => (
              <option selected={name === 'one day'}>{name}</option>
            ))}
          </select>
        </label>
        <button type="submit">Make the new key</button>
      </form>
      <p>
        <a href={keys}>Leave it as it is</a>
      </p>
    </Page>
  )
}
