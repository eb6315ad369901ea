import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { newSignedIn } from '../dashboard/signed-in.ts'
import { everything } from '../examples/everything.ts'
import { rowsRead } from '../organisation.ts'

const [people, bookings, batch] = [8000, 2000, 4000]

const consents = ['Photo', 'Letter', 'Newsletter', 'Phone', 'Marketing', 'Data', 'Other']
const names = [
  ...['Email', 'Home Email', 'Work Email'].map((id) => [id, 'email']),
  ...['Mobile', 'Phone', 'Landline'].map((id) => [id, 'phone']),
  ['Postcode', 'postcode'],
  ['Date of Birth', 'date'],
  ...consents.map((id) => [`${id} consent`, 'boolean']),
]
const fields = names.map(([id, type], order) => ({ id, name: id, label: id, type, order }))

let person: Awaited<ReturnType<typeof newSignedIn>>

beforeAll(async () => {
  person = await newSignedIn('editor')
  await person.schema('members', fields)
  const put = async (collection: string, total: number, documentOf: (n: number) => object) => {
    for (let start = 0; start < total; start += batch)
      await person.put(
        collection,
        Array.from({ length: Math.min(batch, total - start) }, (_, index) => ({
          id: `${collection}-${start + index}`,
          document: documentOf(start + index),
        })),
      )
  }
  await put('members', people, (n) => ({
    memberId: `members-${n}`,
    Email: `${n}@example.org`,
    Mobile: `07700 ${100_000 + n}`,
    Postcode: `LS${n % 20} ${n % 10}ES`,
    'Photo consent': n % 2 === 0,
  }))
  await put('bookings', bookings, (n) => ({
    ...everything.bookings?.document,
    bookingId: `bookings-${n}`,
    memberId: `members-${n}`,
    ...(n % 200 === 0 && { eventId: 'choir', date: '2026-03-04', attending: true }),
  }))
  await person.put('events', [{ id: 'choir', document: { eventId: 'choir', tags: ['Singing'] } }])
}, 240_000)

const singers = bookings / 200

test('a list of the members who came to events with a tag reads what these need', async () => {
  const list = await person.visit('/records/members?booking.came~tag=Singing')
  expect(await list.text()).toContain(`${singers} of 8,000 members`)
  // The bookings and members found, in the index and as records, of the others a row for each block.
  expect(rowsRead(list)).toBeLessThanOrEqual(12 * singers + overhead)
})

test('a list of all members who came reads each booking and each of them', async () => {
  const list = await person.visit('/records/members?booking.came~least=1')
  expect(await list.text()).toContain('2,000 of 8,000 members')
  // Of each booking and of each member: a term, a bitmap and a record, some in two statements.
  expect(rowsRead(list)).toBeLessThanOrEqual(9 * bookings + overhead)
})

/** Rows to find the people of each of eight quarters by when they were added: a few more for each doubling of the people. */
const quarters = 8 * 20

/** Rows that do not grow with the records: up to 2,001 values of each detail, to see whether the index is cheaper, and few others. */
const overhead = 2 * 2001 + quarters + 500

test('the quality of 8,000 people reads each for its details, and to compare, and new ones twice to group them', async () => {
  // The index has a row for each person with a booking.
  const first = await person.visit('/reports/quality')
  const html = await first.text()
  expect(html).toContain('share of 8,000 members')
  expect(html).toContain('8,000 of 8,000 members without a date of birth')
  expect(rowsRead(first)).toBeLessThanOrEqual(4 * people + bookings + overhead)
  const next = await person.visit('/reports/quality')
  expect(rowsRead(next)).toBeLessThanOrEqual(3 * people + bookings + overhead)
  await env.DB.prepare('UPDATE records SET created = ? WHERE organisation_id = ?')
    .bind('2025-01-01T00:00:00.000Z', person.id)
    .run()
  const later = await person.visit('/reports/quality')
  expect(await later.text()).not.toContain('Where gaps come from')
  expect(rowsRead(later)).toBeLessThanOrEqual(people + bookings + overhead)
})

test('the index counts bookings that nobody has marked, and those without a ward are read again', async () => {
  const other = await newSignedIn('editor')
  await other.schema('members', fields)
  const [residents, events, perEvent] = [2000, 50, 40]
  const list = <Item>(length: number, itemOf: (n: number) => Item) =>
    Array.from({ length }, (_, n) => itemOf(n))
  await other.put(
    'members',
    list(residents, (n) => ({
      id: `m-${n}`,
      document: {
        memberId: `m-${n}`,
        Postcode: `LS${n % 20} ${n % 10}ES`,
        ...(n % 4 > 0 && { 'Postcode.ward': `Ward ${n % 30}` }),
      },
    })),
  )
  await other.put(
    'bookings',
    list(events * perEvent, (n) => ({
      id: `b-${n}`,
      document: {
        ...everything.bookings?.document,
        bookingId: `b-${n}`,
        memberId: `m-${n % 100}`,
        eventId: `e-${n % events}`,
        childEventId: '',
        date: '2025-03-04',
        attending: true,
        orgStatus: n < events ? 'attended' : '',
      },
    })),
  )
  const page = await other.visit('/reports/quality')
  expect(await page.text()).toContain(`>1,950 bookings that nobody has marked<`)
  // Each person four times, as above, those without a ward once more, and a few rows for each event and ward.
  expect(rowsRead(page)).toBeLessThanOrEqual(4 * residents + residents / 4 + quarters + 1500)
})
