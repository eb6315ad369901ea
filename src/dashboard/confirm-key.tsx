import type { Context } from 'hono'
import type { ShownKey } from '../auth/shown-keys.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { graces } from './key-forms.ts'
import { KeyName } from './key-name.tsx'
import { Page, pathOfKeys } from './page.tsx'
import { Confirm } from './parts/confirm.tsx'

type Props = { c: Context<DashboardEnv>; apiKey: ShownKey }

/** Asks before a key is deleted, for that cannot be undone. */
export function ConfirmDelete({ c, apiKey }: Props) {
  const keys = pathOfKeys(c)
  return (
    <Page c={c} title="Delete a key">
      <Confirm
        action={`${keys}/${apiKey.id}/delete`}
        act="Delete this key for good"
        back={keys}
        keep="Keep it"
      >
        <p>
          Delete <KeyName of={apiKey} /> for good? Whatever uses it is refused from now on, and it
          cannot be brought back. To stop it for a while, revoke it instead.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks before a key is revoked, for whatever uses it stops at once. */
export function ConfirmRevoke({ c, apiKey }: Props) {
  const keys = pathOfKeys(c)
  return (
    <Page c={c} title="Revoke a key">
      <Confirm
        action={`${keys}/${apiKey.id}/revoke`}
        act="Revoke this key"
        back={keys}
        keep="Leave it as it is"
      >
        <p>
          Revoke <KeyName of={apiKey} />? Whatever uses it is refused from now on. You can
          reactivate it later.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks how long the old key is to work on beside its successor. */
export function ConfirmRotate({ c, apiKey }: Props) {
  const keys = pathOfKeys(c)
  return (
    <Page c={c} title="Rotate a key">
      <section>
        <p>
          Makes a new key that replaces <KeyName of={apiKey} />.
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
          <div class="acts">
            <button type="submit">Make the new key</button>
            <a class="button" href={keys}>
              Leave it as it is
            </a>
          </div>
        </form>
      </section>
    </Page>
  )
}
