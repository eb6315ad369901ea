import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseSchema } from '../../../src/records/schema/schema.ts'
import { newPerson } from '../../auth/identity.ts'
import { fields } from '../../examples/people.ts'
import { loadFacts } from '../../geography/load-facts.ts'
import { createKey } from '../../keys.ts'
import { request } from '../../organisation.ts'
import { expectOrganisationIndex, rows } from '../../store/whole-index.ts'
import { inDays, newRegister } from './signed-up.ts'

beforeAll(() => loadFacts('2025-11'))
afterAll(() => env.GEOGRAPHY.prepare("UPDATE editions SET status = 'retired'").run())

const answers = { 'Full Name': 'Idris Aldermere', Postcode: 'SW1A 1AA', view: 'b' }
const contact = { name: 'Rukhsana Aldermere', email: 'rukhsana@example.org' }

test('somebody who came becomes a member with the answers of the sign-up', async () => {
  const schema = parseSchema('members', { fields }).data?.fields
  const { id, signUp, mark, booking, attendees, get, json } = await newRegister(schema)
  const { next } = await json<{ next: string }>('/changes?$after=latest')
  const bookingId = await signUp({ userName: 'Idris Aldermere', answers, contact })
  const { status, body } = await mark(bookingId, { came: true })
  const { memberId } = body.booking
  expect([status, body]).toEqual([
    200,
    { booking: { bookingId, memberId, orgStatus: 'attended', attending: true }, notMarked: 0 },
  ])
  expect(await booking(bookingId)).toMatchObject({ memberId, orgStatus: 'attended' })
  expect(await attendees()).toBe(1)
  const member = await (await get(`/members/${memberId}`)).text()
  for (const value of Object.values(answers)) expect(member).toContain(`"value":"${value}"`)
  // The address belongs to the person who signed up.
  expect(member).not.toContain(contact.email)
  expect(member).toContain('"value":"St James\'s"')
  const { changes } = await json<{ changes: { collection: string; change: string }[] }>(
    `/changes?$after=${next}`,
  )
  expect(changes.map(({ collection, change }) => `${collection} ${change}`)).toEqual([
    'members created',
    'bookings updated',
    'events updated',
  ])
  await expectOrganisationIndex(id)
})

test('a booking without a sign-up gives its name and address', async () => {
  const { signUp, mark, get } = await newRegister()
  const booking = { userEmail: 'joan@example.org' }
  const { body } = await mark(await signUp({ userName: 'Joan Redfern', booking }), { came: true })
  const member = await (await get(`/members/${body.booking.memberId}`)).text()
  for (const value of ['Joan Redfern', 'joan@example.org'])
    expect(member).toContain(`"value":"${value}"`)
})

test('an answer that the schema no longer allows is left out', async () => {
  const { signUp, mark, get } = await newRegister()
  const outdated = { ...answers, view: 'neither', gone: 'x', consent: 'yes' }
  const bookingId = await signUp({ userName: 'Idris Aldermere', answers: outdated })
  const { body } = await mark(bookingId, { came: true })
  const member = await (await get(`/members/${body.booking.memberId}`)).text()
  expect(member).toContain('Idris Aldermere')
  for (const value of ['neither', 'gone', 'consent']) expect(member).not.toContain(value)
})

test('taking a mark back restores the statuses and keeps the member', async () => {
  const { signUp, mark, booking, attendees, members } = await newRegister()
  const statuses = { userStatus: 'waiting', orgStatus: 'approved', attending: false }
  const bookingId = await signUp({ userName: 'Joan Redfern', booking: statuses })
  await mark(bookingId, { came: null })
  expect(await attendees()).toBe(17)
  const { body } = await mark(bookingId, { came: true })
  expect([await attendees(), body.booking.attending]).toEqual([1, true])
  await mark(bookingId, { came: false })
  expect(await booking(bookingId)).toMatchObject({ orgStatus: 'absent', attending: false })
  await mark(bookingId, { came: null })
  const { memberId } = body.booking
  expect(await booking(bookingId)).toMatchObject({ ...statuses, memberId })
  expect(await attendees()).toBe(0)
  await mark(bookingId, { came: true })
  expect(await members()).toHaveLength(1)
})

test('attendees counts the bookings of an occurrence, however they name it', async () => {
  const { send, signUp, mark, attendees } = await newRegister()
  await send('PUT', '/events/series', { name: 'Lunches' })
  const names = ['Ada Obi', 'Ben Okri', 'Cy Twombly', 'Di Athill']
  const bookings = [
    {},
    { childEventId: 'event' },
    { eventId: 'series', childEventId: 'event' },
    { eventId: 'series', orgStatus: 'attended' },
  ]
  for (const [index, booking] of bookings.slice(0, 3).entries())
    await mark(await signUp({ userName: names[index] ?? '', booking }), { came: true })
  await signUp({ userName: 'Di Athill', booking: bookings[3] ?? {} })
  expect(await attendees()).toBe(3)
})

describe('a person who may be known', () => {
  const known = { 'Full Name': 'Toby Fennimore', Email: 'Tobias@example.org' }

  async function withKnown() {
    const register = await newRegister()
    await register.send('PUT', '/members/toby', known)
    await register.send('PUT', '/members/other', { 'Full Name': 'Tobias Reed' })
    const bookingId = await register.signUp({
      userName: 'Tobias Fennimore',
      answers: { 'Full Name': 'Tobias Fennimore', Email: 'Tobias@example.org' },
    })
    return { ...register, bookingId }
  }

  test('is marked, and waits for a choice', async () => {
    const { bookingId, mark, members, attendees } = await withKnown()
    expect((await mark(bookingId, { came: true })).body).toEqual({
      booking: { bookingId, memberId: '', orgStatus: 'attended', attending: true },
      likelyMembers: [{ memberId: 'toby', same: ['email'] }],
      notMarked: 0,
    })
    expect([await attendees(), (await members()).length]).toEqual([1, 2])
    const { body } = await mark(bookingId, { came: true, memberId: 'toby' })
    expect(body).toEqual({
      booking: { bookingId, memberId: 'toby', orgStatus: 'attended', attending: true },
      notMarked: 0,
    })
    expect((await members()).length).toBe(2)
  })

  test('is somebody new if staff say so', async () => {
    const { bookingId, mark, members } = await withKnown()
    const { body } = await mark(bookingId, { came: true, memberId: 'new' })
    expect((await members()).map(({ memberId }) => memberId)).toEqual([
      'toby',
      'other',
      body.booking.memberId,
    ])
  })

  test.each([
    ['name', { 'Full Name': 'zoë  o’mallory' }],
    ['phone', { 'Full Name': 'Z', Phone: '+44 7700 900123' }],
    ['name,phone', { 'Full Name': 'Zoe O’Mallory', Phone: '07700900123' }],
  ])('is found by %s', async (same, person) => {
    const { send, signUp, mark } = await newRegister()
    await send('PUT', '/members/zoe', { 'Full Name': 'Zoë O’Mallory', Phone: '07700 900123' })
    const bookingId = await signUp({ userName: person['Full Name'], answers: person })
    const { body } = await mark(bookingId, { came: true })
    expect(body.likelyMembers).toEqual([{ memberId: 'zoe', same: same.split(',') }])
  })
})

test('a mark is refused with the reason', async () => {
  const { send, signUp, mark, members } = await newRegister()
  await send('PUT', '/members/ada', { 'Full Name': 'Ada Obi' })
  const booked = await signUp({ userName: 'Ada Obi', booking: { memberId: 'ada' } })
  const bookingId = await signUp({ userName: 'Ben Okri' })
  for (const [id, body, status, message] of [
    ['nowhere', { came: true }, 404, 'There is no booking with this bookingId.'],
    [bookingId, {}, 400, 'came: must be true or false, or null.'],
    [bookingId, { came: 'yes' }, 400, 'came: must be true or false, or null.'],
    [
      bookingId,
      { came: null, memberId: 'ada' },
      400,
      'memberId: can be given only for a person who came.',
    ],
    [
      bookingId,
      { came: true, memberId: 'nobody' },
      400,
      'memberId: must be the id of one of the members.',
    ],
    [
      booked,
      { came: true, memberId: 'other' },
      400,
      'memberId: The booking has another member already.',
    ],
  ] as const) {
    const { status: actual, body: error } = await mark(id, body)
    expect([actual, error.message]).toEqual([status, message])
  }
  expect(await members()).toHaveLength(1)
})

test('a member and a volunteer are only marked', async () => {
  const { send, signUp, mark, members, attendees } = await newRegister()
  await send('PUT', '/members/ada', { 'Full Name': 'Ada Obi' })
  const bookings = [{ memberId: 'ada' }, { bookingType: 'volunteer' }]
  for (const booking of bookings)
    await mark(await signUp({ userName: 'Ada Obi', booking }), { came: true })
  expect([(await members()).length, await attendees()]).toEqual([1, 2])
})

test('marks at the same time and a repeated one create one member', async () => {
  const { id, signUp, mark, members, attendees } = await newRegister()
  const bookingId = await signUp({ userName: 'Idris Aldermere', answers })
  const header = { 'Idempotency-Key': 'tap' }
  const results = await Promise.all([
    mark(bookingId, { came: true }),
    mark(bookingId, { came: true }, header),
    mark(bookingId, { came: true }, header),
  ])
  expect(new Set(results.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect([(await members()).length, await attendees()]).toEqual([1, 1])
  // A repeated tap is not a second one.
  await mark(bookingId, { came: null })
  await mark(bookingId, { came: true }, header)
  expect(await attendees()).toBe(0)
  expect(await rows('SELECT id FROM idempotency_keys WHERE organisation_id = ?', id)).toHaveLength(
    1,
  )
})

test('a key with restrictions learns nothing of members', async () => {
  const { id, send, signUp, mark, members } = await newRegister(fields)
  await send('PUT', '/members/ada', { 'Full Name': 'Ada Obi' })
  const bookingId = await signUp({ userName: 'Ada Obi' })
  const nameless = await signUp({ userName: '', answers: { Postcode: 'SW1A 1AA' } })
  const permissions = ['read', 'write']
  const keyWith = async (restrictions: object, may = permissions) => ({
    'x-api-key': (await createKey(env, id, 'a', 'a test', undefined, may, restrictions)).key,
  })
  const collections = ['bookings', 'events']
  // Nobody is compared with a nameless person.
  for (const id of [bookingId, nameless])
    expect((await mark(id, { came: true }, await keyWith({ collections }))).status).toBe(403)
  expect(await members()).toHaveLength(1)
  const hidden = await mark(bookingId, { came: true }, await keyWith({ hideFields: ['memberId'] }))
  const blind = await mark(bookingId, { came: true }, await keyWith({}, ['write']))
  for (const { body } of [hidden, blind])
    expect(body).toEqual({ booking: { bookingId, orgStatus: 'attended', attending: true } })
})

test('the count of an event follows the register, also where the key does not see the event', async () => {
  const { id, signUp, mark, attendees, get } = await newRegister()
  const bookingId = await signUp({ userName: 'Joan Redfern' })
  const collections = ['bookings', 'members']
  const { key } = await createKey(env, id, 'a', 'a test', undefined, ['read', 'write'], {
    collections,
  })
  const headers = { 'x-api-key': key }
  expect((await mark(bookingId, { came: true }, headers)).status).toBe(200)
  expect(await attendees()).toBe(1)
  expect((await get('/events/event', { headers })).status).toBe(403)
})

test('a caller who does not see the member of a booking cannot guess it', async () => {
  const { id, send, signUp, mark, booking } = await newRegister()
  await send('PUT', '/members/ada', { 'Full Name': 'Ada Obi' })
  const withMember = await signUp({ userName: '', booking: { memberId: 'ada' } })
  const without = await signUp({ userName: '' })
  const keyWith = async (restrictions: object, permissions = ['read', 'write']) => ({
    'x-api-key': (await createKey(env, id, 'a', 'a test', undefined, permissions, restrictions))
      .key,
  })
  for (const [headers, status] of [
    [await keyWith({ hideFields: ['memberId'] }), 400],
    [await keyWith({ collections: ['bookings', 'events'] }), 403],
    [await keyWith({}, ['write']), 403],
  ] as const) {
    const messages = new Set()
    for (const bookingId of [withMember, without])
      for (const memberId of ['ada', 'nobody', 'new']) {
        const { status: actual, body } = await mark(bookingId, { came: true, memberId }, headers)
        expect(actual).toBe(status)
        messages.add(body.message)
      }
    expect(messages.size).toBe(1)
  }
  expect(await booking(without)).toMatchObject({ memberId: '', orgStatus: '' })
})

test('a steward marks bookings through the API and reads nothing', async () => {
  const { id, add, signUp, mark, members } = await newRegister(undefined, inDays(1))
  const bookingId = await signUp({ userName: 'Idris Aldermere', answers })
  const person = newPerson()
  await add(person.email, 'steward')
  const headers = { Authorization: `Bearer ${await person.token()}` }
  const send = (method: string, path: string, body?: object) =>
    request(`${path}?organisationId=${id}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const marked = await send('POST', `/bookings/${bookingId}/$attendance`, { came: true })
  expect([marked.status, await marked.json()]).toEqual([
    200,
    { booking: { bookingId, orgStatus: 'attended', attending: true } },
  ])
  expect(await members()).toHaveLength(1)
  for (const [method, path, body] of [
    ['GET', '/bookings'],
    ['GET', `/bookings/${bookingId}`],
    ['GET', '/members'],
    ['GET', '/events/event'],
    ['GET', '/changes'],
    ['GET', '/schemas/master'],
    ['PUT', '/events/other', { name: 'Mine' }],
    ['PATCH', `/bookings/${bookingId}`, { attending: false }],
    ['DELETE', `/bookings/${bookingId}`],
    ['POST', '/members', { 'Full Name': 'Ada' }],
  ] as const) {
    const response = await send(method, path, body)
    expect([method, path, response.status]).toEqual([
      method,
      path,
      path.startsWith('/schemas') ? expect.any(Number) : 403,
    ])
    expect(await response.text()).not.toContain('Idris')
  }
  expect((await mark(bookingId, { came: null })).status).toBe(200)
})
