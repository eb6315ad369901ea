import type { NewMailing } from '../store/sign-up/mailings.ts'
import type { Contact } from './context.ts'
import { lastDayOfMessages } from './deletion-days.ts'
import type { EventDocument } from './public-events.ts'

/** The message to the contact of a sign-up that its bookings are confirmed. */
export const bookedMailing = (
  eventId: string,
  event: EventDocument,
  contact: Contact,
  bookingIds: readonly string[],
): NewMailing => ({
  id: crypto.randomUUID(),
  purpose: 'booked',
  recordId: eventId,
  content: {},
  deleteAfter: lastDayOfMessages(event),
  recipients: [{ name: contact.name, email: contact.email, bookingIds }],
})
