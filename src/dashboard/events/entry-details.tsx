import type { Context } from 'hono'
import type { RegisterEntry } from '../../sign-up/register/register.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { ActionButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { recordPath, registerPath } from '../ui/paths.ts'
import { currentTab, tabQuery } from './tab.ts'

type EntryProps = { c: Context<DashboardEnv>; entry: RegisterEntry }

type OpenedProps = EntryProps & { eventId: string }

/** Renders the name on a register, which opens the person's details below the row. */
export function EntryName({ c, entry }: EntryProps) {
  const { name, age, bookedBy, isVolunteer, answers } = entry
  const details = [
    ...(age === undefined ? [] : [`Aged ${age}`]),
    ...(isVolunteer ? ['Volunteer'] : []),
    ...(bookedBy === undefined ? [] : [`Booked by ${bookedBy}`]),
  ]
  const content = (
    <>
      <span>{name}</span>
      {details.length > 0 && <small>{details.join(', ')}</small>}
      {answers.filter(needsAttention).map(({ label, answer }) => (
        <span class="tag warn">
          <Icon name="alert" class="icon inline" />{' '}
          {answer.length > maxTagCharacters ? label : answer}
        </span>
      ))}
      <small data-pending hidden>
        Waiting to send
      </small>
    </>
  )
  return hasDetails(c, entry) ? (
    <details class="who">
      <summary>{content}</summary>
    </details>
  ) : (
    <div class="who">{content}</div>
  )
}

/** Renders the details that a name opens: answers, the contact, the member's page, and the end of the booking. */
export function OpenedEntry({ c, entry, eventId }: OpenedProps) {
  const { bookingId, name, memberId, answers, contact } = entry
  if (!hasDetails(c, entry)) return null
  return (
    <div class="opened">
      {answers.map(({ label, answer }) => (
        <p>
          <strong>{label}</strong> {answer}
        </p>
      ))}
      {contact && (contact.phone !== '' || contact.email !== '') && (
        <p class="row">
          {contact.phone !== '' && (
            <a class="button small" href={`tel:${contact.phone.replaceAll(/[^\d+]/g, '')}`}>
              <Icon name="phone" />
              {contact.phone}
            </a>
          )}
          {contact.email !== '' && (
            <a class="link" href={`mailto:${encodeURIComponent(contact.email)}`}>
              {contact.email}
            </a>
          )}
          {contact.name !== name && <span class="quiet">{contact.name}</span>}
        </p>
      )}
      {leadsToMember(c, entry) && (
        <p>
          <a class="link" href={recordPath(c, 'members', memberId)}>
            Open {name}’s page
          </a>
        </p>
      )}
      {canCancel(c, entry) && (
        <ActionButton
          action={`${registerPath(c, eventId)}/waiting${tabQuery(currentTab(c))}`}
          hidden={{ do: 'cancel', booking: bookingId }}
          label="Cancel the booking"
          target={`of ${name}`}
          class="link"
        />
      )}
    </div>
  )
}

const leadsToMember = (c: Context<DashboardEnv>, { memberId }: RegisterEntry) =>
  memberId !== '' && can(c, 'read')

const canCancel = (c: Context<DashboardEnv>, { mark, place }: RegisterEntry) =>
  mark === undefined && place !== 'given up' && can(c, 'write')

const hasDetails = (c: Context<DashboardEnv>, entry: RegisterEntry) =>
  canCancel(c, entry) ||
  entry.answers.length > 0 ||
  leadsToMember(c, entry) ||
  Boolean(entry.contact?.phone || entry.contact?.email)

const maxTagCharacters = 40

/** Whether an answer is a need such as an allergy, which stands out on the register. */
export const needsAttention = ({ answer, isSpecial }: RegisterEntry['answers'][number]) =>
  isSpecial && !/^(?:no|none|nothing|n\/?a|not applicable|-|–)\.?$/i.test(answer)
