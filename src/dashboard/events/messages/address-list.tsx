import { formatNumber } from '../../../platform/format-number.ts'
import { DataTable } from '../../ui/table.tsx'
import type { Recipients } from './open-messages.ts'

type Props = { id: string; title: string; recipients: Recipients }

/** Renders addresses to look at or copy, and the people to ring because they have none. */
export function AddressList({ id, title, recipients: { families, unreachable } }: Props) {
  if (families.length + unreachable.length === 0) return null
  const listId = `addresses-${id}`
  return (
    <details class="fold">
      <summary>
        {title}: addresses <span class="quiet">{formatNumber(families.length)}</span>
      </summary>
      {unreachable.map(({ name, people, phone }) => (
        <p class="notice warn">
          <span>
            No e-mail address for {people.join(', ')}.{' '}
            {phone ? (
              <>
                Ring {name} on <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>.
              </>
            ) : (
              'There is no phone number either.'
            )}
          </span>
        </p>
      ))}
      {families.length > 0 && (
        <>
          <p class="quiet">
            A family gets one message for all its people. In your own mail program, put the
            addresses into the field <em>Bcc</em>, so that no family sees those of the others.
          </p>
          <p id={listId} class="secret">
            {families.map(({ email }) => email).join(', ')}
          </p>
          <button type="button" class="button" data-copy={listId} hidden>
            Copy the addresses
          </button>
          <DataTable
            label={`Addresses: ${title}`}
            rows={families}
            columns={[
              { heading: 'Contact', cell: ({ name }) => name },
              { heading: 'For', cell: ({ people }) => people.join(', ') },
              { heading: 'Address', cell: ({ email }) => email },
            ]}
          />
        </>
      )}
    </details>
  )
}
