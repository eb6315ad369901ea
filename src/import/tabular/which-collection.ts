import { collectionNames } from '../../model/collection-names.ts'
import { plain, systemOf, usualName } from './called.ts'

/** Words in the name of a file that say what it is of. */
const words: Readonly<Record<string, string>> = {
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

const ofSystems: Readonly<Record<string, string>> = {
  Eventbrite: 'bookings',
  'Ticket Tailor': 'bookings',
}

/** The collection that a file is of, by its name or else by its headings, and why; undefined where neither tells. */
export function whichCollection(
  file: string,
  headings: readonly string[],
): { collection: string; because: string } | undefined {
  const base = file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')
  const whole = collectionNames.find((name) => base.toLowerCase() === name)
  if (whole) return { collection: whole, because: 'the file is called so' }
  const system = systemOf(headings)
  const ofSystem = system && ofSystems[system]
  if (ofSystem) return { collection: ofSystem, because: `it is an export of ${system}` }
  for (const word of plain(base).split(' ')) {
    const named = words[word] ?? words[word.replace(/s$/, '')]
    if (named) return { collection: named, because: `the file's name has "${word}" in it` }
  }
  return byHeadings(headings)
}

function byHeadings(headings: readonly string[]) {
  const usual = new Set(headings.map((heading) => usualName(heading)))
  const has = (...names: string[]) => names.some((name) => usual.has(name))
  const isOfPeople = has('Full Name', 'First Name', 'Surname', 'Email')
  const because = 'of what its headings say'
  if (has('Ticket Type', 'Ticket Number') || (has('Event Name') && isOfPeople))
    return { collection: 'bookings', because }
  if (has('Amount Requested', 'Date Awarded')) return { collection: 'grant-applications', because }
  if (has('Event Name') && has('Event Start')) return { collection: 'events', because }
  return isOfPeople ? { collection: 'members', because } : undefined
}
