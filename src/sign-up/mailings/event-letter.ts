import { type MailingBooking, readMailingBookings } from '../../store/sign-up/mailing-bookings.ts'
import type { Recipient, StoredMailing } from '../../store/sign-up/mailings.ts'
import type { NewBookingLink } from '../../store/sign-up/write-sign-up.ts'
import type { Store } from '../../store/store.ts'
import { texts } from '../../texts/texts.ts'
import type { Contact } from '../context.ts'
import { parseSignUpForm, type SignUpForm } from '../form.ts'
import { hashSecret, randomSecret } from '../link.ts'
import { type Letter, safeName } from '../message.ts'
import { isOver, type PublicEvent, toPublicEvent } from '../public-events.ts'
import { type Audience, audienceOf } from './audience.ts'

/** A letter, the links in it, and whether the recipient can stop letters of its kind. */
export type Composed = { letter: Letter; links: NewBookingLink[]; canUnsubscribe: boolean }

/** What a letter about an event is made of, for one family. */
type Family = {
  event: PublicEvent
  /** The names of the people whom the message concerns. */
  people: string[]
  /** The address of the family's private link; undefined for bookings that did not come from the public pages. */
  link: string | undefined
}

type LetterParts = { subject: string; parts: Letter['parts'] }

/** A kind of message about an event: the people whom it concerns, and what it says. */
type EventPurpose = {
  concerns: Audience
  write(family: Family, content: StoredMailing['content']): LetterParts
  /** Whether it is of no use once the event has begun. */
  isEarly?: boolean
}

const eventPurposes: Record<string, EventPurpose> = {
  booked: {
    concerns: 'booked',
    isEarly: true,
    write: (family) => ({
      subject: texts.letters.bookedSubject(family.event.name),
      parts: [
        texts.letters.booked(family.people, family.event.name),
        ...describeEvent(family),
        ...offerCalendar(family),
        ...offerChange(family),
      ],
    }),
  },
}

/** Writes the letter of a mailing about an event to one recipient; undefined if it concerns none of their bookings any more. */
export async function composeEventLetter(
  store: Store,
  { purpose: name, recordId: eventId, content }: StoredMailing,
  { name: recipientName, bookingIds = [] }: Recipient,
): Promise<Composed | undefined> {
  const purpose = eventPurposes[name]
  const { form: stored, bookings } = await readMailingBookings(store, eventId, bookingIds)
  const form = parseSignUpForm(stored)
  const concerned = bookings.filter((booking) => audienceOf(booking) === purpose?.concerns)
  if (!purpose || !form || concerned.length === 0) return undefined
  const now = new Date().toISOString()
  const hasBegun = isOver(form.event, now) || (form.event.start ?? '') <= now
  if (purpose.isEarly && hasBegun) return undefined
  const link = form.site.enabled ? await newFamilyLink(store, concerned) : undefined
  const family = {
    event: toPublicEvent(form.event),
    people: concerned.map(({ document }, index) => {
      const { userName = '' }: { userName?: string } = JSON.parse(document)
      return safeName(userName) ?? texts.letters.person(index + 1)
    }),
    link: link?.address,
  }
  const { subject, parts } = purpose.write(family, content)
  return {
    letter: {
      subject,
      parts: [
        texts.letters.hello(safeName(recipientName)),
        ...parts,
        [texts.letters.because[purpose.concerns], ...describeContact(form)].join(' '),
        form.site.organisationName,
      ],
    },
    links: link ? [link.stored] : [],
    canUnsubscribe: false,
  }
}

/** A new link to all bookings of the contact of one of these. */
async function newFamilyLink(
  { organisationId }: Store,
  bookings: readonly MailingBooking[],
): Promise<{ address: string; stored: NewBookingLink } | undefined> {
  const booking = bookings.find(({ contact }) => contact !== undefined)
  if (!booking?.contact) return undefined
  const { origin }: Contact = JSON.parse(booking.contact)
  const secret = randomSecret()
  return {
    address: `${origin}/o/${encodeURIComponent(organisationId)}/bookings/${secret}`,
    stored: { hash: await hashSecret(secret), bookingId: booking.id, isFamily: true },
  }
}

/** When and where the event takes place, with a map. */
function describeEvent({ event }: Pick<Family, 'event'>): Letter['parts'] {
  const place = event.venue.join(', ')
  const period = texts.dates.formatPeriod(event.start, event.end || null).join(', ')
  return [
    [period, place].filter(Boolean).join('\n'),
    ...(place ? [{ label: texts.letters.map, address: mapOf(place) }] : []),
  ]
}

const mapOf = (place: string) =>
  `https://www.openstreetmap.org/search?${new URLSearchParams({ query: place })}`

const offerCalendar = ({ link }: Family): Letter['parts'] =>
  link ? [{ label: texts.letters.calendar, address: `${link}/calendar.ics` }] : []

const offerChange = ({ link, people }: Family): Letter['parts'] =>
  link
    ? [{ label: texts.letters.family(people.length), address: link }, texts.letters.keepLink]
    : []

/** Where people can ask: the event's contact, or else the organisation's. */
function describeContact({ event, site }: SignUpForm): string[] {
  const { contactEmail, contactPhone } = event.bookingDetails ?? {}
  const own = [contactEmail, contactPhone].flatMap((contact) => contact || [])
  const { settings } = site
  const contacts =
    own.length > 0
      ? own
      : [settings.contactEmail, settings.contactPhone].flatMap((contact) => contact ?? [])
  return contacts.length > 0 ? [texts.letters.questions(contacts)] : []
}
