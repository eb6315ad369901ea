import type { Context } from 'hono'
import { formatDay } from '../../../model/format-day.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import type { Values } from '../../collection/collection-info.ts'
import type { ReferencingRecords } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { formatTime } from '../../ui/format-value.ts'
import { Icon } from '../../ui/icon.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'

/** The number of bookings that a page reads, to count how often somebody came. */
export const maxBookings = 50

const maxShown = 5

type Attendance = 'came' | 'did not come' | 'booked' | 'waiting' | 'cancelled'

/** Returns whether the person of a booking came: a mark of the register counts first, then its date. */
export function findAttendance(booking: Values, today: string): Attendance {
  const { orgStatus, userStatus, attending, date } = booking
  if (orgStatus === 'attended') return 'came'
  if (orgStatus === 'absent') return 'did not come'
  if (userStatus === 'waiting' || userStatus === 'offered') return 'waiting'
  if (userStatus === 'cancelled' || userStatus === 'lapsed') return 'cancelled'
  if (String(date ?? '') >= today) return attending === true ? 'booked' : 'cancelled'
  return attending === true ? 'came' : 'did not come'
}

const words: Readonly<Record<Attendance, string>> = {
  came: 'Came',
  'did not come': 'Did not come',
  booked: 'Booked',
  waiting: 'Waiting list',
  cancelled: 'Cancelled',
}

type Props = {
  c: Context<DashboardEnv>
  /** The bookings of a person, latest first. */
  bookings: ReferencingRecords
  /** The day, such as 2026-11-28. */
  today: string
  personId: string
}

/** Renders the bookings of a person: event, time and whether they came. */
export function PersonBookings({ c, bookings, today, personId }: Props) {
  const { first, total } = bookings
  return (
    <section class="section" id="bookings">
      <h2>
        Bookings <small>{total <= first.length && summarise(first, today)}</small>
      </h2>
      <div class="scroll">
        <table>
          <caption class="visually-hidden">Bookings</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">When</th>
              <th scope="col" class="number">
                Attendance
              </th>
            </tr>
          </thead>
          <tbody>
            {first.slice(0, maxShown).map((booking) => (
              <BookingRow c={c} booking={booking} attendance={findAttendance(booking, today)} />
            ))}
          </tbody>
        </table>
      </div>
      {total > maxShown && (
        <p class="after">
          <a
            href={`${collectionPath(c, 'bookings')}?${new URLSearchParams({ memberId: personId })}`}
          >
            All {formatNumber(total)} bookings
          </a>
        </p>
      )}
    </section>
  )
}

type RowProps = { c: Context<DashboardEnv>; booking: Values; attendance: Attendance }

function BookingRow({ c, booking, attendance }: RowProps) {
  const { bookingId, eventId, childEventId, name, date, start } = booking
  return (
    <tr>
      <th scope="row">
        <a href={recordPath(c, 'events', String(childEventId || eventId))}>{name || 'Event'}</a>
      </th>
      <td>
        <a href={recordPath(c, 'bookings', String(bookingId))}>
          {start ? formatTime(String(start)) : formatDay(String(date ?? ''))}
        </a>
      </td>
      <td class="number">
        <AttendanceText attendance={attendance} />
      </td>
    </tr>
  )
}

/** Renders whether somebody came. Coming bookings stand out. */
export function AttendanceText({ attendance }: { attendance: Attendance }) {
  const text = words[attendance]
  if (attendance === 'booked' || attendance === 'waiting') return <span class="tag">{text}</span>
  if (attendance !== 'came') return <>{text}</>
  return (
    <span class="yes">
      <Icon name="check" class="icon inline" /> {text}
    </span>
  )
}

/** Returns how often a person came: "Came to 7 of 8, with 1 to come". */
function summarise(bookings: readonly Values[], today: string): string {
  const count = (attendance: Attendance) =>
    bookings.filter((booking) => findAttendance(booking, today) === attendance).length
  const [came, missed, coming] = [count('came'), count('did not come'), count('booked')]
  return [
    came + missed > 0 && `Came to ${came} of ${came + missed}`,
    coming > 0 && `${came + missed > 0 ? 'with ' : ''}${coming} to come`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns the day on which a person last came, such as "14 Nov 2026". */
export function findLastCame(bookings: readonly Values[], today: string): string | undefined {
  const last = bookings.find((booking) => findAttendance(booking, today) === 'came')
  return typeof last?.date === 'string' ? formatDay(last.date) : undefined
}
