import type { Context } from 'hono'
import type { ListedKey } from '../../../admin/list-keys.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { keysPath, Page } from '../../ui/page.tsx'
import { gracePeriods } from './forms.ts'
import { KeyName } from './key-name.tsx'

type Props = { c: Context<DashboardEnv>; apiKey: ListedKey }

/** Asks before a key is deleted, for that cannot be undone. */
export function ConfirmDelete({ c, apiKey }: Props) {
  const listPath = keysPath(c)
  return (
    <Page c={c} title="Delete a key">
      <Confirm
        action={`${listPath}/${apiKey.id}/delete`}
        confirmLabel="Delete this key for good"
        cancelPath={listPath}
        cancelLabel="Keep it"
      >
        <p>
          Delete <KeyName apiKey={apiKey} /> for good? Whatever uses it is refused from now on, and
          it cannot be brought back. To stop it for a while, revoke it instead.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks before a key is revoked, for whatever uses it stops at once. */
export function ConfirmRevoke({ c, apiKey }: Props) {
  const listPath = keysPath(c)
  return (
    <Page c={c} title="Revoke a key">
      <Confirm
        action={`${listPath}/${apiKey.id}/revoke`}
        confirmLabel="Revoke this key"
        cancelPath={listPath}
        cancelLabel="Leave it as it is"
      >
        <p>
          Revoke <KeyName apiKey={apiKey} />? Whatever uses it is refused from now on. You can
          reactivate it later.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks how long the old key is to work on beside its successor. */
export function ConfirmRotate({ c, apiKey }: Props) {
  const listPath = keysPath(c)
  return (
    <Page c={c} title="Rotate a key">
      <section>
        <p>
          Makes a new key that replaces <KeyName apiKey={apiKey} />.
        </p>
        <form method="post" action={`${listPath}/${apiKey.id}/rotate`}>
          <label>
            The old key works on
            <select name="grace">
              {Object.keys(gracePeriods).map((name) => (
                <option selected={name === 'one day'}>{name}</option>
              ))}
            </select>
          </label>
          <div class="acts">
            <button type="submit">Make the new key</button>
            <a class="button" href={listPath}>
              Leave it as it is
            </a>
          </div>
        </form>
      </section>
    </Page>
  )
}
