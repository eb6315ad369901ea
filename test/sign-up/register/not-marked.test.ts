import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createKey } from '../../keys.ts'
import { request } from '../../organisation.ts'
import { inDays, newRegister } from './signed-up.ts'

type Counted = { events: { eventId: string; attendees: number; $notMarked?: number }[] }

/** The number of bookings that are not marked, by event. */
const notMarked = ({ events }: Counted) =>
  Object.fromEntries(events.map(({ eventId, $notMarked }) => [eventId, $notMarked]))

test('events and marks say how many past bookings nobody marked', async () => {
  const register = await newRegister()
  const { send, json, mark, signUp, attendees } = register
  await send('PUT', '/events/later', { name: 'Later', start: inDays(3) })
  await send('PUT', '/events/date', { name: 'Date', parentEventId: 'series' })
  const past = { date: '2026-03-04' }
  const ids: string[] = []
  for (const userName of ['Ada', 'Bea', 'Cem']) ids.push(await signUp({ userName, booking: past }))
  await signUp({ userName: 'Dan', booking: { ...past, attending: false } })
  await signUp({ userName: 'Eve', booking: { eventId: 'later', date: inDays(3).slice(0, 10) } })
  // From another system, so its source says who came until somebody takes the register.
  expect(notMarked(await json<Counted>('/events?$notMarked=true'))).toEqual({
    ...{ event: 0, later: 0, date: 0 },
  })
  const [ada = '', bea = ''] = ids
  expect((await mark(ada, { came: true })).body).toMatchObject({ notMarked: 2 })
  expect(notMarked(await json<Counted>('/events?$notMarked=true'))).toEqual({
    ...{ event: 2, later: 0, date: 0 },
  })
  expect((await mark(bea, { came: false })).body).toMatchObject({ notMarked: 1 })
  expect(await attendees()).toBe(1)
  const { events } = await json<Counted>('/events?$notMarked=true&$select=attendees&eventId=event')
  expect(events).toEqual([{ eventId: 'event', attendees: 1, $notMarked: 1 }])
  const csv = await (await register.get('/events?$notMarked=true&$format=csv')).text()
  expect(csv.split('\r\n')[0]).toMatch(/,\$notMarked$/)
  expect(csv.split('\r\n')[1]).toMatch(/,1$/)
  expect((await json<Counted>('/events')).events[0]).not.toHaveProperty('$notMarked')
})

test('a booking for a date counts on the register of the date', async () => {
  const { send, json, mark, signUp } = await newRegister()
  await send('PUT', '/events/date', { name: 'Date', start: inDays(-2), parentEventId: 'event' })
  const booking = { childEventId: 'date', date: inDays(-2).slice(0, 10) }
  const first = await signUp({ userName: 'Ada', booking })
  await signUp({ userName: 'Bea', booking })
  expect((await mark(first, { came: true })).body).toMatchObject({ notMarked: 1 })
  expect(notMarked(await json<Counted>('/events?$notMarked=true'))).toEqual({ event: 0, date: 1 })
})

test('bookings become past ones at midnight, also for a client with an `ETag`', async () => {
  const { send, signUp, mark, get, key } = await newRegister()
  const today = new Date().toISOString().slice(0, 10)
  await send('PUT', '/events/today', { name: 'Today', start: `${today}T09:00:00.000Z` })
  const booking = { eventId: 'today', date: today }
  await mark(await signUp({ userName: 'Ada', booking }), { came: true })
  await signUp({ userName: 'Bea', booking })
  const path = '/events?$notMarked=true&eventId=today'
  const before = await get(path)
  expect(notMarked(await before.json<Counted>())).toEqual({ today: 0 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
  const headers = { 'x-api-key': key, 'If-None-Match': before.headers.get('ETag') ?? '' }
  const after = await request(path, { headers })
  vi.useRealTimers()
  expect(after.status).toBe(200)
  expect(notMarked(await after.json<Counted>())).toEqual({ today: 1 })
})

test('only who may see who came sees how many are not marked', async () => {
  const { id, signUp } = await newRegister()
  const bookingId = await signUp({ userName: 'Ada' })
  const newKey = async (permissions: ('read' | 'write')[], restrictions = {}) =>
    (await createKey(env, id, 'key', 'a test', undefined, permissions, restrictions)).key
  const read = async (key: string) =>
    (await request('/events?$notMarked=true', { headers: { 'x-api-key': key } })).status
  expect(await read(await newKey(['read'], { collections: ['events'] }))).toBe(403)
  expect(await read(await newKey(['read'], { hideFields: ['orgStatus'] }))).toBe(400)
  expect(await read(await newKey(['read']))).toBe(200)
  const writer = await newKey(['write'])
  const marked = await request(`/bookings/${bookingId}/$attendance`, {
    method: 'POST',
    headers: { 'x-api-key': writer, 'Content-Type': 'application/json' },
    body: '{"came":false}',
  })
  expect(await marked.json()).not.toHaveProperty('notMarked')
})
