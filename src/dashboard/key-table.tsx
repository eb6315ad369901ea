import type { ShownKey } from '../auth/shown-keys.ts'
import { inBrief } from '../limits/in-words.ts'
import { words } from '../model/words.ts'
import { Act, Ask } from './act.tsx'
import { Wide } from './page.tsx'
import { Headings } from './parts/headings.tsx'
import { Time } from './parts/time.tsx'

/** Keys with what is known of them, and what may be done to each; `path` is where they are managed. */
export function KeyTable({ path, keys }: { path: string; keys: ShownKey[] }) {
  return (
    <Wide label="Keys" stack>
      <table>
        <Headings
          of={['Name', 'Key', 'State', 'May', 'Created', 'Last used', 'Expires', 'Change']}
        />
        <tbody>
          {keys.map((key) => (
            <tr>
              <th scope="row">{key.name}</th>
              <td data-label="Key">
                <code>{key.prefix}…</code>
              </td>
              <td data-label="State">{key.state}</td>
              <td data-label="May">{inBrief({ ...key, rights: inWords(key.rights) })}</td>
              <td data-label="Created">
                <Time at={key.created} /> by {key.createdBy}
              </td>
              <td data-label="Last used">
                <Time at={key.lastUsed} />
              </td>
              <td data-label="Expires">
                <Time at={key.expires} />
              </td>
              <td>
                <Changes path={`${path}/${key.id}`} {...key} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

function Changes({ path, name, state }: { path: string } & Pick<ShownKey, 'name' | 'state'>) {
  return (
    <>
      {state === 'revoked' && <Act action={`${path}/reactivate`} label="Reactivate" name={name} />}
      {state === 'active' && (
        <>
          <Ask href={`${path}/revoke`} label="Revoke" name={name} />
          <Ask href={`${path}/rotate`} label="Rotate" name={name} />
        </>
      )}
      {state !== 'expired' && (
        <Ask href={`${path}/rights`} label="Rights" name={name} says="Change the rights of" />
      )}
      <Ask href={`${path}/delete`} label="Delete" name={name} />
    </>
  )
}

const inWords = (rights: string) => words(rights.replaceAll(',', ', '))
