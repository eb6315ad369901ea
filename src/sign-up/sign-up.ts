import * as z from 'zod'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { messages, type ValidationError, validate } from '../model/validation-error.ts'
import { retryWhileChanged } from '../records/retry.ts'
import { commitSignUp, type LiveBooking } from '../store/sign-up/write-sign-up.ts'
import { type Attendee, type AttendeeInput, checkAttendees, hashPerson } from './attendees.ts'
import { newBooking, personOf, stateOf } from './booking.ts'
import type { Contact, SignUpContext } from './context.ts'
import { nextDeletion } from './deletion-days.ts'
import { readSignUpForm, type SignUpForm } from './form.ts'
import { hashSecret, randomSecret, secretFromToken } from './link.ts'
import { type PersonLink, signUpLetter } from './message.ts'
import { sendMail } from './send-mail.ts'
import { offerFreePlaces } from './waiting-list.ts'

export type SignUpInput = {
  eventId: string
  contact: { name: string; email: string }
  attendees: readonly AttendeeInput[]
  isVolunteer: boolean
  /** A random text of the form: the same form sent twice has one result. */
  token: string
  /** Whether the person agreed to the organisation's text. */
  consent: boolean
}

/** The result of a sign-up. With mail it is always `unconfirmed`, without links, so that it reveals nobody. */
export type SignUpResult = { outcome: 'confirmed' | 'waiting' | 'unconfirmed'; links: PersonLink[] }

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
 * Signs people up for an event: all get a place, or all wait. One person has one booking, so a repeat
 * only gets a new link. Throws 404 if the event is not public, 400 with every validation error.
 */
export async function signUp(context: SignUpContext, input: SignUpInput): Promise<SignUpResult> {
  const { store, mail, origin } = context
  const form = await readSignUpForm(store, input.eventId)
  if (!form) throw noEvent()
  const { contact, attendees } = checkSignUp(form, input, origin)
  const people = await Promise.all(
    attendees.map((attendee) => identify(context, input, contact, attendee)),
  )
  const { known, gotPlaces, hasFreePlace, heldUntil } = await commit(
    context,
    ...([form, input, contact, people] as const),
  )
  const newPeople = people.filter(({ personHash }) => !known.has(personHash))
  const knownPeople = people.filter(({ personHash }) => known.has(personHash))
  // A place may be free for a smaller group than the first that waits.
  if (newPeople.length > 0 && !gotPlaces && hasFreePlace)
    await offerFreePlaces(context, input.eventId)
  if (!mail) {
    const isWaiting = !gotPlaces || [...known.values()].some((status) => status === 'waiting')
    return { outcome: isWaiting ? 'waiting' : 'confirmed', links: people.map(toLink) }
  }
  const about = {
    event: form.event,
    organisationId: store.organisationId,
    organisationName: form.site.organisationName,
  }
  const letter = signUpLetter(about, origin, {
    newPeople: newPeople.map(toLink),
    knownPeople: knownPeople.map(toLink),
    heldUntil: gotPlaces ? heldUntil : undefined,
  })
  await sendMail(context, contact.email, letter)
  return { outcome: 'unconfirmed', links: [] }
}

/** A person to sign up, with the secret of a new link. */
type Person = { attendee: Attendee; personHash: string; bookingId: string; secret: string }

const toLink = ({ attendee, secret }: Person): PersonLink => ({ name: attendee.name, secret })

async function identify(
  { store, mail }: SignUpContext,
  { eventId, token }: SignUpInput,
  { email }: Contact,
  attendee: Attendee,
): Promise<Person> {
  const personHash = await hashPerson(store.organisationId, eventId, email, attendee.name)
  const secret = mail ? randomSecret() : await secretFromToken(token, personHash)
  return { attendee, personHash, bookingId: crypto.randomUUID(), secret }
}

/** Writes the bookings of people without one, and links for all. `known` has the states of the others. */
async function commit(
  { store, mail }: SignUpContext,
  { event, questions }: SignUpForm,
  { eventId, isVolunteer }: SignUpInput,
  contact: Contact,
  people: readonly Person[],
) {
  const known = new Map<string, LiveBooking>()
  const orderId = crypto.randomUUID()
  const heldUntil = new Date(Date.now() + confirmationMs).toISOString()
  const { organisationId } = store
  const result = await retryWhileChanged(async () => {
    const newPeople = people.filter(({ personHash }) => !known.has(personHash))
    const links = people.map(async ({ personHash, bookingId, secret }) => ({
      bookingId: known.get(personHash)?.bookingId ?? bookingId,
      hash: await hashSecret(secret),
    }))
    const written = await commitSignUp(store, {
      ...{ eventId, isVolunteer, heldUntil, contact: JSON.stringify(contact) },
      deleteAfter: nextDeletion(event, questions),
      signUps: newPeople.map(({ attendee, bookingId, personHash }) => {
        const booking = {
          ...newBooking(organisationId, event, { bookingId, orderId, isVolunteer }),
          ...personOf(attendee, contact),
        }
        const state = mail ? 'unconfirmed' : 'confirmed'
        const { values: answers, questionAnswers } = attendee
        return {
          ...{ bookingId, personHash, answers, questionAnswers },
          held: JSON.stringify({ ...booking, ...stateOf(state) }),
          waiting: JSON.stringify({ ...booking, ...stateOf('waiting') }),
        }
      }),
      links: await Promise.all(links),
    })
    if (!written.eventExists) throw noEvent()
    for (const booking of written.live) known.set(booking.personHash, booking)
    return written.live.length > 0 ? undefined : written
  })
  const states = [...known].map(([hash, { userStatus }]) => [hash, userStatus] as const)
  return { ...result, heldUntil, known: new Map(states) }
}

/** Validates a sign-up for a form. Throws 400 with every validation error. */
export function checkSignUp(form: SignUpForm, input: SignUpInput, origin: string) {
  const { settings } = form.site
  const contact = validate(ContactInput, input.contact)
  const { attendees, errors } = checkAttendees(form, input.attendees)
  const others: ValidationError[] = [
    ...('errors' in contact
      ? contact.errors.map((error) => ({ ...error, field: `contact.${error.field}` }))
      : []),
    ...errors,
  ]
  if (settings.consentText !== undefined && !input.consent)
    others.push({ field: 'consent', message: 'must be given to sign up.', code: 'required' })
  if (input.isVolunteer && !form.event.bookingDetails?.bookVolunteers)
    others.push({
      ...{ field: 'isVolunteer', code: 'not_allowed' },
      message: 'must be false: this event takes no volunteers.',
    })
  if (!tokenPattern.test(input.token))
    others.push({ field: 'token', message: 'must be the one of the form.', code: 'invalid_format' })
  if ('errors' in contact || others.length > 0) throw invalidInput(others)
  return { contact: { ...contact.value, origin }, attendees }
}

const tokenPattern = /^[\w-]{22,100}$/

const noEvent = () => new ApiError('NOT_FOUND', 'This event does not exist, or takes no bookings.')
