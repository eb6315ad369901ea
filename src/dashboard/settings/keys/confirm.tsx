import type { Context } from 'hono'
import type { ListedKey } from '../../../admin/list-keys.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Confirm } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { keysPath } from '../../ui/paths.ts'
import { Time } from '../../ui/value.tsx'
import { gracePeriods } from './key-form.ts'
import { keysCrumbs } from './pages.tsx'

type Props = { c: Context<DashboardEnv>; apiKey: ListedKey }

/** Asks for confirmation before a key is deleted. */
export function ConfirmDelete({ c, apiKey }: Props) {
  const listPath = keysPath(c)
  return (
    <Page c={c} title="Delete a key" crumbs={keysCrumbs(c)} tabs={[]}>
      <Confirm
        action={`${listPath}/${apiKey.id}/delete`}
        confirmLabel="Delete this key for good"
        cancelPath={listPath}
        cancelLabel="Keep key"
      >
        <p>
          Delete <KeyName apiKey={apiKey} /> for good? Every tool that uses it loses access at once.
          This cannot be undone. To stop the key temporarily, revoke it instead.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks for confirmation before a key is revoked. */
export function ConfirmRevoke({ c, apiKey }: Props) {
  const listPath = keysPath(c)
  return (
    <Page c={c} title="Revoke a key" crumbs={keysCrumbs(c)} tabs={[]}>
      <Confirm
        action={`${listPath}/${apiKey.id}/revoke`}
        confirmLabel="Revoke this key"
        cancelPath={listPath}
        cancelLabel="Cancel"
      >
        <p>
          Revoke <KeyName apiKey={apiKey} />? Every tool that uses it loses access at once. You can
          reactivate it later.
        </p>
      </Confirm>
    </Page>
  )
}

/** Asks for confirmation before all keys are revoked, and lists them with their last use. */
export function ConfirmRevokeAll({ c, keys }: Pick<Props, 'c'> & { keys: readonly ListedKey[] }) {
  const listPath = keysPath(c)
  return (
    <Page c={c} title="Revoke all keys" crumbs={keysCrumbs(c)} tabs={[]}>
      <Confirm
        action={`${listPath}/revoke-all`}
        confirmLabel={keys.length === 1 ? 'Revoke this key' : `Revoke ${keys.length} keys`}
        cancelPath={listPath}
        cancelLabel="Cancel"
      >
        <p>
          Revoke every active key? Every tool that uses one loses access at once. You can reactivate
          each key later.
        </p>
        <ul>
          {keys.map((apiKey) => (
            <li>
              <KeyName apiKey={apiKey} />, last used:{' '}
              {apiKey.lastUsed ? <Time value={apiKey.lastUsed} /> : 'never'}
            </li>
          ))}
        </ul>
      </Confirm>
    </Page>
  )
}

/** Asks how long the old key stays valid after rotation. */
export function ConfirmRotate({ c, apiKey }: Props) {
  const listPath = keysPath(c)
  return (
    <Page c={c} title="Rotate a key" crumbs={keysCrumbs(c)} tabs={[]}>
      <section>
        <p>
          This creates a new key that replaces <KeyName apiKey={apiKey} />.
        </p>
        <form method="post" action={`${listPath}/${apiKey.id}/rotate`}>
          <label>
            Keep the old key working for
            <select name="gracePeriod">
              {Object.keys(gracePeriods).map((name) => (
                <option selected={name === 'one day'}>{name}</option>
              ))}
            </select>
          </label>
          <div class="row after">
            <button type="submit" class="button primary">
              Create new key
            </button>
            <a class="button" href={listPath}>
              Cancel
            </a>
          </div>
        </form>
      </section>
    </Page>
  )
}

/** Renders a key's name with its prefix. */
function KeyName({ apiKey: { name, prefix } }: { apiKey: ListedKey }) {
  return (
    <>
      <strong>{name}</strong> (<code>{prefix}…</code>)
    </>
  )
}
