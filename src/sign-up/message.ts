import { repeatedZone, toLondon } from '../model/timestamp.ts'
import { escapeHtml } from '../platform/escape-html.ts'
import type { EventDocument } from './public-events.ts'

/** A message: paragraphs, and links with a label. */
export type Letter = {
  subject: string
  parts: readonly (string | { label: string; address: string })[]
}

/** A letter as text and as HTML. */
export function writeMessage({ subject, parts }: Letter) {
  const text = parts.map((part) =>
    typeof part === 'string' ? part : `${part.label}:\n${part.address}`,
  )
  const html = parts.map((part) =>
    typeof part === 'string'
      ? `<p>${escapeHtml(part)}</p>`
      : `<p><a href="${escapeHtml(part.address)}">${escapeHtml(part.label)}</a></p>`,
  )
  return {
    // A line break would begin another header.
    subject: subject.replaceAll(/\s+/g, ' ').slice(0, 200),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><body>${html.join('\n')}</body></html>`,
  }
}

/** A person's private link: the secret in the path leads to one booking. */
export type AttendeeLink = { name: string; secret: string }

/** The event and the sender that a letter is about. */
type LetterSubject = {
  event: EventDocument
  organisationId: string
  organisationName: string
}

/** The people in a letter after signing up, and the state of the new ones until a time. */
type SignedUpPeople = {
  newPeople: AttendeeLink[]
  knownPeople: AttendeeLink[]
  state: string
  heldUntil: string
}

/** The letter after signing up. */
export function signUpLetter(about: LetterSubject, origin: string, people: SignedUpPeople): Letter {
  const { newPeople, knownPeople, state } = people
  const opening =
    state === 'waiting'
      ? 'There are not enough places, so these people are on the waiting list. You will get a message when there is a place.'
      : `Please confirm your address by ${formatMoment(people.heldUntil)}: open a link below and choose “Confirm”. ${
          state === 'pending'
            ? 'Many people are signing up now, so no place is held for you until then.'
            : 'Otherwise the places are given to others.'
        }`
  return {
    subject: `Your sign-up for ${nameOf(about.event)}`,
    parts: [
      `Somebody used this address to sign up for ${describeEvent(about)}.`,
      ...(newPeople.length > 0 ? [opening, ...linksOf(about, origin, newPeople)] : []),
      ...(knownPeople.length > 0
        ? ['These people were signed up before:', ...linksOf(about, origin, knownPeople)]
        : []),
      'Each link leads to the booking of one person, to see, change or cancel it. If you did not sign up, ignore this message.',
      `${about.organisationName}`,
    ],
  }
}

/** The letter that offers places to a group on the waiting list until a time. */
export const offerLetter = (
  about: LetterSubject,
  origin: string,
  people: AttendeeLink[],
  heldUntil: string,
): Letter => ({
  subject: `A place at ${nameOf(about.event)}`,
  parts: [
    `There is a place for you at ${describeEvent(about)}.`,
    `It is held for you until ${formatMoment(heldUntil)}. Open the link and choose “Accept”, or “Cancel” if you cannot come.`,
    ...linksOf(about, origin, people),
    `${about.organisationName}`,
  ],
})

const linksOf = ({ organisationId }: LetterSubject, origin: string, people: AttendeeLink[]) =>
  people.map(({ name, secret }, index) => ({
    label: safeName(name) ?? `Person ${index + 1}`,
    address: `${origin}/o/${encodeURIComponent(organisationId)}/bookings/${secret}`,
  }))

/** A name for a message; undefined for a text that a stranger could use to advertise. */
const safeName = (name: string) => (/^[\p{L}\p{M} '’-]{1,60}$/u.test(name) ? name : undefined)

const describeEvent = ({ event, organisationName }: LetterSubject) =>
  event.start
    ? `“${nameOf(event)}” of ${organisationName} on ${formatMoment(event.start)}`
    : `“${nameOf(event)}” of ${organisationName}`

const nameOf = ({ name }: EventDocument) => name || 'our event'

/** A UK time with its day, such as `19 December 2026, 14:00`. */
const formatMoment = (timestamp: string) => `${dayOf(timestamp)}, ${timeOf(timestamp)}`

const dayOf = (timestamp: string) => {
  const [year, month = 1, day] = toLondon(timestamp).slice(0, 10).split('-').map(Number)
  return `${day} ${months[month - 1]} ${year}`
}

const timeOf = (timestamp: string) =>
  `${toLondon(timestamp).slice(11)} ${repeatedZone(timestamp)}`.trimEnd()

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
