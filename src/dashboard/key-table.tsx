import type { ShownKey } from '../auth/key-acts.ts'
import { Time, Wide } from './page.tsx'

/** Keys with what is known of them, and what may be done to each; `path` is where they are managed. */
export function KeyTable({ path, keys }: { path: string; keys: ShownKey[] }) {
  return (
    <Wide label="Keys" stack>
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
              <td data-label="Key">
                <code>{key.prefix}…</code>
              </td>
              <td data-label="State">{key.state}</td>
              <td data-label="May">{key.rights.replaceAll(',', ', ').replaceAll('-', ' ')}</td>
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
      {state === 'revoked' && (
        <form method="post" action={`${path}/reactivate`}>
          <button type="submit" aria-label={`Reactivate ${name}`}>
            Reactivate
          </button>
        </form>
      )}
      {state === 'active' && (
        <>
          <Ask href={`${path}/revoke`} label="Revoke" name={name} />
          <Ask href={`${path}/rotate`} label="Rotate" name={name} />
        </>
      )}
      <Ask href={`${path}/delete`} label="Delete" name={name} />
    </>
  )
}

/** Leads to the page that asks whether it is meant. */
function Ask({ href, label, name }: { href: string; label: string; name: string }) {
  return (
    <a class="button" href={href} aria-label={`${label} ${name}`}>
      {label}
    </a>
  )
}
