import { summariseAccess } from '../../../access/describe-access.ts'
import { findPreset } from '../../../access/key-presets.ts'
import type { ListedKey } from '../../../admin/list-keys.ts'
import { collectionTitle } from '../../../model/collection.ts'
import { Menu } from '../../ui/menu.tsx'
import { ScrollRegion } from '../../ui/table.tsx'
import { Time } from '../../ui/value.tsx'

/** Renders keys with their purpose, use and actions. `path` is the path of the keys page. */
export function KeyTable({ path, keys }: { path: string; keys: readonly ListedKey[] }) {
  return (
    <ScrollRegion label="Keys">
      <table class="keys">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Can do</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr>
              <th scope="row">
                <a href={`${path}/${key.id}`}>{key.name}</a>{' '}
                {key.state !== 'active' && <KeyState apiKey={key} />}
              </th>
              <td class="quiet">{describePurpose(key)}</td>
              <td>
                <Time value={key.lastUsed} />
              </td>
              <td>{key.expires ? <Time value={key.expires} /> : 'Never'}</td>
              <td class="number">
                <KeyMenu path={`${path}/${key.id}`} apiKey={key} class="plain" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const states = { active: 'Active', revoked: 'Revoked', expired: 'Expired' } as const

/** Renders whether a key works. */
export const KeyState = ({ apiKey: { state } }: { apiKey: ListedKey }) => (
  <span class={state === 'active' ? 'tag good' : 'tag warn'}>{states[state]}</span>
)

/** Renders the menu of a key's rare actions. */
export function KeyMenu({
  path,
  apiKey: { name, state },
  class: className,
}: {
  path: string
  apiKey: ListedKey
  class?: string
}) {
  return (
    <Menu label={`More actions for ${name}`} isRare {...(className && { class: className })}>
      {state === 'active' && (
        <li>
          <a href={`${path}/rotate`}>Rotate</a>
        </li>
      )}
      {state === 'active' && (
        <li>
          <a href={`${path}/revoke`}>Revoke</a>
        </li>
      )}
      {state === 'revoked' && (
        <li>
          <form method="post" action={`${path}/reactivate`}>
            <button type="submit">Reactivate</button>
          </form>
        </li>
      )}
      <li class="apart">
        <a class="danger" href={`${path}/delete`}>
          Delete
        </a>
      </li>
    </Menu>
  )
}

function describePurpose(key: ListedKey): string {
  const preset = findPreset(key)
  if (preset) return `${preset.name}: ${preset.summary}`
  const permissions = collectionTitle(key.permissions.replaceAll(',', ', '))
  return summariseAccess({ ...key, permissions })
}
