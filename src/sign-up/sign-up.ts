import * as z from 'zod'
import { invalidInput } from '../model/api-error.ts'
import { messages, type ValidationError, validate } from '../model/validation-error.ts'
import type { Store } from '../store/store.ts'
import {
  type Attendee,
  type AttendeeInput,
  checkAttendees,
  hashPerson,
  toOneLine,
} from './attendees.ts'
import { bookDates, type PersonToBook, toLinks } from './book.ts'
import type { Contact, SignUpContext } from './context.ts'
import { readSignUpForm, type SignUpForm } from './form.ts'
import { secretFromToken } from './link.ts'
import type { AttendeeLink } from './message.ts'
import { PublicError } from './public-error.ts'
import { signUpByMail } from './sign-up-by-mail.ts'

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
 */
export async function signUp(context: SignUpContext, input: SignUpInput): Promise<SignUpResult> {
  const { store, mail, origin } = context
  const { eventId, isVolunteer = false } = input
  const form = await readSignUpForm(store, eventId)
  if (!form) throw new PublicError('noEvent')
  const { contact, attendees } = checkSignUp(form, input, origin)
  if (mail) {
    await signUpByMail(context, { eventId, form, contact, attendees, isVolunteer })
    return { outcome: 'unconfirmed', links: [] }
  }
  const booked = await bookDates(store, {
    form,
    isVolunteer,
    contact,
    identify: (id) => identify(store, form, { ...input, eventId: id }, contact, attendees),
    orderId: crypto.randomUUID(),
    isConfirmed: true,
  })
  const isWaiting = booked.every(
    ({ state, known }) =>
      state === 'waiting' || [...known.values()].some((status) => status === 'waiting'),
  )
  return {
    outcome: isWaiting ? 'waiting' : 'confirmed',
    links: toLinks(form, booked.at(-1)?.people ?? []),
  }
}

/** The private links after a sign-up without mail, which its form makes again. */
export async function listLinks(
  store: Store,
  form: SignUpForm,
  input: SignUpInput,
): Promise<AttendeeLink[]> {
  const { contact, attendees } = checkSignUp(form, input, '')
  return toLinks(form, await identify(store, form, input, contact, attendees))
}

/** Without mail, nothing proves whose address it is, so only the same form leads to a booking again. */
const identify = (
  { organisationId }: Store,
  { event, dates }: SignUpForm,
  { eventId, token }: SignUpInput,
  { email }: Contact,
  attendees: readonly Attendee[],
): Promise<PersonToBook[]> =>
  Promise.all(
    attendees.map(async (attendee) => {
      const personHash = await hashPerson([organisationId, eventId, token], email, attendee.name)
      const secret = await secretFromToken(token, dates ? event.eventId : personHash)
      return { attendee, personHash, secret }
    }),
  )

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
