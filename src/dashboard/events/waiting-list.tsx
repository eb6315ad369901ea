import type { Context } from 'hono'
import { formatShortDay, formatShortMoment } from '../../model/dates.ts'
import { londonDay } from '../../model/timestamp.ts'
import type { Register, RegisterEntry } from '../../sign-up/register/register.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { RegisterRow } from './register-row.tsx'

type WaitingListProps = { c: Context<DashboardEnv>; register: Register }

/** People who signed up together, and wait for their places together. */
type WaitingGroup = { key: string; entries: RegisterEntry[]; isOffered: boolean }

/** Renders the people who have an offer or wait, as groups in the order in which they asked. */
export function WaitingList({ c, register }: WaitingListProps) {
  const groups = groupWaiting(register.entries)
  if (groups.length === 0) return <p>Nobody is waiting.</p>
  return (
    <ol class="waiting">
      {groups.map(({ entries }) => (
        <li>
          <p class="row">
            <WaitingSince entries={entries} />
          </p>
          <ul class="register">
            {entries.map((entry) => (
              <RegisterRow c={c} eventId={register.event.eventId} entry={entry} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

/** Renders when a group asked, or until when it has an offer. */
function WaitingSince({ entries }: { entries: readonly RegisterEntry[] }) {
  const [first] = entries
  if (first?.heldUntil && first.place === 'offered')
    return <span class="tag warn">Offered until {formatShortMoment(first.heldUntil)}</span>
  return (
    <span class="quiet">
      {first?.created
        ? `Asked on ${formatShortDay(londonDay(first.created))}`
        : 'On the waiting list'}
    </span>
  )
}

/** The groups of a register that have an offer, then those that wait. */
function groupWaiting(entries: readonly RegisterEntry[]): WaitingGroup[] {
  const waiting = entries
    .filter(({ place }) => place === 'offered' || place === 'waiting')
    .toSorted((one, other) => one.created.localeCompare(other.created))
  const groups = Map.groupBy(
    waiting,
    ({ place, orderId, bookingId }) => `${place} ${orderId || bookingId}`,
  )
  return [...groups]
    .map(([key, group]) => ({
      key,
      entries: group,
      isOffered: group.some(({ place }) => place === 'offered'),
    }))
    .toSorted((one, other) => Number(other.isOffered) - Number(one.isOffered))
}
