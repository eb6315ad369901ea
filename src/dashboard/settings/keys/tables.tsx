import { summariseAccess } from '../../../access/describe-access.ts'
import { findPreset } from '../../../access/key-presets.ts'
import { collectionTitle } from '../../../model/collection.ts'
import type { ListedKey } from '../../../store/settings/list-keys.ts'
import { ActionMenu } from '../../ui/actions.tsx'
import { DataTable } from '../../ui/table.tsx'
import { Time } from '../../ui/value.tsx'
import { keyActions } from './actions.tsx'

/** Renders keys with their purpose, use and actions. `path` is the path of the keys page. */
export const KeyTable = ({ path, keys }: { path: string; keys: readonly ListedKey[] }) => (
  <DataTable
    label="Keys"
    class="keys"
    columns={[
      {
        heading: 'Name',
        cell: (key) => (
          <>
            <a href={`${path}/${key.id}`}>{key.name}</a>{' '}
            {key.state !== 'active' && <KeyState apiKey={key} />}
          </>
        ),
      },
      { heading: 'Can do', isQuiet: true, cell: describePurpose },
      { heading: 'Last used', cell: ({ lastUsed }) => <Time value={lastUsed} /> },
      {
        heading: 'Expires',
        cell: ({ expires }) => (expires ? <Time value={expires} /> : 'Never'),
      },
      {
        heading: '',
        isRightAligned: true,
        cell: (key) => <KeyMenu path={`${path}/${key.id}`} apiKey={key} class="plain" />,
      },
    ]}
    rows={keys}
  />
)

const states = { active: 'Active', revoked: 'Revoked', expired: 'Expired' } as const

/** Renders whether a key works. */
export const KeyState = ({ apiKey: { state } }: { apiKey: ListedKey }) => (
  <span class={state === 'active' ? 'tag good' : 'tag warn'}>{states[state]}</span>
)

type KeyMenuProps = { path: string; apiKey: ListedKey; class?: string }

/** Renders the menu of a key's rare actions. */
export const KeyMenu = ({ path, apiKey, ...menu }: KeyMenuProps) => (
  <ActionMenu
    actions={keyActions}
    thing={apiKey}
    path={path}
    label={`More actions for ${apiKey.name}`}
    {...menu}
  />
)

function describePurpose(key: ListedKey): string {
  const preset = findPreset(key)
  if (preset) return `${preset.name}: ${preset.summary}`
  const permissions = collectionTitle(key.permissions.replaceAll(',', ', '))
  return summariseAccess({ ...key, permissions })
}
