import type { Context } from 'hono'
import { formatMonth, formatTime } from '../../model/dates.ts'
import { fromLondon, londonDay } from '../../model/timestamp.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath, newRecordPath, recordPath, registerPath } from '../ui/paths.ts'
import { type EventFigure, listEvents } from './list-events.ts'

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Renders the events of a month as a calendar, on a phone as a list by day. */
export async function renderEventsPage(c: Context<DashboardEnv>) {
  const today = londonDay(Date.now())
  const month = parseMonth(c.req.query('month')) ?? today.slice(0, 7)
  const { events, isCut } = await listEvents(c.var.store, {
    from: startOfMonth(month),
    before: startOfMonth(addMonths(month, 1)),
  })
  const path = dashboardPath(c, '/events')
  const title = formatMonth(month)
  return c.html(
    <Page
      c={c}
      title="Events"
      actions={
        can(c, 'write') && (
          <a class="button primary" href={newRecordPath(c, 'events')}>
            New event
          </a>
        )
      }
    >
      <nav class="toolbar" aria-label="Month">
        <a
          class="button square"
          href={`${path}?month=${addMonths(month, -1)}`}
          aria-label="Previous month"
        >
          <Icon name="prev" />
        </a>
        <h2>{title}</h2>
        <a
          class="button square"
          href={`${path}?month=${addMonths(month, 1)}`}
          aria-label="Next month"
        >
          <Icon name="next" />
        </a>
        {month !== today.slice(0, 7) && (
          <a class="button" href={path}>
            This month
          </a>
        )}
      </nav>
      {isCut && <p class="notice">The month has more events: see All events.</p>}
      {events.length === 0 && <p class="after">No events in {title}.</p>}
      <Calendar c={c} month={month} today={today} events={events} />
    </Page>,
  )
}

type CalendarProps = {
  c: Context<DashboardEnv>
  month: string
  today: string
  events: readonly EventFigure[]
}

function Calendar({ c, month, today, events }: CalendarProps) {
  const eventsByDay = Map.groupBy(events, ({ start }) => londonDay(start))
  return (
    <>
      <div class="calendar-head" aria-hidden="true">
        {dayNames.map((name) => (
          <span>{name}</span>
        ))}
      </div>
      <ol class="calendar">
        {listDays(month).map((day) => {
          const dayEvents = eventsByDay.get(day) ?? []
          const weekday = weekdayOf(day)
          return (
            <li
              class={dayEvents.length === 0 ? 'empty' : undefined}
              data-weekday={day.endsWith('-01') ? weekday : undefined}
              aria-current={day === today ? 'date' : undefined}
            >
              <time datetime={day}>
                <span class="narrow-only">{dayNames[weekday - 1]} </span>
                {Number(day.slice(8))}
              </time>
              {dayEvents.length > 0 && (
                <ul>
                  {dayEvents.map((event) => (
                    <CalendarEvent c={c} event={event} />
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ol>
    </>
  )
}

function CalendarEvent({ c, event }: { c: Context<DashboardEnv>; event: EventFigure }) {
  const { id, name, start, attending, capacity } = event
  const places = capacity === undefined ? '' : ` of ${formatNumber(capacity)}`
  return (
    <li>
      <a href={can(c, 'take-registers') ? registerPath(c, id) : recordPath(c, 'events', id)}>
        {name}
      </a>
      <small>
        {formatTime(start)}
        {attending !== undefined && `, ${formatNumber(attending)}${places}`}
      </small>
    </li>
  )
}

const parseMonth = (text = '') => (/^(19|20|21)\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : undefined)

/** The month that is `count` months after a month, as `2026-11`. */
function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

const startOfMonth = (month: string) => String(fromLondon(`${month}-01T00:00`))

/** The days of a month. */
function listDays(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from(
    { length: lastDay },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`,
  )
}

/** 1 for Monday to 7 for Sunday. */
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7
