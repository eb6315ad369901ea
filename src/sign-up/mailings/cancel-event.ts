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
  bookingIds: readonly string[]
  /** The people to tell; empty without mail. */
  recipients: readonly Recipient[]
  message: CancellationMessage
}

/** Cancels an event: its bookings end, it takes no more, and their contacts get a message. Throws 429 after too many messages today. */
export async function cancelEvent(
  store: Store,
  { mailingId, event, bookingIds, recipients, message }: EventCancellation,
): Promise<void> {
  const { eventId } = event
  const isDone = await commitEventCancellation(store, {
    eventId,
    bookingIds,
    unless: exceedsDailyMessages(store, recipients.length, maxMessagesPerDay),
    others: insertMailing(store, {
      id: mailingId,
      purpose: 'cancellation',
      recordId: eventId,
      content: message,
      deleteAfter: lastDayOfMessages(event),
      recipients,
    }),
  })
  if (!isDone) throw tooManyMessages()
}
