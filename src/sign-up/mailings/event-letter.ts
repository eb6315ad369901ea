import { londonDay } from '../../model/timestamp.ts'
import type { NewFormLinks } from '../../store/sign-up/form-links.ts'
import { type MailingBooking, readMailingBookings } from '../../store/sign-up/mailing-bookings.ts'
import type { Recipient, StoredMailing } from '../../store/sign-up/mailings.ts'
import type { NewBookingLink } from '../../store/sign-up/write-sign-up.ts'
import type { Store } from '../../store/store.ts'
import { texts } from '../../texts/texts.ts'
import type { Contact } from '../context.ts'
import { parseSignUpForm, type SignUpForm } from '../form.ts'
import { hashSecret, randomSecret } from '../link.ts'
import { type Letter, safeName } from '../message.ts'
import { type EventDocument, isOver, type PublicEvent, toPublicEvent } from '../public-events.ts'
import { type Audience, audienceOf } from './audience.ts'

const { letters } = texts

/** A letter with the links in it. */
export type Composed = {
  letter: Letter
  /** The organisation's address for questions, which gets answers. */
  replyTo: string | undefined
  links: NewBookingLink[]
  /** The personal links to a form in it. */
  formLinks?: NewFormLinks
  /** The origin of the link that stops letters of its kind; undefined for a service message, which needs none. */
  unsubscribeOrigin: string | undefined
}

/** What a letter about an event is made of, for one family. */
type FamilyLetter = {
  event: PublicEvent
  /** The event, or the dates of a series that are booked, by start. */
  dates: PublicEvent[]
  /** The names of the people whom the message concerns. */
  people: string[]
  /** The address of the family's private link; undefined for bookings that did not come from the public pages. */
  link: string | undefined
}

/** A kind of message about an event. `Content` is what its mailings store. */
type EventPurpose<Content> = {
  /** The audiences whose bookings it concerns; `all` for a message that ends them. */
  concerns(content: Content): readonly Audience[] | 'all'
  write(family: FamilyLetter, content: Content): { subject: string; parts: Letter['parts'] }
  /** Whether it is useless after the start of the event. */
  isEarly?: boolean
  unsubscribeOrigin?(content: Content): string | undefined
}

/** What staff write. */
export type StaffMessage = {
  audience: Audience
  /** The beginning of the links that do not come with a sign-up. */
  origin: string
  subject: string
  text: string
  /** Whether to add the day, the time and the place. */
  hasFacts: boolean
  /** Whether to add the family's private link. */
  hasLink: boolean
}

/** What people are told of a change: what was, and a sentence of staff, which may be empty. */
export type ChangeMessage = { before: TimeAndPlace; text: string }

/** When and where an event takes place, in words. */
export type TimeAndPlace = { period: string; place: string }

export const describeFacts = (event: PublicEvent): TimeAndPlace => ({
  period: formatPeriod(event).join(', '),
  place: event.venue.join(', '),
})

/** At what time and where the dates of a series take place. */
export const describeTimes = (event: PublicEvent): TimeAndPlace => ({
  ...describeFacts(event),
  period: formatPeriod(event).slice(1).join(', '),
})

const formatPeriod = ({ start, end }: PublicEvent) => texts.dates.formatPeriod(start, end)

/** The message about a cancelled event: a sentence of staff, which may be empty. */
export type CancellationMessage = { text: string }

const booked: EventPurpose<unknown> = {
  concerns: () => ['booked'],
  isEarly: true,
  write: (family) => ({
    subject: letters.bookedSubject(family.event.name),
    parts: [
      letters.people.booked(family.people, family.event.name),
      ...describeEvent(family),
      ...offerCalendar(family),
      ...offerChange(family),
    ],
  }),
}

const reminder: EventPurpose<unknown> = {
  concerns: () => ['booked'],
  isEarly: true,
  write: (family) => ({
    subject: letters.reminderSubject(family.event.name),
    parts: [
      letters.people.booked(family.people, family.event.name),
      ...describeEvent(family),
      ...offerCancelling(family),
      ...offerChange(family),
    ],
  }),
}

const change: EventPurpose<ChangeMessage> = {
  concerns: () => ['booked', 'waiting'],
  isEarly: true,
  write: (family, { before, text }) => ({
    subject: letters.changedSubject(family.event.name),
    parts: [
      ...splitParagraphs(text),
      letters.newDetails(family.event.name),
      ...describeEvent(family),
      letters.before([before.period, before.place].filter(Boolean).join(', ')),
      letters.kept(family.people),
      ...offerCalendar(family),
      ...offerCancelling(family),
      ...offerChange(family),
    ],
  }),
}

const cancellation: EventPurpose<CancellationMessage> = {
  concerns: () => 'all',
  write: ({ event, dates, people }, { text }) => {
    const [date, ...others] = dates
    return {
      subject: letters.cancelledSubject(
        event.name,
        date && others.length === 0 ? londonDay(date.start) : undefined,
      ),
      parts: [
        date && others.length === 0
          ? letters.cancelled(event.name, describeFacts(date).period, people)
          : [letters.cancelledDates(event.name, people), ...listDates(dates)].join('\n'),
        ...splitParagraphs(text),
      ],
    }
  },
}

const staffMessage: EventPurpose<StaffMessage> = {
  concerns: ({ audience }) => [audience],
  // A message about a booking is no marketing; one to people who came to an event may be.
  unsubscribeOrigin: ({ audience, origin }) => (audience === 'came' ? origin : undefined),
  write: (family, { audience, subject, text, hasFacts, hasLink }) => ({
    subject,
    parts: [
      ...splitParagraphs(text),
      ...(hasFacts
        ? [letters.people[audience](family.people, family.event.name), ...describeEvent(family)]
        : []),
      ...(hasLink && audience !== 'came' ? offerChange(family) : []),
    ],
  }),
}

const eventPurposes = { booked, reminder, change, cancellation, event: staffMessage }

export type EventPurposeName = keyof typeof eventPurposes

const isEventPurpose = (name: string): name is EventPurposeName =>
  Object.hasOwn(eventPurposes, name)

/** Writes the letter of a mailing about an event to one recipient; undefined if it concerns none of their bookings any more. */
export async function composeEventLetter(
  store: Store,
  {
    purpose: name,
    recordId: eventId,
    content,
  }: Pick<StoredMailing, 'purpose' | 'recordId' | 'content'>,
  { name: recipientName, bookingIds = [], isTest = false }: Recipient,
): Promise<Composed | undefined> {
  if (!isEventPurpose(name)) return undefined
  // The content is in the form of the purpose that has stored it.
  const purpose = eventPurposes[name] as EventPurpose<unknown>
  const { form: stored, bookings } = await readMailingBookings(store, eventId, bookingIds)
  const form = parseSignUpForm(stored)
  const audiences = purpose.concerns(content)
  const now = new Date().toISOString()
  const concerned = bookings
    .map((booking) => ({ ...booking, date: parseEvent(booking.event) }))
    .filter((booking) => audiences === 'all' || isIn(audiences, booking))
    .filter(({ date }) => !purpose.isEarly || !hasBegun(date, now))
  if (!form || concerned.length === 0) return undefined
  const unsubscribeOrigin = purpose.unsubscribeOrigin?.(content)
  // The link that stops messages leads to a public page.
  if (unsubscribeOrigin && !form.site.enabled) return undefined
  // Who signed up for all dates of a series has one link for them.
  const scope = name === 'booked' && stored.isSeries ? 'signUp' : 'family'
  const link = form.site.enabled ? await newFamilyLink(store, concerned, scope) : undefined
  const family = {
    event: toPublicEvent(form.event),
    dates: [...new Map(concerned.map(({ date }) => [date.eventId, date])).values()]
      .toSorted((one, other) => (one.start ?? '').localeCompare(other.start ?? ''))
      .map(toPublicEvent),
    people: [
      ...new Set(
        concerned.map(({ document }, index) => {
          const { userName = '' }: { userName?: string } = JSON.parse(document)
          return safeName(userName) ?? letters.person(index + 1)
        }),
      ),
    ],
    link: link?.address,
  }
  const { subject, parts } = purpose.write(family, content)
  const reason = letters.because[audiences === 'all' ? 'booked' : (audiences[0] ?? 'booked')]
  return {
    letter: {
      subject,
      parts: [
        letters.hello(safeName(recipientName)),
        ...parts,
        [reason, ...describeContact(form)].join(' '),
        form.site.organisationName,
      ],
    },
    replyTo: form.site.settings.contactEmail,
    links: link && !isTest ? [link.stored] : [],
    unsubscribeOrigin,
  }
}

const parseEvent = (document: string): EventDocument => JSON.parse(document)

const hasBegun = (event: EventDocument, now: string) =>
  isOver(event, now) || (event.start ?? '') <= now

const isIn = (audiences: readonly Audience[], booking: MailingBooking) => {
  const audience = audienceOf(booking)
  return audience !== undefined && audiences.includes(audience)
}

const splitParagraphs = (text: string) => text.split(/\n\s*\n/).filter(Boolean)

/** A new link to all bookings of the contact of the last of these, or of its sign-up. It lasts as long as that booking's data. */
async function newFamilyLink(
  { organisationId }: Store,
  bookings: readonly MailingBooking[],
  scope: 'family' | 'signUp',
): Promise<{ address: string; stored: NewBookingLink } | undefined> {
  const booking = bookings.findLast(({ contact }) => contact !== undefined)
  if (!booking?.contact) return undefined
  const { origin }: Contact = JSON.parse(booking.contact)
  const secret = randomSecret()
  return {
    address: `${origin}/o/${encodeURIComponent(organisationId)}/bookings/${secret}`,
    stored: { hash: await hashSecret(secret), bookingId: booking.id, scope },
  }
}

const maxDates = 20

/** When and where the event or its dates take place, with a map. */
function describeEvent({ dates }: Pick<FamilyLetter, 'dates'>): Letter['parts'] {
  const places = [...new Set(dates.map((date) => describeFacts(date).place))]
  const [place = ''] = places.length === 1 ? places : []
  const lines = listDates(dates, place === '')
  return [
    [...lines, place].filter(Boolean).join('\n'),
    ...(place ? [{ label: letters.map, address: mapOf(place) }] : []),
  ]
}

/** The first dates, each with its time and, if they differ, its place, and the number of the others. */
function listDates(dates: readonly PublicEvent[], hasPlaces = false): string[] {
  const lines = dates
    .slice(0, maxDates)
    .map(describeFacts)
    .map(({ period, place }) => [period, hasPlaces ? place : ''].filter(Boolean).join(', '))
  const others = dates.length - lines.length
  return others > 0 ? [...lines, letters.otherDates(others)] : lines
}

const mapOf = (place: string) =>
  `https://www.openstreetmap.org/search?${new URLSearchParams({ query: place })}`

const offerCalendar = ({ link }: FamilyLetter): Letter['parts'] =>
  link ? [{ label: letters.calendar, address: `${link}/calendar.ics` }] : []

const offerCancelling = ({ link, people, dates }: FamilyLetter): Letter['parts'] =>
  link && dates.length === 1
    ? [{ label: letters.giveUp(people.length), address: `${link}/cancel` }]
    : []

const offerChange = ({ link, people }: FamilyLetter): Letter['parts'] =>
  link ? [{ label: letters.family(people.length), address: link }, letters.keepLink] : []

/** Where people can ask: the event's contact, or else the organisation's. */
function describeContact({ event, site }: SignUpForm): string[] {
  const { contactEmail, contactPhone } = event.bookingDetails ?? {}
  const own = [contactEmail, contactPhone].flatMap((contact) => contact || [])
  const { settings } = site
  const contacts =
    own.length > 0
      ? own
      : [settings.contactEmail, settings.contactPhone].flatMap((contact) => contact ?? [])
  return contacts.length > 0 ? [letters.questions(contacts)] : []
}
