import { openMail } from '../mail/mail.ts'
import type { Bindings } from '../platform/bindings.ts'
import { tolerate } from '../platform/log.ts'
import {
  deleteSignUpRequest,
  type SignUpRequest,
  takeDueRequests,
} from '../store/sign-up/sign-up-requests.ts'
import { trustedStore } from '../store/trusted-store.ts'
import { type Attendee, hashPerson } from './attendees.ts'
import { type Booked, bookDates, toLink, toLinks } from './book.ts'
import type { Contact, MailContext, SignUpContext } from './context.ts'
import { readSignUpForm, type SignUpForm } from './form.ts'
import { randomSecret } from './link.ts'
import { signUpLetter } from './message.ts'
import { acceptSignUpByMail, sendMail } from './send-mail.ts'

/*
 * With mail, the bookings are written after the response, because the time of a response would tell who is known.
 * The request is stored before it, so that the schedule can finish what failed or was interrupted. Each attempt
 * finds the bookings of the earlier ones, and makes new links: only the message has their secrets.
 */

/** The maximum number of attempts. They take about four hours, because the wait doubles each time. */
const maxAttempts = 8

/** The age at which a request is given up. Older ones appear when a database is restored: their senders no longer wait. */
const maxAgeMs = 24 * 3_600_000

/** A valid sign-up, as a request stores it. */
type SignUpByMail = {
  isVolunteer: boolean
  contact: Contact
  attendees: readonly Attendee[]
}

/** Stores a sign-up, and finishes it after the response. Throws 429 if the address cannot be sent another message. */
export async function signUpByMail(
  context: SignUpContext,
  { eventId, form, ...signUp }: SignUpByMail & { eventId: string; form: SignUpForm },
): Promise<void> {
  const request = { id: crypto.randomUUID(), eventId, signUp: JSON.stringify(signUp) }
  await acceptSignUpByMail(context, signUp.contact.email, request)
  context.runInBackground(async () => {
    if (await bookAndSend(context, request, form))
      await deleteSignUpRequest(context.store, request.id)
  })
}

/** Finishes the sign-ups of all organisations that failed or were interrupted, and gives up those that cannot be finished. */
export async function finishSignUps(env: Bindings, now: number): Promise<void> {
  const mail = openMail(env)
  const requests = await takeDueRequests(env.DB, new Date(now).toISOString())
  const attempts = requests.map(async (request) => {
    const { organisationId, id, created, attempts } = request
    const store = trustedStore(env.DB, organisationId, { by: 'public page' })
    const attempt = <Result>(task: () => Promise<Result>) =>
      tolerate('sign-ups', { organisation: organisationId }, task)
    const isOld = attempts > maxAttempts || Date.parse(created) < now - maxAgeMs
    const isDone = isOld || (await attempt(() => finishSignUp({ store, mail }, request)))
    if (isDone || attempts === maxAttempts) await attempt(() => deleteSignUpRequest(store, id))
  })
  await Promise.all(attempts)
}

/** Tries a request again. Returns whether nothing is left to do. */
async function finishSignUp(context: MailContext, request: SignUpRequest): Promise<boolean> {
  const form = await readSignUpForm(context.store, request.eventId)
  // Nobody can sign up any more.
  if (!form?.site.enabled) return true
  return bookAndSend(context, request, form)
}

/** Writes the bookings of a request, and sends their links to the contact. Returns whether the message was sent. */
async function bookAndSend(
  context: MailContext,
  { id, ...stored }: Omit<SignUpRequest, 'eventId'>,
  form: SignUpForm,
): Promise<boolean> {
  const { store } = context
  const { contact, attendees, isVolunteer }: SignUpByMail = JSON.parse(stored.signUp)
  const secretOfSeries = form.dates && randomSecret()
  const identify = (dateId: string) =>
    Promise.all(
      attendees.map(async (attendee) => ({
        attendee,
        personHash: await hashPerson([store.organisationId, dateId], contact.email, attendee.name),
        secret: secretOfSeries ?? randomSecret(),
      })),
    )
  const signUp = { form, contact, identify, isVolunteer, orderId: id, isConfirmed: false }
  const booked = await bookDates(store, signUp)
  const about = {
    event: form.event,
    isSeries: form.dates !== undefined,
    organisationId: store.organisationId,
    organisationName: form.site.organisationName,
  }
  const letter = signUpLetter(about, contact.origin, describeBooked(form, booked))
  const addresses = { to: contact.email, replyTo: form.site.settings.contactEmail }
  return (await sendMail(context, addresses, letter)) === 'sent'
}

/** What the message says of the people and, for a series, of its dates. */
function describeBooked(form: SignUpForm, booked: readonly Booked[]) {
  const [first] = booked
  const people = first?.people ?? []
  const newDates = booked.filter((date) =>
    date.people.some(({ personHash }) => !date.known.has(personHash)),
  )
  const links = form.dates
    ? toLinks(form, people).map((link) => ({ link, isNew: newDates.length > 0 }))
    : people.map((it) => ({ link: toLink(it), isNew: !first?.known.has(it.personHash) }))
  const waiting = newDates.filter(({ state }) => state === 'waiting')
  const isAllWaiting = waiting.length === newDates.length
  const states = newDates.map(({ state }) => state)
  return {
    newPeople: links.filter(({ isNew }) => isNew).map(({ link }) => link),
    knownPeople: links.filter(({ isNew }) => !isNew).map(({ link }) => link),
    state: (['held', 'pending'] as const).find((state) => states.includes(state)) ?? 'waiting',
    waitingDates: isAllWaiting ? [] : waiting.map(({ event }) => event.start ?? ''),
    heldUntil: first?.heldUntil ?? '',
  }
}
