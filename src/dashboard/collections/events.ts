import { formatDay, formatTime } from '../../model/dates.ts'
import { londonDay } from '../../model/timestamp.ts'
import type { CollectionPages, ShownValues } from './collection-pages.ts'

export const events: CollectionPages = {
  choice: { detail: describeDate, startsAt: 'start' },
  linkParameter: 'event',
  columns: ['name', 'start', 'venue.name', 'bookingDetails.capacityTotal', 'attendees', 'tags'],
  newestBy: 'start',
  searched: ['name', 'venue.name'],
  filters: ['start', 'tags'],
  labels: {
    start: 'Starts',
    end: 'Ends',
    concluded: 'Completed',
    attendees: 'Attendance',
    outcomeIds: 'Outcomes',
    bookable: 'Open for booking',
    parentEventId: 'Series',
    'recurrence.type': 'Repeats',
    'recurrence.recurring': 'Repeating',
    'recurrence.rrule': 'Repetition',
    'bookingDetails.capacityTotal': 'Places',
    'bookingDetails.volunteerCapacityTotal': 'Places for volunteers',
    'bookingDetails.price': 'Price',
    'bookingDetails.privateEvent': 'Invitation only',
    'bookingDetails.bookable': 'Places can be booked',
    'bookingDetails.bookVolunteers': 'Volunteers can book',
    'bookingDetails.contactEmail': 'E-mail address for questions',
    'bookingDetails.contactPhone': 'Phone number for questions',
    'venue.name': 'Venue',
    'venue.venueId': 'Number of the venue',
    'venue.bookable': 'The venue takes bookings',
  },
  report: { by: 'tags', date: 'start' },
}

/** The date of an event in words; of a series, the first one. */
function describeDate({ start }: ShownValues, isSeries: boolean): string {
  if (typeof start !== 'string') return ''
  const date = formatDay(londonDay(start))
  return isSeries ? `All dates, the first on ${date}` : `${date}, ${formatTime(start)}`
}
