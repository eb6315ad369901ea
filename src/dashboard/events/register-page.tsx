import type { Context } from 'hono'
import { formatNumber } from '../../platform/format-number.ts'
import type { LikelyMember } from '../../sign-up/register/likely-members.ts'
import type { Register, RegisterEntry } from '../../sign-up/register/register.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Fact } from '../ui/fact.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath, recordPath } from '../ui/paths.ts'
import { Time, Value } from '../ui/value.tsx'
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
  const { eventId, name, start, bookingDetails } = event
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
  const capacity = bookingDetails?.capacityTotal ?? null
  return (
    <Page
      c={c}
      title={name || eventId}
      crumbs={[{ name: 'Events', href: dashboardPath(c, '/events') }]}
      tabs={[]}
      lead={<Time value={start ?? null} />}
      actions={
        <>
          {can(c, 'read') && (
            <a class="button" href={recordPath(c, 'events', eventId)}>
              Event
            </a>
          )}
          <Menu label="More actions for this event" isRare>
            <li>
              <button type="button" data-print hidden>
                Print
              </button>
            </li>
            {can(c, 'write') && (
              <li>
                <a href={questionsPath(c, eventId)}>Questions</a>
              </li>
            )}
          </Menu>
          <a class="button primary" href="#walk-in">
            Add walk-in
          </a>
        </>
      }
    >
      <Notice message={notice} />
      <div class="split">
        <div>
          <Counts entries={held ?? []} capacity={capacity} />
          <div data-register>
            <div class="toolbar" hidden data-tools>
              <div class="search">
                <Icon name="search" />
                <input
                  type="search"
                  aria-label="Find a name"
                  placeholder="Find a name"
                  autocomplete="off"
                  data-find
                />
              </div>
              <label class="choice">
                <input type="checkbox" data-unmarked />
                <span>Only people to mark</span>
              </label>
            </div>
            <p class="notice warn" role="status" data-queue hidden></p>
            <section aria-label="Booked">
              {isCut && (
                <p class="notice">
                  These are the first {formatNumber(entries.length)} bookings. Mark the others in
                  their records.
                </p>
              )}
              {held?.length === 0 && <p>Nobody has booked.</p>}
              {rows(held)}
            </section>
            {waiting && waiting.length > 0 && (
              <section class="section" id="waiting">
                <h2>
                  Waiting list <small>{formatNumber(waiting.length)}</small>
                </h2>
                {rows(waiting)}
              </section>
            )}
            {givenUp && givenUp.length > 0 && (
              <details class="fold">
                <summary>
                  Cancelled <span class="quiet">{formatNumber(givenUp.length)}</span>
                </summary>
                {rows(givenUp)}
              </details>
            )}
          </div>
          <WalkInForm c={c} eventId={eventId} fields={register.walkInFields} {...walkIn} />
          <ScanForm c={c} eventId={eventId} />
        </div>
        <EventFacts event={event} capacity={capacity} />
      </div>
      <script src="/assets/register.js" defer />
    </Page>
  )
}

function EventFacts({
  event: { venue, bookingDetails, tags = [] },
  capacity,
}: {
  event: Register['event']
  capacity: number | null
}) {
  const { free, price } = bookingDetails ?? {}
  const places = [venue?.name, venue?.address, venue?.postcode].filter(Boolean).join(', ')
  return (
    <aside aria-labelledby="facts" class="wide-only">
      <section>
        <h2 class="title" id="facts">
          This date
        </h2>
        <dl class="facts">
          {places !== '' && <Fact label="Where">{places}</Fact>}
          {(free || typeof price === 'number') && (
            <Fact label="Price">
              {free ? 'Free' : <Value value={price} type="number" format="money" />}
            </Fact>
          )}
          <Fact label="Places">{capacity === null ? 'Unlimited' : formatNumber(capacity)}</Fact>
          {tags.length > 0 && (
            <Fact label="Tags">
              <Value value={tags} type="list" />
            </Fact>
          )}
        </dl>
      </section>
    </aside>
  )
}

type CountsProps = { entries: readonly RegisterEntry[]; capacity: number | null }

/** Renders how many people came, did not come and are still to mark. The script updates the numbers. */
function Counts({ entries, capacity }: CountsProps) {
  const count = (mark: RegisterEntry['mark']) =>
    entries.filter((entry) => entry.mark === mark).length
  const parts = [
    { mark: 'attended', value: count('attended'), label: 'came', class: '' },
    { mark: 'absent', value: count('absent'), label: 'did not come', class: 'warn' },
    { mark: '', value: count(undefined), label: 'to mark', class: 'soft' },
  ]
  const share = (value: number) => `${(100 * value) / Math.max(1, entries.length)}%`
  const booked = entries.filter(({ isVolunteer }) => !isVolunteer).length
  return (
    <section aria-label="Places" class="places">
      <p class="counts">
        {parts.map(({ mark, value, label, class: className }) => (
          <span class={`dot ${className}`}>
            <strong data-count={mark}>{value}</strong> {label}
          </span>
        ))}
        {capacity !== null && (
          <span class="end">
            {formatNumber(booked)} of {formatNumber(capacity)} places
          </span>
        )}
      </p>
      <svg class="meter" aria-hidden="true">
        {parts.map(({ mark, value, class: className }, index) => (
          <rect
            class={`fill ${className}`}
            data-share={mark}
            x={share(parts.slice(0, index).reduce((sum, part) => sum + part.value, 0))}
            width={share(value)}
            height="100%"
          />
        ))}
      </svg>
    </section>
  )
}
