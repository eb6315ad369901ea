import { toPersonDocument } from '../src/records/person.ts'

/** A field of the bench's records: its schema type, and its value in a record by number. */
export type Field = {
  id: string
  type: string
  value: (record: number) => string | number | boolean
}

export const spellNumber = (number: number, letters = 4) =>
  Array.from({ length: letters }, (_, index) =>
    String.fromCharCode(97 + ((number >> (index * 4)) & 15)),
  ).join('')

export const day = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

/** Fourteen fields, three of them with a different value for each member. */
export const fields: readonly Field[] = [
  { id: 'First name', type: 'text', value: (m) => `First${spellNumber(scramble(m, 1) % 300)}` },
  { id: 'Last name', type: 'text', value: (m) => `Last${spellNumber(scramble(m, 2) % 3000)}` },
  { id: 'Email', type: 'email', value: (m) => `person.${m}@example.org` },
  { id: 'Phone', type: 'phone', value: (m) => `07${String(m).padStart(9, '0')}` },
  { id: 'Born', type: 'date', value: (m) => day(scramble(m, 3) % 18_000) },
  { id: 'Gender', type: 'text', value: (m) => `gender ${scramble(m, 4) % 4}` },
  {
    id: 'Postcode',
    type: 'text',
    value: (m) => `AB${scramble(m, 5) % 90} ${scramble(m, 6) % 9}XY`,
  },
  { id: 'Town', type: 'text', value: (m) => `Town of ${spellNumber(scramble(m, 7) % 200)}` },
  { id: 'Cohort', type: 'text', value: (m) => `cohort ${scramble(m, 8) % 1000}` },
  { id: 'Status', type: 'text', value: (m) => (scramble(m, 9) % 2 ? 'active' : 'past') },
  { id: 'Consent', type: 'boolean', value: (m) => scramble(m, 10) % 2 === 1 },
  { id: 'Visits', type: 'number', value: (m) => scramble(m, 11) % 50 },
  { id: 'Joined', type: 'date', value: (m) => day(16_000 + (scramble(m, 12) % 3000)) },
  { id: 'Notes', type: 'text', value: (m) => `Came with a neighbour, visit ${m}, and stayed.` },
]

export const memberId = (member: number) => `member-${member}`

export const memberValues = (member: number) =>
  Object.fromEntries(fields.map(({ id, value }) => [id, value(member)]))

export const memberDocument = (member: number) =>
  JSON.stringify(toPersonDocument('members', memberId(member), memberValues(member)))

/** Returns a pseudo-random whole number derived from another. */
export function scramble(number: number, salt: number): number {
  let mixed = Math.imul(number + salt * 0x9e3779b9, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
