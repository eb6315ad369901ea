import type { CollectionPages } from './collection-pages.ts'
import { dayOf } from './words.ts'

export const bookings: CollectionPages = {
  title: ({ userName, name, date }) => [userName, name || dayOf(date)],
  columns: ['userName', 'eventId', 'date', 'userStatus', 'attending', 'ticketName'],
  newestBy: 'date',
  searched: ['userName', 'userEmail', 'name'],
  filters: ['date', 'event.tags', 'userStatus'],
  labels: {
    eventId: 'Event',
    childEventId: 'Occurrence',
    memberId: 'Member',
    name: 'Event at booking',
    userName: 'Name',
    userEmail: 'E-mail',
    userStatus: 'Status',
    orgStatus: 'Our status',
    bookingType: 'Kind of person',
    type: 'Kind of booking',
    ticketName: 'Ticket',
    customPrice: 'Price',
    start: 'Starts',
    end: 'Ends',
    duration: 'Minutes',
  },
  report: { by: 'event.tags', date: 'date' },
}
