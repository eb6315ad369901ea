import type { Context } from 'hono'
import { formatShortDay, formatShortMoment } from '../../model/dates.ts'
import { londonDay } from '../../model/timestamp.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { joinNames } from '../../platform/join-names.ts'
import { formatCount, pluralise } from '../../platform/pluralise.ts'
import type { Register, RegisterEntry } from '../../sign-up/register/register.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form } from '../ui/form.tsx'
import { registerPath } from '../ui/paths.ts'
import { RegisterRow } from './register-row.tsx'

type WaitingListProps = { c: Context<DashboardEnv>; register: Register }

/** People who signed up together, and wait for their places together. */
type WaitingGroup = { entries: RegisterEntry[]; isOffered: boolean }

/** Renders the people who have an offer or wait, as groups in the order in which they asked. */
export function WaitingRows({ c, register }: WaitingListProps) {
  const { event, entries } = register
  const groups = groupWaiting(entries)
  return (
    <>
      {groups.length === 0 ? (
        <p>Nobody is waiting.</p>
      ) : (
        <ol class="waiting">
          {groups.map((group) => (
            <li>
              <div class="row">
                <WaitingSince entries={group.entries} />
                {can(c, 'write') && <WaitingActions c={c} register={register} group={group} />}
              </div>
              <ul class="register">
                {group.entries.map((entry) => (
                  <RegisterRow c={c} eventId={event.eventId} entry={entry} />
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
      {can(c, 'write') && <PlacesForm c={c} register={register} groups={groups} />}
    </>
  )
}

type ActionsProps = WaitingListProps & { group: WaitingGroup }

/** Renders the buttons that give or offer places to a group, or withdraw its offer. */
function WaitingActions({ c, register, group: { entries, isOffered } }: ActionsProps) {
  const needed = entries.length
  const free = freePlaces(register)
  const isVolunteer = entries.some((entry) => entry.isVolunteer)
  if (!isOffered && !isVolunteer && needed > free)
    return (
      <span class="quiet">
        {needed === 1
          ? 'No place is free'
          : `Need ${formatNumber(needed)} places, ${formatNumber(free)} ${pluralise(free, 'is', 'are')} free`}
      </span>
    )
  const target = joinNames(entries.map(({ name }) => name))
  const button = (action: string, text: string) => (
    <button
      type="submit"
      class="button small"
      name="do"
      value={action}
      aria-label={`${text}: ${target}`}
    >
      {text}
    </button>
  )
  return (
    <Form
      action={`${registerPath(c, register.event.eventId)}/waiting`}
      hidden={{ booking: entries.map(({ bookingId }) => bookingId) }}
      class="row"
    >
      {isOffered ? (
        button('withdraw', 'Withdraw offer')
      ) : (
        <>
          {button('offer', pluralise(needed, 'Offer a place', 'Offer places'))}
          {button('give', pluralise(needed, 'Give a place', 'Give places'))}
        </>
      )}
    </Form>
  )
}

/** The places that nobody has and that are offered to nobody; 0 if there are too many people. */
function freePlaces({ event, entries }: Register): number {
  const capacity = event.bookingDetails?.capacityTotal
  if (typeof capacity !== 'number') return Number.POSITIVE_INFINITY
  const taken = entries.filter(
    ({ place, mark, isVolunteer }) =>
      !isVolunteer && mark !== 'absent' && (place === 'held' || place === 'offered'),
  )
  return Math.max(0, capacity - taken.length)
}

type PlacesProps = WaitingListProps & { groups: readonly WaitingGroup[] }

function PlacesForm({ c, register, groups }: PlacesProps) {
  const { event, offerHours } = register
  const { capacityTotal } = event.bookingDetails ?? {}
  const next = groups.find(
    ({ isOffered, entries }) => !isOffered && !entries.some(({ isVolunteer }) => isVolunteer),
  )?.entries
  return (
    <section class="section">
      <h2>Places</h2>
      <Form action={`${registerPath(c, event.eventId)}/places`} class="create">
        <label>
          <span class="label">Number of places</span>
          <input
            name="places"
            inputmode="numeric"
            required
            maxlength={7}
            autocomplete="off"
            value={typeof capacityTotal === 'number' ? String(capacityTotal) : ''}
            aria-describedby="places-help"
          />
        </label>
        <button type="submit" class="button">
          Save places
        </button>
      </Form>
      <p class="quiet after" id="places-help">
        New places are offered to the people who have waited longest, for{' '}
        {formatCount(offerHours, 'hour')}.
        {next &&
          typeof capacityTotal === 'number' &&
          ` With ${formatCount(capacityTotal + next.length - freePlaces(register), 'place')}, the next are ${joinNames(next.map(({ name }) => name))}.`}
      </p>
    </section>
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

/** The groups of a register: first with an offer, then without one. */
function groupWaiting(entries: readonly RegisterEntry[]): WaitingGroup[] {
  const waiting = entries
    .filter(({ place }) => place === 'offered' || place === 'waiting')
    .toSorted((one, other) => one.created.localeCompare(other.created))
  const groups = Map.groupBy(
    waiting,
    ({ place, orderId, bookingId }) => `${place} ${orderId || bookingId}`,
  )
  return [...groups.values()]
    .map((group) => ({
      entries: group,
      isOffered: group.some(({ place }) => place === 'offered'),
    }))
    .toSorted((one, other) => Number(other.isOffered) - Number(one.isOffered))
}
