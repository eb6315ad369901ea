import { openMail } from '../../mail/mail.ts'
import { normaliseEmail } from '../../model/properties/compare-people.ts'
import { londonDay, toLondon } from '../../model/timestamp.ts'
import type { Bindings } from '../../platform/bindings.ts'
import { tolerate } from '../../platform/log.ts'
import { readSortedRecords } from '../../store/read/sorted.ts'
import { insertMailing, isQueued, type Recipient } from '../../store/sign-up/mailings.ts'
import {
  type BookingToRemind,
  readBookingsToRemind,
  takeOrganisationsWithReminders,
} from '../../store/sign-up/reminders.ts'
import type { Store } from '../../store/store.ts'
import { trustedStore } from '../../store/trusted-store.ts'
import type { Contact } from '../context.ts'
import { lastDayOfMessages } from '../deletion-days.ts'
import { type EventDocument, isOver } from '../public-events.ts'
import { audienceOf } from './audience.ts'

const dayMs = 86_400_000

/** The hour of the day from which reminders are sent, in UK time. */
const firstHour = 9

const maxEvents = 250

/** Queues the reminders for the events of tomorrow, of the organisations that want them. Runs each minute, in parts. */
export async function queueReminders(env: Bindings, now: number): Promise<void> {
  const hour = Number(toLondon(new Date(now).toISOString()).slice(11, 13))
  if (hour < firstHour || !openMail(env)) return
  for (const organisationId of await takeOrganisationsWithReminders(env.DB, now))
    await tolerate('mail', { organisation: organisationId }, () =>
      remindOrganisation(trustedStore(env.DB, organisationId, { by: 'public page' }), now),
    )
}

async function remindOrganisation(store: Store, now: number): Promise<void> {
  const tomorrow = londonDay(now + dayMs)
  const { records } = await readSortedRecords(store, 'events', {
    field: 'start',
    descending: false,
    limit: maxEvents,
    after: { value: new Date(now).toISOString(), ordinal: 0 },
  })
  for (const { document } of records) {
    const event: EventDocument = JSON.parse(document)
    const day = londonDay(event.start ?? '')
    if (day > tomorrow) return
    if (day === tomorrow && !isOver(event, new Date(now).toISOString()))
      await remindEvent(store, event)
  }
}

/** An event that moves to another time is reminded of again. */
async function remindEvent(store: Store, event: EventDocument): Promise<void> {
  const { eventId, start } = event
  const id = `reminder ${start} ${eventId}`
  const bookings = await readBookingsToRemind(store, eventId, id)
  if (!bookings || bookings.length === 0) return
  const mailing = {
    id,
    purpose: 'reminder',
    recordId: eventId,
    content: {},
    deleteAfter: lastDayOfMessages(event),
    recipients: groupContacts(bookings),
  }
  await store.write(
    {
      permissions: ['write'],
      isInternal: true,
      unless: { queued: isQueued(store, id) },
    },
    insertMailing(store, mailing),
  )
}

/** The contacts of those bookings that have a place. */
function groupContacts(bookings: readonly BookingToRemind[]): Recipient[] {
  const contacts = new Map<string, { name: string; email: string; bookingIds: string[] }>()
  for (const { id, document, contact } of bookings) {
    const { name, email }: Contact = JSON.parse(contact)
    if (email === '' || audienceOf({ document, isWaiting: false }) !== 'booked') continue
    const key = normaliseEmail(email)
    const known = contacts.get(key)
    contacts.set(key, { name, email, bookingIds: [...(known?.bookingIds ?? []), id] })
  }
  return [...contacts.values()]
}
