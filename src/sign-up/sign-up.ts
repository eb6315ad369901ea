import * as z from 'zod'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { messages, type ValidationError, validate } from '../model/validation-error.ts'
import { retryWhileChanged } from '../records/retry.ts'
import { commitSignUp, type LiveBooking } from '../store/sign-up/write-sign-up.ts'
import {
  type Attendee,
  type AttendeeInput,
  checkAttendees,
  hashPerson,
  toOneLine,
} from './attendees.ts'
import { type BookingState, newBooking, personOf, stateOf } from './booking.ts'
import type { Contact, SignUpContext } from './context.ts'
import { nextDeletion } from './deletion-days.ts'
import { readSignUpForm, type SignUpForm } from './form.ts'
import { hashSecret, randomSecret, secretFromToken } from './link.ts'
import { type AttendeeLink, signUpLetter } from './message.ts'
import { countSignUpMessage, sendMail } from './send-mail.ts'

export type SignUpInput = {
  eventId: string
  contact: { name: string; email: string }
  attendees: readonly AttendeeInput[]
  /** Undefined if the person chose neither role. */
  isVolunteer: boolean | undefined
  /** A random text of the form: the same form sent twice has one result. */
  token: string
  /** Whether the person agreed to the organisation's text. */
  consent: boolean
}

/** The result of a sign-up. With mail it is always `unconfirmed`, without links. */
export type SignUpResult = {
  outcome: 'confirmed' | 'waiting' | 'unconfirmed'
  links: AttendeeLink[]
}

const confirmationMs = 15 * 60_000

const ContactInput = z.object({
  name: z
    .string(messages.text)
    .trim()
    .min(1, messages.notEmpty)
    .max(200, messages.maxCharacters(200)),
  email: z
    .string(messages.text)
    .trim()
    .max(320, messages.maxCharacters(320))
    .pipe(z.email('must be one email address.')),
})

/**
 * Signs people up for an event: all get a place, or all wait. A person whose address can be confirmed
 * has one booking, so a repeat only gets a new link by mail. Throws 404 if the event is not public, 400
 * with every validation error, 429 if the address cannot be sent another message.
 *
 * With mail, the bookings are written after the response, because the time of a response would tell
 * who is known.
 */
export async function signUp(context: SignUpContext, input: SignUpInput): Promise<SignUpResult> {
  const form = await readSignUpForm(context.store, input.eventId)
  if (!form) throw noEvent()
  const { contact, attendees } = checkSignUp(form, input, context.origin)
  const people = await Promise.all(
    attendees.map((attendee) => identify(context, input, contact, attendee)),
  )
  const signUp = { form, input, contact, people }
  if (context.mail) {
    await countSignUpMessage(context, contact.email)
    context.runInBackground(() => signUpByMail(context, signUp))
    return { outcome: 'unconfirmed', links: [] }
  }
  const { known, state } = await book(context, signUp)
  const isWaiting =
    state === 'waiting' || [...known.values()].some((status) => status === 'waiting')
  return { outcome: isWaiting ? 'waiting' : 'confirmed', links: people.map(toLink) }
}

/** A valid sign-up. */
type SignUp = {
  form: SignUpForm
  input: SignUpInput
  contact: Contact
  people: readonly Person[]
}

/** Writes the bookings of a sign-up, and sends their links to the contact. */
async function signUpByMail(context: SignUpContext, signUp: SignUp): Promise<void> {
  const { form, contact, people } = signUp
  const { known, state, heldUntil } = await book(context, signUp)
  const about = {
    event: form.event,
    organisationId: context.store.organisationId,
    organisationName: form.site.organisationName,
  }
  const letter = signUpLetter(about, context.origin, {
    newPeople: people.filter(({ personHash }) => !known.has(personHash)).map(toLink),
    knownPeople: people.filter(({ personHash }) => known.has(personHash)).map(toLink),
    state,
    heldUntil,
  })
  await sendMail(context, contact.email, letter)
}

/** A person to sign up, with the secret of a new link. */
type Person = { attendee: Attendee; personHash: string; bookingId: string; secret: string }

const toLink = ({ attendee, secret }: Person): AttendeeLink => ({ name: attendee.name, secret })

async function identify(
  { store, mail }: SignUpContext,
  { eventId, token }: SignUpInput,
  { email }: Contact,
  attendee: Attendee,
): Promise<Person> {
  const event = [store.organisationId, eventId]
  // Without mail, nothing proves whose address it is, so only the same form leads to a booking again.
  const personHash = await hashPerson(mail ? event : [...event, token], email, attendee.name)
  const secret = mail ? randomSecret() : await secretFromToken(token, personHash)
  return { attendee, personHash, bookingId: crypto.randomUUID(), secret }
}

/** Writes the bookings of people without one, and links for all. `known` has the states of the others. */
async function book({ store, mail }: SignUpContext, { form, input, contact, people }: SignUp) {
  const { event, questions } = form
  const { eventId, isVolunteer = false } = input
  const known = new Map<string, LiveBooking>()
  const orderId = crypto.randomUUID()
  const heldUntil = new Date(Date.now() + confirmationMs).toISOString()
  const isConfirmed = mail === undefined
  const { organisationId } = store
  const bookingIn =
    (state: BookingState) =>
    ({ attendee, bookingId }: Person) => ({
      id: bookingId,
      document: JSON.stringify({
        ...newBooking(organisationId, event, { bookingId, orderId, isVolunteer }),
        ...personOf(attendee, contact),
        ...stateOf(state),
      }),
    })
  const result = await retryWhileChanged(async () => {
    const newPeople = people.filter(({ personHash }) => !known.has(personHash))
    const links = people.map(async ({ personHash, bookingId, secret }) => ({
      bookingId: known.get(personHash)?.bookingId ?? bookingId,
      hash: await hashSecret(secret),
    }))
    const written = await commitSignUp(store, {
      eventId,
      isVolunteer,
      heldUntil: isConfirmed ? null : heldUntil,
      contact: JSON.stringify(contact),
      deleteAfter: nextDeletion(event, questions),
      signUps: newPeople.map(({ attendee, bookingId, personHash }) => ({
        bookingId,
        personHash,
        answers: attendee.values,
        questionAnswers: attendee.questionAnswers,
      })),
      bookings: {
        held: newPeople.map(bookingIn(isConfirmed ? 'confirmed' : 'unconfirmed')),
        pending: newPeople.map(bookingIn('pending')),
        waiting: newPeople.map(bookingIn('waiting')),
      },
      links: await Promise.all(links),
    })
    if (written.refused?.noEvent) throw noEvent()
    for (const booking of written.refused?.live ?? []) known.set(booking.personHash, booking)
    return written.refused ? undefined : written
  })
  const states = [...known].map(([hash, { userStatus }]) => [hash, userStatus] as const)
  return { ...result, heldUntil, known: new Map(states) }
}

/** Validates a sign-up for a form. Throws 400 with every validation error. */
export function checkSignUp(form: SignUpForm, input: SignUpInput, origin: string) {
  const { settings } = form.site
  const contact = validate(ContactInput, {
    ...input.contact,
    name: toOneLine(input.contact.name),
  })
  const { attendees, errors } = checkAttendees(form, input.attendees)
  const others: ValidationError[] = [
    ...('errors' in contact
      ? contact.errors.map((error) => ({ ...error, field: `contact.${error.field}` }))
      : []),
    ...errors,
  ]
  if (settings.consentText !== undefined && !input.consent)
    others.push({ field: 'consent', message: 'must be given to sign up.', code: 'required' })
  const takesVolunteers = form.event.bookingDetails?.bookVolunteers
  if (takesVolunteers && input.isVolunteer === undefined)
    others.push({ field: 'isVolunteer', message: messages.notEmpty, code: 'required' })
  if (input.isVolunteer && !takesVolunteers)
    others.push({
      field: 'isVolunteer',
      code: 'not_allowed',
      message: 'cannot be as a volunteer: this event takes none.',
    })
  if (!tokenPattern.test(input.token))
    others.push({ field: 'token', message: 'must be the one of the form.', code: 'invalid_format' })
  if ('errors' in contact || others.length > 0) throw invalidInput(others)
  return { contact: { ...contact.value, origin }, attendees }
}

const tokenPattern = /^[\w-]{22,100}$/

const noEvent = () => new ApiError('NOT_FOUND', 'This event does not exist, or takes no bookings.')
