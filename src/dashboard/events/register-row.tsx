import type { Context } from 'hono'
import type { LikelyMember } from '../../sign-up/register/likely-members.ts'
import type { RegisterEntry } from '../../sign-up/register/register.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { recordPath } from '../ui/paths.ts'
import { EntryName, OpenedEntry } from './entry-details.tsx'
import { MarkForm } from './mark-form.tsx'

type RowProps = {
  c: Context<DashboardEnv>
  eventId: string
  entry: RegisterEntry
  /** The members who may be the person. */
  likely?: readonly LikelyMember[] | undefined
  isHidden?: boolean
}

/** Renders a booking with its mark. */
export function RegisterRow({ c, eventId, entry, likely = [], isHidden }: RowProps) {
  const { bookingId, name, mark } = entry
  return (
    <li data-booking={bookingId} data-mark={mark} hidden={isHidden}>
      <EntryName c={c} entry={entry} />
      <MarkForm
        c={c}
        eventId={eventId}
        bookingId={bookingId}
        buttonsClass="toggle"
        label={name}
        buttons={[
          {
            name: 'came',
            value: mark === 'attended' ? 'null' : 'true',
            text: 'Came',
            icon: 'check',
            isPressed: mark === 'attended',
          },
          {
            name: 'came',
            value: mark === 'absent' ? 'null' : 'false',
            text: 'Did not come',
            icon: 'close',
            isPressed: mark === 'absent',
          },
        ]}
      />
      <OpenedEntry c={c} entry={entry} eventId={eventId} />
      {likely.map((member) => (
        <div class="notice">
          <p>
            May be <a href={recordPath(c, 'members', member.memberId)}>{member.name}</a>: same{' '}
            {member.same.map((detail) => detailNames[detail]).join(' and ')}.
          </p>
          <MarkForm
            c={c}
            eventId={eventId}
            bookingId={bookingId}
            buttonsClass="row"
            label={`Is ${name} the member ${member.name}?`}
            came="true"
            buttons={[{ name: 'memberId', value: member.memberId, text: 'Same person' }]}
          />
        </div>
      ))}
      {likely.length > 0 && (
        <MarkForm
          c={c}
          eventId={eventId}
          bookingId={bookingId}
          buttonsClass="row"
          label={`Is ${name} somebody new?`}
          came="true"
          buttons={[{ name: 'memberId', value: 'new', text: 'Somebody new' }]}
        />
      )}
    </li>
  )
}

const detailNames = { name: 'name', email: 'e-mail address', phone: 'phone number' } as const
