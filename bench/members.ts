import { toPersonDocument } from '../src/records/person.ts'

/** A field of the records that are measured: its schema type, and its value in the record of this number. */
export type Field = {
  id: string
  type: string
  value: (record: number) => string | number | boolean
}

export const spelled = (number: number, letters = 4) =>
  Array.from({ length: letters }, (_, place) =>
    String.fromCharCode(97 + ((number >> (place * 4)) & 15)),
  ).join('')

export const day = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

/** Fourteen fields; three have a different value for every member. */
export const fields: readonly Field[] = [
  { id: 'First name', type: 'text', value: (m) => `First${spelled(spread(m, 1) % 300)}` },
  { id: 'Last name', type: 'text', value: (m) => `Last${spelled(spread(m, 2) % 3000)}` },
  { id: 'Email', type: 'email', value: (m) => `person.${m}@example.org` },
  { id: 'Phone', type: 'phone', value: (m) => `07${String(m).padStart(9, '0')}` },
  { id: 'Born', type: 'date', value: (m) => day(spread(m, 3) % 18_000) },
  { id: 'Gender', type: 'text', value: (m) => `gender ${spread(m, 4) % 4}` },
  { id: 'Postcode', type: 'text', value: (m) => `AB${spread(m, 5) % 90} ${spread(m, 6) % 9}XY` },
  { id: 'Town', type: 'text', value: (m) => `Town of ${spelled(spread(m, 7) % 200)}` },
  { id: 'Cohort', type: 'text', value: (m) => `cohort ${spread(m, 8) % 1000}` },
  { id: 'Status', type: 'text', value: (m) => (spread(m, 9) % 2 ? 'active' : 'past') },
  { id: 'Consent', type: 'boolean', value: (m) => spread(m, 10) % 2 === 1 },
  { id: 'Visits', type: 'number', value: (m) => spread(m, 11) % 50 },
  { id: 'Joined', type: 'date', value: (m) => day(16_000 + (spread(m, 12) % 3000)) },
  { id: 'Notes', type: 'text', value: (m) => `Came with a neighbour, visit ${m}, and stayed.` },
]

export const memberId = (member: number) => `member-${member}`

export const valuesOf = (member: number) =>
  Object.fromEntries(fields.map(({ id, value }) => [id, value(member)]))

export const memberDocument = (member: number) =>
  JSON.stringify(toPersonDocument('members', memberId(member), valuesOf(member)))

/** A whole number that follows from another with no pattern to see. */
export function spread(number: number, salt: number): number {
  let mixed = Math.imul(number + salt * 0x9e3779b9, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
