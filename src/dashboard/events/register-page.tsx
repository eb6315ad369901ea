import type { Context } from 'hono'
import { formatPeriod, formatShortDay } from '../../model/dates.ts'
import { londonDay } from '../../model/timestamp.ts'
import { venueLines } from '../../model/venue.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { LikelyMember } from '../../sign-up/register/likely-members.ts'
import type { Neighbours } from '../../sign-up/register/neighbours.ts'
import type { Register, RegisterEntry } from '../../sign-up/register/register.ts'
import type { DatedEvent } from '../../store/sign-up/dates.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Fact } from '../ui/fact.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, Tabs } from '../ui/page.tsx'
import {
  dashboardPath,
  eventQuestionsPath,
  messagesPath,
  recordPath,
  registerPath,
} from '../ui/paths.ts'
import { Value } from '../ui/value.tsx'
import { RegisterRow } from './register-row.tsx'
import { ScanForm } from './scan-form.tsx'
import { signInSheetPath } from './sheet-page.tsx'
import { currentTab, type RegisterTab, tabQuery } from './tab.ts'
import { WaitingRows } from './waiting-list.tsx'
import { WalkInForm, type WalkInFormProps } from './walk-in-form.tsx'

type Props = {
  c: Context<DashboardEnv>
  register: Register
  neighbours: Neighbours
  /** The members who may be the person of a booking, by its id. */
  likely: ReadonlyMap<string, readonly LikelyMember[]>
  notice: string | undefined
  /** The values and errors of a walk-in who was not added. */
  walkIn?: RejectedWalkIn | undefined
}

export type RejectedWalkIn = Pick<WalkInFormProps, 'values' | 'errors'>

/**
 * Renders the register of an event: one tap marks who came. The page has the rows of every tab, so that its script
 * changes tabs without a connection.
 */
export function RegisterPage({ c, register, neighbours, likely, notice, walkIn }: Props) {
  const { event, entries } = register
  const { eventId, name, start, end, bookingDetails } = event
  const held = entries.filter(({ place }) => place === 'held')
  const offered = entries.filter(({ place }) => place === 'offered')
  const capacity = bookingDetails?.capacityTotal ?? null
  return (
    <Page
      c={c}
      title={name || eventId}
      crumbs={[{ name: 'Events', href: dashboardPath(c, '/events') }, ...linkSeries(c, event)]}
      tabs={[]}
      lead={start ? formatPeriod(start, end).join(', ') : undefined}
      actions={<RegisterActions c={c} event={event} neighbours={neighbours} />}
    >
      <Notice message={notice} />
      <div class="split">
        <div>
          <Counts entries={held} offered={offered.length} capacity={capacity} />
          <div data-register>
            <p class="notice warn" role="status" data-queue hidden></p>
            <RegisterTabs c={c} register={register} />
            <div hidden={currentTab(c) === 'waiting'} data-panel="booked">
              <Booked c={c} register={register} likely={likely} />
            </div>
            <section
              aria-label="Waiting"
              hidden={currentTab(c) !== 'waiting'}
              data-panel="waiting"
              id="waiting"
            >
              <WaitingRows c={c} register={register} />
            </section>
          </div>
          <WalkInForm c={c} eventId={eventId} fields={register.walkInFields} {...walkIn} />
          <ScanForm c={c} eventId={eventId} />
          <div class="save narrow-only">
            <a class="button" href="#scan">
              <Icon name="scan" />
              Scan codes
            </a>
            <a class="button primary" href="#walk-in">
              Add walk-in
            </a>
          </div>
        </div>
        <EventFacts event={event} capacity={capacity} />
      </div>
      <script src="/assets/register.js" defer />
    </Page>
  )
}

/** The link from a date to the page of its series. */
const linkSeries = (c: Context<DashboardEnv>, { parentEventId }: Register['event']) =>
  parentEventId && can(c, 'read')
    ? [{ name: 'All dates', href: recordPath(c, 'events', parentEventId) }]
    : []

function RegisterTabs({ c, register: { event, entries } }: Pick<Props, 'c' | 'register'>) {
  const path = registerPath(c, event.eventId)
  const held = entries.filter(({ place }) => place === 'held')
  const waiting = entries.filter(({ place }) => place === 'offered' || place === 'waiting')
  const tab = (name: string, tab: RegisterTab, count: number) => ({
    name,
    href: path + tabQuery(tab),
    isCurrent: currentTab(c) === tab,
    count,
  })
  return (
    <div data-tabs>
      <Tabs
        label="Register"
        tabs={[
          tab('Booked', 'booked', held.length),
          tab('To mark', 'to-mark', held.filter(({ mark }) => mark === undefined).length),
          tab('Waiting', 'waiting', waiting.length),
        ]}
      />
    </div>
  )
}

/** Renders the people with a place, or only those without a mark, and the cancelled bookings. */
function Booked({ c, register, likely }: Pick<Props, 'c' | 'register' | 'likely'>) {
  const { event, entries, isCut } = register
  const isToMark = currentTab(c) === 'to-mark'
  const [held, givenUp] = (['held', 'given up'] as const).map((place) =>
    entries.filter((entry) => entry.place === place),
  )
  const rows = (shown: readonly RegisterEntry[] = []) => (
    <ul class="register">
      {shown.map((entry) => (
        <RegisterRow
          c={c}
          eventId={event.eventId}
          entry={entry}
          likely={likely.get(entry.bookingId)}
          isHidden={isToMark && entry.mark !== undefined}
        />
      ))}
    </ul>
  )
  return (
    <>
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
        <button type="button" class="button" data-mark-all>
          Mark all as came
        </button>
      </div>
      <section aria-label="Booked">
        {isCut && (
          <p class="notice">
            These are the first {formatNumber(entries.length)} bookings. Mark the others in their
            records.
          </p>
        )}
        {held?.length === 0 && <p>Nobody has booked.</p>}
        {rows(held)}
      </section>
      {givenUp && givenUp.length > 0 && (
        <details class="fold" hidden={isToMark} data-given-up>
          <summary>
            Cancelled <span class="quiet">{formatNumber(givenUp.length)}</span>
          </summary>
          {rows(givenUp)}
        </details>
      )}
    </>
  )
}

type ActionsProps = Pick<Props, 'c' | 'neighbours'> & { event: Register['event'] }

function RegisterActions({ c, event: { eventId, parentEventId }, neighbours }: ActionsProps) {
  const { previous, next } = neighbours
  const label = ({ name, start }: DatedEvent) =>
    parentEventId ? formatShortDay(londonDay(start)) : name
  return (
    <>
      {(previous || next) && (
        <nav class="dates-nav" aria-label={parentEventId ? 'Other dates' : 'Events of the day'}>
          {previous && (
            <a class="button plain" href={registerPath(c, previous.id)} rel="prev">
              <Icon name="prev" />
              <span class="visually-hidden">Previous: </span>
              {label(previous)}
            </a>
          )}
          {next && (
            <a class="button plain" href={registerPath(c, next.id)} rel="next">
              <span class="visually-hidden">Next: </span>
              {label(next)}
              <Icon name="next" />
            </a>
          )}
        </nav>
      )}
      <a class="button wide-only" href="#scan">
        <Icon name="scan" />
        Scan codes
      </a>
      <Menu label="More actions for this event" isRare>
        <li>
          <a href={signInSheetPath(c, eventId)}>Print a sign-in sheet</a>
        </li>
        {can(c, 'read') && (
          <li>
            <a href={recordPath(c, 'events', eventId)}>Open the event</a>
          </li>
        )}
        {can(c, 'write') && (
          <>
            <li>
              <a href={`${registerPath(c, eventId)}/sign-ups/csv`}>Download as CSV</a>
            </li>
            <li>
              <a href={`${registerPath(c, eventId)}/sign-ups/xlsx`}>Download as Excel</a>
            </li>
            <li>
              <a href={messagesPath(c, eventId)}>Messages</a>
            </li>
            <li>
              <a href={messagesPath(c, eventId, '/cancel')}>Cancel the event</a>
            </li>
            <li>
              <a href={eventQuestionsPath(c, eventId)}>Questions</a>
            </li>
          </>
        )}
      </Menu>
      <a class="button primary wide-only" href="#walk-in">
        Add walk-in
      </a>
    </>
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
  const place = venueLines(venue)
  return (
    <aside aria-labelledby="facts" class="wide-only">
      <section>
        <h2 class="title" id="facts">
          This date
        </h2>
        <dl class="facts">
          {place.length > 0 && (
            <Fact label="Where">
              <span class="lines">{place.join('\n')}</span>
            </Fact>
          )}
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

type CountsProps = {
  entries: readonly RegisterEntry[]
  /** The number of offered places, which nobody else can have. */
  offered: number
  capacity: number | null
}

/** Renders how many people came, did not come and are still to mark. The script updates the numbers. */
function Counts({ entries, offered, capacity }: CountsProps) {
  const count = (mark: RegisterEntry['mark']) =>
    entries.filter((entry) => entry.mark === mark).length
  const parts = [
    { mark: 'attended', value: count('attended'), label: 'came', class: '' },
    { mark: 'absent', value: count('absent'), label: 'did not come', class: 'warn' },
    { mark: '', value: count(undefined), label: 'to mark', class: 'soft' },
  ]
  const share = (value: number) => `${(100 * value) / Math.max(1, entries.length)}%`
  const taken = entries.filter(({ isVolunteer }) => !isVolunteer).length + offered
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
            {formatNumber(taken)} of {formatNumber(capacity)} places
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
