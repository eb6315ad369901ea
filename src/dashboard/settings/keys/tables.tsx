import { summariseAccess } from '../../../access/describe-access.ts'
import type { ListedKey } from '../../../admin/list-keys.ts'
import type { Usage } from '../../../admin/usage.ts'
import { collectionTitle } from '../../../model/collection.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { ActionButton, ActionLink } from '../../ui/button.tsx'
import { numberHeadings, ScrollRegion, Table, TableHeader } from '../../ui/table.tsx'
import { Time } from '../../ui/value.tsx'

/** Renders keys with their state and actions. `path` is the path of the keys page. */
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
                {summariseAccess({
                  ...key,
                  permissions: formatPermissionList(key.permissions),
                })}
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
          href={`${path}/permissions`}
          label="Permissions"
          target={name}
          longLabel="Change the permissions of"
        />
      )}
      <ActionLink href={`${path}/delete`} label="Delete" target={name} />
    </>
  )
}

const formatPermissionList = (permissions: string) =>
  collectionTitle(permissions.replaceAll(',', ', '))

/** Renders each key's requests and returned records of the last 30 days. */
export function UsageTable({ usage }: { usage: readonly Usage[] }) {
  return (
    <Table
      label="Usage in the last 30 days"
      isStacked
      firstHeading="Key"
      headings={[
        { text: 'Collection' },
        ...numberHeadings('Requests', 'Records'),
        { text: 'Last day' },
      ]}
      rows={usage.map(({ key, collection, requests, records, day }) => ({
        rowHeader: key ?? 'A deleted key',
        cells: [toLabel(collection), formatNumber(requests), formatNumber(records), day],
      }))}
    />
  )
}
