import type { Context } from 'hono'
import { formatNumber } from '../../platform/format-number.ts'
import type { LikelyMember } from '../../sign-up/register/likely-members.ts'
import type { Register, RegisterEntry } from '../../sign-up/register/register.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath, recordPath } from '../ui/paths.ts'
import { Time } from '../ui/value.tsx'
import { questionsPath } from './questions.tsx'
import { RegisterRow } from './register-row.tsx'
import { ScanForm } from './scan-form.tsx'
import { WalkInForm, type WalkInFormProps } from './walk-in-form.tsx'

type Props = {
  c: Context<DashboardEnv>
  register: Register
  /** The members who may be the person of a booking, by its id. */
  likely: ReadonlyMap<string, readonly LikelyMember[]>
  notice: string | undefined
  /** The values and errors of a walk-in who was not added. */
  walkIn?: RejectedWalkIn | undefined
}

export type RejectedWalkIn = Pick<WalkInFormProps, 'values' | 'errors'>

/** Renders the register of an event: one tap marks who came. */
export function RegisterPage({ c, register, likely, notice, walkIn }: Props) {
  const { event, entries, isCut } = register
  const { eventId, name, start, venue, bookingDetails } = event
  const [held, waiting, givenUp] = (['held', 'waiting', 'given up'] as const).map((place) =>
    entries.filter((entry) => entry.place === place),
  )
  const rows = (shown: readonly RegisterEntry[] = []) => (
    <ul class="register">
      {shown.map((entry) => (
        <RegisterRow c={c} eventId={eventId} entry={entry} likely={likely.get(entry.bookingId)} />
      ))}
    </ul>
  )
  return (
    <Page
      c={c}
      title={name || eventId}
      actions={
        <>
          <button type="button" data-print hidden>
            Print
          </button>
          <a class="button" href="#walk-in">
            Add walk-in
          </a>
          {can(c, 'write') && (
            <a class="button" href={questionsPath(c, eventId)}>
              Questions
            </a>
          )}
          {can(c, 'read') && (
            <a class="button" href={recordPath(c, 'events', eventId)}>
              Details
            </a>
          )}
        </>
      }
    >
      <Notice message={notice} />
      <p>
        <a href={dashboardPath(c, '/events')}>Events</a>
      </p>
      <p class="small">
        <Time value={start ?? null} />
        {venue?.name && `, ${venue.name}`}
      </p>
      <Counts entries={held ?? []} capacity={bookingDetails?.capacityTotal ?? null} />
      <ScanForm c={c} eventId={eventId} />
      <div data-register>
        <p class="notice" role="status" data-queue hidden></p>
        <div class="register-tools" hidden data-tools>
          <label>
            Find a name
            <input type="search" autocomplete="off" data-find />
          </label>
          <label>
            <input type="checkbox" data-unmarked /> Only people to mark
          </label>
        </div>
        <section>
          <h2>Booked</h2>
          {isCut && (
            <p class="notice">
              These are the first {entries.length.toLocaleString('en-GB')} bookings. Mark the others
              in their records.
            </p>
          )}
          {held?.length === 0 && <p>Nobody has booked.</p>}
          {rows(held)}
        </section>
        {waiting && waiting.length > 0 && (
          <section>
            <h2>Waiting list</h2>
            {rows(waiting)}
          </section>
        )}
        {givenUp && givenUp.length > 0 && (
          <details>
            <summary>Cancelled ({formatNumber(givenUp.length)})</summary>
            {rows(givenUp)}
          </details>
        )}
      </div>
      <WalkInForm c={c} eventId={eventId} fields={register.walkInFields} {...walkIn} />
      <script src="/assets/register.js" defer />
    </Page>
  )
}

type CountsProps = { entries: readonly RegisterEntry[]; capacity: number | null }

/** Renders how many people came, did not come and are still to mark. The script updates the numbers. */
function Counts({ entries, capacity }: CountsProps) {
  const count = (mark: RegisterEntry['mark']) =>
    entries.filter((entry) => entry.mark === mark).length
  const [came, absent, unmarked] = [count('attended'), count('absent'), count(undefined)]
  return (
    <p class="counts">
      <span>
        <strong data-count="attended">{came}</strong> came
      </span>
      <span>
        <strong data-count="absent">{absent}</strong> did not come
      </span>
      <span>
        <strong data-count="">{unmarked}</strong> to mark
      </span>
      {capacity !== null && (
        <span>
          {entries.filter(({ isVolunteer }) => !isVolunteer).length} of {capacity} places
        </span>
      )}
    </p>
  )
}
