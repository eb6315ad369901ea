import { commitEventCancellation } from '../../store/sign-up/cancel-event.ts'
import {
  exceedsDailyMessages,
  insertMailing,
  type Recipient,
} from '../../store/sign-up/mailings.ts'
import type { Store } from '../../store/store.ts'
import { lastDayOfMessages } from '../deletion-days.ts'
import type { EventDocument } from '../public-events.ts'
import type { CancellationMessage } from './event-letter.ts'
import { maxMessagesPerDay, tooManyMessages } from './queue.ts'

type EventCancellation = {
  mailingId: string
  event: EventDocument
  /** Of a series, the dates that are cancelled with it. */
  dates: readonly EventDocument[]
  bookingIds: readonly string[]
  /** The people to tell; empty without mail. */
  recipients: readonly Recipient[]
  message: CancellationMessage
}

/** Cancels an event, or a series with its dates to come: the bookings end, it takes no more, and their contacts get a message. Throws 429 after too many messages today. */
export async function cancelEvent(
  store: Store,
  { mailingId, event, dates, bookingIds, recipients, message }: EventCancellation,
): Promise<void> {
  const events = [event, ...dates]
  const isDone = await commitEventCancellation(store, {
    eventIds: events.map(({ eventId }) => eventId),
    bookingIds,
    unless: exceedsDailyMessages(store, recipients.length, maxMessagesPerDay),
    others: insertMailing(store, {
      id: mailingId,
      purpose: 'cancellation',
      recordId: event.eventId,
      content: message,
      deleteAfter: lastDayOfMessages(events.at(-1) ?? event),
      recipients,
    }),
  })
  if (!isDone) throw tooManyMessages()
}
