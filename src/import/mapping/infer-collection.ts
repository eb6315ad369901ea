import { collectionNames } from '../../model/collection.ts'
import type { SourceTable } from '../rows/table.ts'
import { canonicalName, detectSystem, normaliseHeading } from './heading-names.ts'

/** Words in a file's name that suggest its collection. */
const collectionByWord: Readonly<Record<string, string>> = {
  member: 'members',
  contact: 'members',
  supporter: 'members',
  constituent: 'members',
  client: 'members',
  beneficiary: 'members',
  beneficiaries: 'members',
  people: 'members',
  subscriber: 'members',
  subscribed: 'members',
  audience: 'members',
  volunteer: 'volunteers',
  partner: 'partners',
  attendee: 'bookings',
  booking: 'bookings',
  ticket: 'bookings',
  order: 'bookings',
  event: 'events',
  session: 'events',
  note: 'case-notes',
  fund: 'funds',
  application: 'grant-applications',
  grant: 'grant-applications',
  disbursement: 'disbursements',
  payment: 'disbursements',
  response: 'survey-responses',
}

const collectionBySystem: Readonly<Record<string, string>> = {
  Eventbrite: 'bookings',
  'Ticket Tailor': 'bookings',
}

/**
 * Infers a file's collection from its name or headings; undefined if neither suggests one. `because`
 * completes the sentence “It is suggested because …”.
 */
export function inferCollection(
  file: string,
  { headings, ticks }: Pick<SourceTable, 'headings' | 'ticks'>,
): { collection: string; because: string } | undefined {
  if (ticks) return { collection: 'bookings', because: 'it has people by dates' }
  const baseName = file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')
  const exactName = collectionNames.find((name) => baseName.toLowerCase() === name)
  if (exactName) return { collection: exactName, because: 'the file has its name' }
  const system = detectSystem(headings)
  const systemCollection = system && collectionBySystem[system]
  if (systemCollection)
    return { collection: systemCollection, because: `it is an export of ${system}` }
  for (const word of normaliseHeading(baseName).split(' ')) {
    const wordCollection = collectionByWord[word] ?? collectionByWord[word.replace(/s$/, '')]
    if (wordCollection)
      return { collection: wordCollection, because: `the file's name has "${word}" in it` }
  }
  return inferFromHeadings(headings)
}

function inferFromHeadings(headings: readonly string[]) {
  const canonicalHeadings = new Set(headings.map((heading) => canonicalName(heading)))
  const has = (...names: string[]) => names.some((name) => canonicalHeadings.has(name))
  const isOfPeople = has('Full Name', 'First Name', 'Surname', 'Email')
  const because = 'of its headings'
  if (has('Ticket Type', 'Ticket Number') || (has('Event Name') && isOfPeople))
    return { collection: 'bookings', because }
  if (has('Amount Requested', 'Date Awarded')) return { collection: 'grant-applications', because }
  if (has('Event Name') && has('Event Start')) return { collection: 'events', because }
  return isOfPeople ? { collection: 'members', because } : undefined
}
