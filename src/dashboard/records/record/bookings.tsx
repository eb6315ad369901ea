import { formatShortDay, formatShortMoment } from '../../../model/dates.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import type { Attendance } from '../../../sign-up/who-came.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import { Icon } from '../../ui/icon.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import type { RelatedProps } from './record-layout.ts'

/** The number of bookings that a page reads, to count how often somebody came. */
export const maxShownBookings = 50

const maxShown = 5

const words: Readonly<Record<Attendance, string>> = {
  came: 'Came',
  'did not come': 'Did not come',
  booked: 'Booked',
  'not marked': 'Not marked',
  waiting: 'Waiting list',
  cancelled: 'Cancelled',
}

/** Whether the people of bookings came, by booking id. */
type Attendances = ReadonlyMap<string, Attendance>

/** Renders the bookings of a person, latest first: event, time and whether they came. */
export function PersonBookings({ c, view, group }: RelatedProps) {
  const { attendance, record } = view
  const { first, total } = group
  return (
    <section class="section" id="bookings">
      <h2>
        Bookings{' '}
        <small>{total <= first.length && summariseAttendance([...attendance.values()])}</small>
      </h2>
      <DataTable
        label="Bookings"
        columns={[
          {
            heading: 'Event',
            cell: ({ eventId, childEventId, name }) => (
              <a href={recordPath(c, 'events', String(childEventId || eventId))}>
                {name || 'Event'}
              </a>
            ),
          },
          {
            heading: 'When',
            cell: ({ bookingId, start, date }) => (
              <a href={recordPath(c, 'bookings', String(bookingId))}>
                {start ? formatShortMoment(String(start)) : formatShortDay(String(date ?? ''))}
              </a>
            ),
          },
          {
            heading: 'Attendance',
            isRightAligned: true,
            cell: ({ bookingId }) => (
              <AttendanceText attendance={attendance.get(String(bookingId))} />
            ),
          },
        ]}
        rows={first.slice(0, maxShown)}
      />
      {total > maxShown && (
        <p class="after">
          <a
            href={`${collectionPath(c, 'bookings')}?${new URLSearchParams({ memberId: record.id })}`}
          >
            All {formatNumber(total)} bookings
          </a>
        </p>
      )}
    </section>
  )
}

export const describeAttendance = (attendance: Attendance): string => words[attendance]

/** Renders whether somebody came. Coming bookings stand out. */
export function AttendanceText({ attendance }: { attendance: Attendance | undefined }) {
  if (!attendance) return null
  const text = describeAttendance(attendance)
  if (attendance === 'booked' || attendance === 'waiting' || attendance === 'not marked')
    return <span class="tag">{text}</span>
  if (attendance !== 'came') return <>{text}</>
  return (
    <span class="yes">
      <Icon name="check" class="icon inline" /> {text}
    </span>
  )
}

/** How many people of an event came: "7 came, 2 not marked". */
export function countMarks(attendances: readonly Attendance[]): string {
  return (['came', 'not marked'] as const)
    .map((wanted) => ({ wanted, count: attendances.filter((one) => one === wanted).length }))
    .filter(({ count }) => count > 0)
    .map(({ wanted, count }) => `${count} ${wanted}`)
    .join(', ')
}

/** How often a person came: "Came to 7 of 8, 2 not marked, 1 to come". */
function summariseAttendance(attendances: readonly Attendance[]): string {
  const count = (wanted: Attendance) => attendances.filter((one) => one === wanted).length
  const came = count('came')
  const decided = came + count('did not come')
  const notMarked = count('not marked')
  const coming = count('booked')
  return [
    decided > 0 && `Came to ${came} of ${decided}`,
    notMarked > 0 && `${notMarked} not marked`,
    coming > 0 && `${coming} to come`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** The day on which a person last came, such as "14 Nov 2026". */
export function findLastCame(
  bookings: readonly ShownValues[],
  attendance: Attendances,
): string | undefined {
  const last = bookings.find(({ bookingId }) => attendance.get(String(bookingId)) === 'came')
  return typeof last?.date === 'string' ? formatShortDay(last.date) : undefined
}
