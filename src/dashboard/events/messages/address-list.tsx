import { formatNumber } from '../../../platform/format-number.ts'
import type { Audience } from '../../../sign-up/mailings/audience.ts'
import { DataTable } from '../../ui/table.tsx'
import { audienceLabels } from './message-form.ts'
import type { Recipients } from './open-messages.ts'

type Props = { audience: Audience; recipients: Recipients }

/** Renders the addresses of an audience to look at or copy, and the people to ring because they have none. */
export function AddressList({ audience, recipients: { families, unreachable } }: Props) {
  if (families.length + unreachable.length === 0) return null
  const id = `addresses-${audience}`
  return (
    <details class="fold">
      <summary>
        {audienceLabels[audience]}: addresses{' '}
        <span class="quiet">{formatNumber(families.length)}</span>
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
          <p id={id} class="secret">
            {families.map(({ email }) => email).join(', ')}
          </p>
          <button type="button" class="button" data-copy={id} hidden>
            Copy the addresses
          </button>
          <DataTable
            label={`Addresses: ${audienceLabels[audience]}`}
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
