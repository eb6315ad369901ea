import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { afterEach, expect, test, vi } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { pageMemory } from '../../src/formats/page-memory.ts'
import { changeRole } from '../../src/store/settings/memberships.ts'
import { signUps } from '../../src/store/sign-up-tables.ts'
import { schemas } from '../../src/store/tables.ts'
import { directoryStore } from '../../src/store/trusted-store.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { everything } from '../examples/everything.ts'
import { rowsRead } from '../organisation.ts'
import { newSignedIn } from './signed-in.ts'

type Person = Awaited<ReturnType<typeof newSignedIn>>

const fields = [
  { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
  { id: 'Email', name: 'Email', label: 'Email', type: 'email', order: 1 },
]

const eventOf = (eventId: string, name: string, parentEventId = '') => ({
  id: eventId,
  document: { ...everything.events?.document, eventId, name, parentEventId },
})

const bookingOf = (values: object) => ({
  id: 'b',
  document: {
    ...everything.bookings?.document,
    ...{ bookingId: 'b', eventId: 'choir', childEventId: '', memberId: 'ada', name: 'Choir' },
    ...{ date: '2026-07-01', orgStatus: 'pending', userStatus: 'attending', attending: true },
    ...values,
  },
})

const memberOf = (name: string) => ({
  id: 'ada',
  document: { memberId: 'ada', 'Full Name': name, Email: 'ada@example.org' },
})

const lists = ['events', 'bookings', 'members', 'members?Full+Name~contains=a']

/** A person signed in to an organisation with an event, a member and a booking, whose lists the isolate remembers. */
async function withLists(role: Role = 'admin') {
  const person = await newSignedIn(role)
  await person.schema('members', fields)
  await person.put('events', [eventOf('choir', 'Choir')])
  await person.put('members', [memberOf('Ada Obi')])
  await person.put('bookings', [bookingOf({})])
  // The first request for a list also reads what the next ones assume.
  for (const list of [...lists, ...lists]) await person.html(`/records/${list}`)
  return person
}

/** A list as an isolate shows it that remembers nothing. */
async function showAnew({ html }: Person, list: string): Promise<string> {
  const forget = vi.spyOn(pageMemory, 'get').mockReturnValue(undefined)
  const page = await html(`/records/${list}`)
  forget.mockRestore()
  return page
}

/** Counts the statements of a request. */
async function countStatements({ html }: Person, list: string): Promise<number> {
  const prepare = vi.spyOn(env.DB, 'prepare')
  await html(`/records/${list}`)
  const { length } = prepare.mock.calls
  prepare.mockRestore()
  return length
}

afterEach(() => {
  vi.useRealTimers()
})

test.each(lists)('an unchanged list of %s reads the session and the state', async (list) => {
  const person = await withLists()
  const anew = await showAnew(person, list)
  const page = await person.visit(`/records/${list}`)
  expect(await page.text()).toBe(anew)
  expect(rowsRead(page)).toBeLessThanOrEqual(10)
  expect(await countStatements(person, list)).toBe(2)
})

const changes: [
  change: string,
  list: string,
  apply: (person: Person) => Promise<unknown>,
  shows: string,
][] = [
  [
    'a new record',
    'events',
    ({ put }) => put('events', [eventOf('lunch', 'Lunch club')]),
    'Lunch club',
  ],
  [
    'a record that others name',
    'bookings',
    ({ put }) => put('events', [eventOf('choir', 'Singing group')]),
    'Singing group',
  ],
  [
    'a date of an event, which makes it a series',
    'events',
    ({ put }) => put('events', [eventOf('date', 'Choir in May', 'choir')]),
    'Choir in May',
  ],
  [
    'an attendance',
    'bookings',
    ({ put }) => put('bookings', [bookingOf({ orgStatus: 'absent' })]),
    'Did not come',
  ],
  [
    'a record that passes a filter',
    'members?Full+Name~contains=a',
    ({ put }) => put('members', [memberOf('Adaeze Obi')]),
    'Adaeze Obi',
  ],
  [
    'a field',
    'members',
    ({ id }) =>
      drizzle(env.DB)
        .update(schemas)
        .set({ fields: JSON.stringify(fields).replace('Full name', 'Whole name') })
        .where(eq(schemas.organisationId, id)),
    'Whole name',
  ],
  [
    'a saved view, which changes no record',
    'events',
    async ({ post, html }) => {
      await post('/views', [
        ['page', 'records/events'],
        ['query', 'name=Choir'],
        ['name', 'Our choirs'],
      ])
      // The page after a form has a notice.
      expect(await html('/records/bookings')).toContain('role="status"')
    },
    'Our choirs',
  ],
]

test.each(changes)('%s is in the next list of %s', async (_, list, apply, shows) => {
  const person = await withLists()
  expect(await person.html(`/records/${list}`)).not.toContain(shows)
  await apply(person)
  const page = await person.html(`/records/${list}`)
  expect(page).toContain(shows)
  expect(page).toBe(await showAnew(person, list))
})

test('a restored backup counts the same versions again, with other records', async () => {
  const { id, put, html } = await withLists()
  await put('events', [eventOf('lunch', 'Lunch club')])
  await env.DB.prepare('UPDATE organisations SET version = version - 1 WHERE id = ?').bind(id).run()
  expect(await html('/records/events')).toContain('Lunch club')
})

test('an event that gets dates leaves the list of events', async () => {
  const { put, html } = await withLists()
  expect(await html('/records/events')).toContain('>1 event</caption>')
  await put('events', [eventOf('may', 'Choir in May', 'choir'), eventOf('june', 'June', 'choir')])
  const page = await html('/records/events')
  expect(page).toContain('>2 events</caption>')
  expect(page).not.toContain('>Choir</a>')
})

test('people with different roles never share a list', async () => {
  const admin = await withLists()
  const limited = await newSignedIn('reader-without-contact-details', admin)
  await admin.put('members', [
    { id: 'zoe', document: { memberId: 'zoe', 'Full Name': 'Zoe Ali', Email: 'a@example.org' } },
  ])
  // Somebody from whom addresses are hidden cannot sort by them.
  const list = 'members?$orderby=Email'
  for (const _ of [1, 2]) {
    expect(await admin.html(`/records/${list}`)).toMatch(/Zoe Ali.*Ada Obi/)
    expect(await limited.html(`/records/${list}`)).toMatch(/Ada Obi.*Zoe Ali/)
  }
})

test('a change of role applies to the next list', async () => {
  const admin = await withLists()
  const person = await newSignedIn('editor', admin)
  const directory = directoryStore(env.DB, person.id, 'a test')
  const showsContacts = async () =>
    (await person.html('/records/members')).includes('ada@example.org')
  expect([await showsContacts(), await showsContacts()]).toEqual([true, true])
  await changeRole(directory, person.email, 'reader-without-contact-details')
  expect([await showsContacts(), await showsContacts()]).toEqual([false, false])
  await changeRole(directory, person.email, 'editor')
  expect([await showsContacts(), await showsContacts()]).toEqual([true, true])
})

test('at midnight a booking of the day becomes a past one', async () => {
  const now = Date.parse('2027-01-15T23:57:00Z')
  vi.useFakeTimers({ toFake: ['Date'], now })
  const person = await withLists()
  await person.put('bookings', [bookingOf({ date: '2027-01-15', attending: false })])
  await person.html('/records/bookings')
  expect(await person.html('/records/bookings')).toContain('Cancelled')
  vi.setSystemTime(now + 240_000)
  const page = await person.html('/records/bookings')
  expect(page).toContain('Did not come')
  expect(page).toBe(await showAnew(person, 'bookings'))
})

test('somebody waits no longer once the sign-up is deleted, which changes no record', async () => {
  const person = await withLists()
  const { id } = person
  const values = { bookingId: 'waiting', attending: false, userStatus: 'waiting' }
  const { document } = bookingOf(values)
  const booking = { id: 'waiting', document: JSON.stringify(document) }
  await putRecords(env.DB, id, 'bookings', [booking], { by: 'public page' })
  const signUp = { bookingId: 'waiting', eventId: 'choir', personHash: 'ada', deleteAfter: '9999' }
  await drizzle(env.DB)
    .insert(signUps)
    .values({ ...signUp, organisationId: id, contact: '{}', answers: '{}', questionAnswers: '{}' })
  await person.html('/records/bookings')
  expect(await person.html('/records/bookings')).toContain('Waiting list')
  await drizzle(env.DB).delete(signUps).where(eq(signUps.organisationId, id))
  expect(await person.html('/records/bookings')).not.toContain('Waiting list')
})
