import type { ShownKey } from '../auth/key-acts.ts'
import { inBrief } from '../limits/in-words.ts'
import { Act } from './act.tsx'
import { Time, Wide } from './page.tsx'

/** Keys with what is known of them, and what may be done to each; `path` is where they are managed. */
export function KeyTable({ path, keys }: { path: string; keys: ShownKey[] }) {
  return (
    <Wide label="Keys">
      <table>
        <thead>
          <tr>
            {['Name', 'Key', 'State', 'May', 'Created', 'Last used', 'Expires', 'Change'].map(
              (heading) => (
                <th scope="col">{heading}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr>
              <th scope="row">{key.name}</th>
              <td>
                <code>{key.prefix}…</code>
              </td>
              <td>{key.state}</td>
              <td>{inBrief({ ...key, rights: inWords(key.rights) })}</td>
              <td>
                <Time at={key.created} /> by {key.createdBy}
              </td>
              <td>
                <Time at={key.lastUsed} />
              </td>
              <td>
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
          <Act action={`${path}/revoke`} label="Revoke" name={name} />
          <a href={`${path}/rotate`} aria-label={`Rotate ${name}`}>
            Rotate
          </a>
        </>
      )}
      {state !== 'expired' && (
        <a href={`${path}/rights`} aria-label={`Change the rights of ${name}`}>
          Rights
        </a>
      )}
      <a href={`${path}/delete`} aria-label={`Delete ${name}`}>
        Delete
      </a>
    </>
  )
}

const inWords = (rights: string) => rights.replaceAll(',', ', ').replaceAll('-', ' ')
