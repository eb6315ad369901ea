import { joinNames } from '../platform/join-names.ts'
import { retryWhileChanged } from '../records/retry.ts'
import { commitSignUp, type LiveBooking } from '../store/sign-up/write-sign-up.ts'
import type { Store } from '../store/store.ts'
import type { Attendee } from './attendees.ts'
import { type BookingState, newBooking, personOf, stateOf } from './booking.ts'
import type { Contact } from './context.ts'
import { nextDeletion } from './deletion-days.ts'
import type { SignUpForm } from './form.ts'
import { hashSecret } from './link.ts'
import type { AttendeeLink } from './message.ts'
import { PublicError } from './public-error.ts'
import type { EventDocument } from './public-events.ts'

const confirmationMs = 15 * 60_000

/** A person to sign up, with the secret of a new link. */
export type PersonToBook = { attendee: Attendee; personHash: string; secret: string }

export const toLink = ({ attendee, secret }: PersonToBook): AttendeeLink => ({
  name: attendee.name,
  secret,
})

/** The links of people who signed up for the event of a form: for a series one for all. */
export function toLinks({ dates }: SignUpForm, people: readonly PersonToBook[]): AttendeeLink[] {
  const links = people.map(toLink)
  return dates
    ? links.slice(0, 1).map((link) => ({ ...link, name: joinNames(links.map((it) => it.name)) }))
    : links
}

/** A valid sign-up for the event of a form. */
export type SignUp = {
  eventId: string
  form: SignUpForm
  isVolunteer: boolean
  contact: Contact
  people: readonly PersonToBook[]
  /** The order of the new bookings. A later attempt finds by it what an earlier one has booked. */
  orderId: string
  /** Whether the contact's address needs no confirmation. */
  isConfirmed: boolean
  /** What has a link: each booking, the whole sign-up, or nothing. */
  linked: 'bookings' | 'signUp' | 'nothing'
}

type DatesToBook = Omit<SignUp, 'eventId' | 'people' | 'linked'> & {
  /** The hashes that identify people for an event. */
  identify(eventId: string): Promise<PersonToBook[]>
}

/** What `book` has written for an event. */
export type Booked = Awaited<ReturnType<typeof book>> & {
  event: EventDocument
  people: readonly PersonToBook[]
}

/**
 * Books the event of a form or, one after the other, all dates of a series: each has its places and its waiting list.
 * The link of a series belongs to its last date, because it lasts as long as that booking's data.
 */
export async function bookDates(
  store: Store,
  { form, identify, ...signUp }: DatesToBook,
): Promise<Booked[]> {
  const dates = form.dates ?? [form]
  const booked: Booked[] = []
  for (const date of dates) {
    const { event } = date
    const { eventId } = event
    const people = await identify(eventId)
    const ofSeries = date === dates.at(-1) ? 'signUp' : 'nothing'
    const linked = form.dates ? ofSeries : 'bookings'
    const written = await book(store, { ...signUp, form: date, eventId, people, linked })
    booked.push({ event, people, ...written })
  }
  return booked
}

/** The statuses of bookings before their address is confirmed, with the state that they were written in. */
const unconfirmedStates = { unconfirmed: 'held', pending: 'pending', waiting: 'waiting' } as const

const isUnconfirmed = (status: string): status is keyof typeof unconfirmedStates =>
  status in unconfirmedStates

/** Writes the bookings of people without one, and links for all. `known` has the statuses of the others' bookings. */
async function book(store: Store, signUp: SignUp) {
  const { eventId, form, isVolunteer, contact, people, orderId, isConfirmed } = signUp
  const { event, questions } = form
  const { organisationId } = store
  const live = new Map<string, LiveBooking>()
  const heldUntil = new Date(Date.now() + confirmationMs).toISOString()
  const items = people.map((person) => ({ ...person, bookingId: crypto.randomUUID() }))
  const bookingIn =
    (state: BookingState) =>
    ({ attendee, bookingId }: (typeof items)[number]) => ({
      id: bookingId,
      document: JSON.stringify({
        ...newBooking(organisationId, event, { bookingId, orderId, isVolunteer }),
        ...personOf(attendee, contact),
        ...stateOf(state),
      }),
    })
  const ofEarlierAttempt = () =>
    [...live.values()].flatMap(({ personHash, bookingId, userStatus, ...booking }) =>
      booking.orderId === orderId && isUnconfirmed(userStatus)
        ? [{ personHash, bookingId, state: unconfirmedStates[userStatus] }]
        : [],
    )
  const { state } = await retryWhileChanged(async () => {
    const newItems = items.filter(({ personHash }) => !live.has(personHash))
    const linked = {
      bookings: items,
      signUp: [...newItems, ...items].slice(0, 1),
      nothing: [],
    }[signUp.linked]
    const links = linked.map(async ({ personHash, bookingId, secret }) => ({
      bookingId: live.get(personHash)?.bookingId ?? bookingId,
      hash: await hashSecret(secret),
      scope: signUp.linked === 'signUp' ? ('signUp' as const) : ('booking' as const),
    }))
    const written = await commitSignUp(store, {
      eventId,
      isVolunteer,
      heldUntil: isConfirmed ? null : heldUntil,
      contact: JSON.stringify(contact),
      deleteAfter: nextDeletion(event, questions),
      signUps: newItems.map(({ attendee, bookingId, personHash }) => ({
        bookingId,
        personHash,
        answers: attendee.values,
        questionAnswers: attendee.questionAnswers,
      })),
      bookings: {
        held: newItems.map(bookingIn(isConfirmed ? 'confirmed' : 'unconfirmed')),
        pending: newItems.map(bookingIn('pending')),
        waiting: newItems.map(bookingIn('waiting')),
      },
      links: await Promise.all(links),
      renewed: ofEarlierAttempt().map(({ bookingId }) => bookingId),
    })
    if (written.refused?.noEvent) throw new PublicError('noEvent')
    for (const booking of written.refused?.live ?? []) live.set(booking.personHash, booking)
    return written.refused ? undefined : written
  })
  const earlier = ofEarlierAttempt()
  const known = new Map([...live].map(([hash, { userStatus }]) => [hash, userStatus]))
  for (const { personHash } of earlier) known.delete(personHash)
  return { state: earlier[0]?.state ?? state, heldUntil, known }
}
