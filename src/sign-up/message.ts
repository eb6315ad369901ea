import { escapeHtml } from '../platform/escape-html.ts'
import { texts } from '../texts/texts.ts'
import type { EventDocument } from './public-events.ts'

/** A message: paragraphs, which may have several lines, and links with a label. */
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
      ? `<p>${escapeHtml(part).replaceAll(/\r?\n/g, '<br>')}</p>`
      : `<p><a href="${escapeHtml(part.address)}">${escapeHtml(part.label)}</a></p>`,
  )
  return {
    // A line break would begin another header.
    subject: subject.replaceAll(/\s+/g, ' ').slice(0, 200),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${texts.language}"><meta charset="utf-8"><body>${html.join('\n')}</body></html>`,
  }
}

/** A person's private link: the secret in the path leads to one booking. */
export type AttendeeLink = { name: string; secret: string }

/** The event and the sender that a letter is about. */
type LetterSubject = {
  event: EventDocument
  /** Whether it is a series, of which all dates are booked. */
  isSeries?: boolean
  organisationId: string
  organisationName: string
}

/** The people in a letter after signing up, and the state of the new ones until a time. */
type SignedUpPeople = {
  newPeople: AttendeeLink[]
  knownPeople: AttendeeLink[]
  state: string
  /** The dates of a series that are full, unless all are. */
  waitingDates: readonly string[]
  heldUntil: string
}

/** The letter after signing up. */
export function signUpLetter(about: LetterSubject, origin: string, people: SignedUpPeople): Letter {
  const { newPeople, knownPeople } = people
  const { letters } = texts
  return {
    subject: letters.signUpSubject(about.event.name),
    parts: [
      letters.signUp(describeEvent(about)),
      ...(newPeople.length > 0
        ? [
            describeState(people),
            ...(people.waitingDates.length > 0 ? [letters.waitingFor(people.waitingDates)] : []),
            ...linksOf(about, origin, newPeople),
          ]
        : []),
      ...(knownPeople.length > 0
        ? [letters.knownPeople, ...linksOf(about, origin, knownPeople)]
        : []),
      about.isSeries ? letters.linkOfSeries : letters.links,
      about.organisationName,
    ],
  }
}

function describeState({ state, heldUntil }: SignedUpPeople): string {
  const { waiting, confirm, confirmPending } = texts.letters
  if (state === 'waiting') return waiting
  return state === 'pending' ? confirmPending(heldUntil) : confirm(heldUntil)
}

/** The letter that offers places to a group on the waiting list until a time. */
export const offerLetter = (
  about: LetterSubject,
  origin: string,
  people: AttendeeLink[],
  heldUntil: string,
): Letter => ({
  subject: texts.letters.offerSubject(about.event.name),
  parts: [
    texts.letters.offer(describeEvent(about)),
    texts.letters.offerEnd(heldUntil),
    ...linksOf(about, origin, people),
    about.organisationName,
  ],
})

const linksOf = (
  { organisationId, isSeries }: LetterSubject,
  origin: string,
  people: AttendeeLink[],
) =>
  people.map(({ name, secret }, index) => ({
    label: isSeries ? texts.letters.allDates : (safeName(name) ?? texts.letters.person(index + 1)),
    address: `${origin}/o/${encodeURIComponent(organisationId)}/bookings/${secret}`,
  }))

/** A name for a message; undefined for a text that a stranger could use to advertise. */
export const safeName = (name: string) =>
  /^[\p{L}\p{M} '’-]{1,60}$/u.test(name) ? name : undefined

const describeEvent = ({ event, isSeries, organisationName }: LetterSubject) =>
  texts.letters.event(event.name, organisationName, isSeries ? null : event.start)
