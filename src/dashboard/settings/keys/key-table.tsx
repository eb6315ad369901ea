import { summariseAccess } from '../../../access/describe-access.ts'
import type { ListedKey } from '../../../admin/list-keys.ts'
import { collectionTitle } from '../../../model/collection.ts'
import { ActionButton, ActionLink } from '../../ui/button.tsx'
import { ScrollRegion } from '../../ui/page.tsx'
import { TableHeader } from '../../ui/table-header.tsx'
import { Time } from '../../ui/time.tsx'

/** A table of keys with their state and actions. `path` is that of the keys page. */
export function KeyTable({ path, keys }: { path: string; keys: ListedKey[] }) {
  return (
    <ScrollRegion label="Keys" isStacked>
      <table>
        <TableHeader
          headings={['Name', 'Key', 'State', 'Access', 'Created', 'Last used', 'Expires', 'Change']}
        />
        <tbody>
          {keys.map((key) => (
            <tr>
              <th scope="row">{key.name}</th>
              <td data-label="Key">
                <code>{key.prefix}…</code>
              </td>
              <td data-label="State">{key.state}</td>
              <td data-label="Access">
                {summariseAccess({ ...key, rights: formatPermissionList(key.rights) })}
              </td>
              <td data-label="Created">
                <Time value={key.created} /> by {key.createdBy}
              </td>
              <td data-label="Last used">
                <Time value={key.lastUsed} />
              </td>
              <td data-label="Expires">
                <Time value={key.expires} />
              </td>
              <td>
                <KeyActions path={`${path}/${key.id}`} {...key} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function KeyActions({ path, name, state }: { path: string } & Pick<ListedKey, 'name' | 'state'>) {
  return (
    <>
      {state === 'revoked' && (
        <ActionButton action={`${path}/reactivate`} label="Reactivate" target={name} />
      )}
      {state === 'active' && (
        <>
          <ActionLink href={`${path}/revoke`} label="Revoke" target={name} />
          <ActionLink href={`${path}/rotate`} label="Rotate" target={name} />
        </>
      )}
      {state !== 'expired' && (
        <ActionLink
          href={`${path}/rights`}
          label="Permissions"
          target={name}
          longLabel="Change the permissions of"
        />
      )}
      <ActionLink href={`${path}/delete`} label="Delete" target={name} />
    </>
  )
}

const formatPermissionList = (rights: string) => collectionTitle(rights.replaceAll(',', ', '))
