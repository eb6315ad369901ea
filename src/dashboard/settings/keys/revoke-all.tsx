import type { Context } from 'hono'
import { pluralise } from '../../../platform/pluralise.ts'
import type { ListedKey } from '../../../store/settings/list-keys.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Confirm } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { keysPath } from '../../ui/paths.ts'
import { Time } from '../../ui/value.tsx'
import { KeyName } from './actions.tsx'
import { keysCrumbs } from './pages.tsx'

type Props = { c: Context<DashboardEnv>; keys: readonly ListedKey[] }

/** Asks for confirmation before all keys are revoked, and lists them with their last use. */
export function ConfirmRevokeAll({ c, keys }: Props) {
  const listPath = keysPath(c)
  return (
    <Page c={c} title="Revoke all keys" crumbs={keysCrumbs(c)} tabs={[]}>
      <Confirm
        action={`${listPath}/revoke-all`}
        confirmLabel={pluralise(keys.length, 'Revoke this key', `Revoke ${keys.length} keys`)}
        cancelPath={listPath}
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
