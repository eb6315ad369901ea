import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { packNextOrganisation } from '../../src/store/summary/pack-columns.ts'
import { packedFieldNames } from '../../src/store/summary/packed-fields.ts'
import { databaseWithConcurrentChange } from '../faults/concurrent-change.ts'
import { requestWith, wrapDatabase } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { newOrganisation, rowsRead, setMovingTo } from '../organisation.ts'
import { newSampleOrganisation } from '../resources/summary/sample.ts'
import { runs } from '../runs.ts'
import { packColumns } from './pack-columns.ts'
import { rows } from './whole-index.ts'

// With this many bookings of a member, a summary reads the packs instead of the index or the documents.
const [bookings, people, events] = [4000, 500, 40]

let organisation: Awaited<ReturnType<typeof newSampleOrganisation>>
let key: string

beforeAll(async () => {
  organisation = await newSampleOrganisation({ people, events, bookings })
  const permissions = ['read', 'create-members', 'write']
  key = (await createKey(env, organisation.id, 'writer', 'a test', undefined, permissions)).key
  await pack()
}, 120_000)

const pack = (limits?: Parameters<typeof packColumns>[2]) =>
  packColumns(env.DB, organisation.id, limits)

const send = (method: string, path: string, body?: object) =>
  organisation.get(path, {
    method,
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

const byMember = '/bookings/$summary?$by=memberId&attending=true&$limit=1000'

const questions = [
  byMember,
  '/bookings/$summary?$by=event.name,member.Ward&$measures=count,people,min(duration)',
]

const renameFields = (fields: string) =>
  rows(
    'UPDATE packed_organisations SET fields = ? WHERE organisation_id = ?',
    ...[fields, organisation.id],
  )

/** Expects the same answers with packs as without. Returns whether the packs were read. */
async function expectSameWithoutPacks(): Promise<boolean> {
  let isPacked = true
  for (const question of questions) {
    const answer = await organisation.get(question)
    await renameFields('others')
    const expected = await organisation.get(question)
    await renameFields(packedFieldNames)
    expect(await answer.json()).toEqual(await expected.json())
    expect([answer.status, rowsRead(expected) > bookings]).toEqual([200, true])
    isPacked &&= rowsRead(answer) < bookings
  }
  return isPacked
}

const bookingOf = (memberId: unknown, eventId = 'event-1') => ({
  ...{ eventId, memberId, date: '2025-06-01', attending: true },
})

let guests = 0

const members = fc.integer({ min: 0, max: people - 1 }).map((number) => `member-${number}`)
const booked = fc.integer({ min: 0, max: bookings - 1 }).map((number) => `booking-${number}`)

/** What can happen between a packing and a summary. A guest has a single booking, so that its term is deleted with it. */
const changes = fc.oneof(
  fc.record({ change: fc.constant('move' as const), booking: booked, member: members }),
  fc.record({ change: fc.constantFrom('guest', 'delete', 'restore'), booking: booked }),
  fc.record({ change: fc.constantFrom('erase', 'delete person'), member: members }),
  fc.record({ change: fc.constant('merge' as const), member: members, other: members }),
  fc.record({ change: fc.constant('pack' as const), maxRecords: fc.integer({ min: 1, max: 8 }) }),
)

type Change = {
  change: string
  booking?: string
  member?: string
  other?: string
  maxRecords?: number
}

async function make({ change, booking = '', member = '', other = '', maxRecords }: Change) {
  const put = (id: string, memberId: string) =>
    organisation.put('bookings', [{ id, document: { bookingId: id, ...bookingOf(memberId) } }])
  switch (change) {
    case 'move':
      return put(booking, member)
    case 'guest':
      // The guest before may lose the last booking: its term's number is free.
      await put(`guest-${guests}`, 'member-1')
      return put(`guest-${++guests}`, `guest-${guests}`)
    case 'delete':
      return send('DELETE', `/bookings/${booking}`)
    case 'restore':
      return restore(`/bookings/${booking}`)
    case 'erase':
      return send('DELETE', `/members/${member}?$erase=true`)
    case 'delete person':
      return restore(`/members/${member}`)
    case 'merge':
      return send('POST', `/members/${member}/$merge`, { from: other, fields: {} })
    default:
      return pack({ maxRuns: 1, maxRecords })
  }
}

/** Deletes a record, and restores it with what the deletion changed. */
async function restore(path: string) {
  await send('DELETE', `${path}?$cascade=true`)
  const answer = await send('GET', `${path}/$versions`)
  if (answer.status !== 200) return
  const { versions } = await answer.json<{ versions: { version: number }[] }>()
  await send('POST', `${path}/$restore?$cascade=true`, { version: versions[0]?.version })
}

test('a summary has the same figures with packed columns, also after changes', async () => {
  let packed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 6 }), async (list) => {
      for (const change of list) await make(change)
      if (await expectSameWithoutPacks()) packed++
    }),
    runs(12),
  )
  expect(packed).toBeGreaterThan(8)
  await pack()
  expect(await expectSameWithoutPacks()).toBe(true)
}, 300_000)

describe('packed columns give no value of another record', () => {
  test('when a term is deleted and its number used again', async () => {
    const document = (id: string, memberId: unknown) => ({ bookingId: id, ...bookingOf(memberId) })
    const put = (id: string, memberId: unknown) =>
      organisation.put('bookings', [{ id, document: document(id, memberId) }])
    await put('x', 'guest x')
    await pack()
    await put('x', 'member-1')
    await put('y', 'guest y')
    expect(await expectSameWithoutPacks()).toBe(true)
    await pack()
    expect(await expectSameWithoutPacks()).toBe(true)
  })

  test('when that happens while a summary reads them', async () => {
    const put = (id: string) =>
      organisation.put('bookings', [
        { id, document: { bookingId: id, ...bookingOf(`guest ${id}`) } },
      ])
    await put('early')
    await pack()
    const termOf = (id: string) =>
      rows("SELECT id FROM terms WHERE field = 'memberId' AND value = ?", `guest ${id}`)
    const term = await termOf('early')
    let text = ''
    let hasChanged = false
    const wrapped = wrapDatabase(env.DB, async (call) => {
      const readsPacks = text.includes('FROM packed_columns')
      const result = await call()
      if (readsPacks && !hasChanged) {
        hasChanged = true
        await send('DELETE', '/bookings/early')
        await put('later')
      }
      return result
    })
    const prepare = (query: string) => {
      text = query
      return wrapped.prepare(query)
    }
    const DB: D1Database = Object.create(wrapped, { prepare: { value: prepare } })
    const answer = await requestWith({ DB }, byMember, { headers: { 'x-api-key': key } })
    expect([hasChanged, await termOf('later')]).toEqual([true, term])
    expect(await answer.text()).not.toContain('guest later')
  })

  test('when a value is no text, or is longer than the index stores', async () => {
    const values = [1, true, null, '', ['member-1', 'member-2'], { a: 1 }, 'é'.repeat(200)]
    await organisation.put(
      'bookings',
      values.map((value, index) => ({ id: `value-${index}`, document: bookingOf(value) })),
    )
    await pack()
    expect(await expectSameWithoutPacks()).toBe(true)
  })

  test('when two runs pack at the same time', async () => {
    const put = (memberId: string) =>
      organisation.put('bookings', [{ id: 'raced', document: bookingOf(memberId) }])
    await put('member-1')
    const readPacks = () =>
      rows(
        'SELECT * FROM packed_columns JOIN packed_organisations USING (organisation_id) WHERE organisation_id = ?',
        organisation.id,
      )
    let packed: unknown
    const { DB } = databaseWithConcurrentChange(async () => {
      await put('member-2')
      await pack()
      packed = await readPacks()
    })
    await packColumns(DB, organisation.id, { maxRuns: 1 })
    expect(await readPacks()).toEqual(packed)
    expect(await expectSameWithoutPacks()).toBe(true)
  })

  test('when the packed columns are of other fields', async () => {
    await renameFields('others')
    await rows(
      "UPDATE packed_columns SET term_ids = replace(term_ids, '1', '2') WHERE organisation_id = ?",
      organisation.id,
    )
    const ofField = "organisation_id = ? AND field = 'old'"
    await rows("INSERT INTO packed_columns VALUES (?, 'bookings', 'old', 0, '1')", organisation.id)
    await pack({ maxRuns: 1, maxRecords: 1000, maxPacks: 1 })
    expect(await rows(`SELECT 1 FROM packed_columns WHERE ${ofField}`, organisation.id)).toEqual([])
    await expectSameWithoutPacks()
    await pack()
    expect(await expectSameWithoutPacks()).toBe(true)
  })
})

describe('the schedule', () => {
  const packedVersion = async (id: string) =>
    (await rows('SELECT version FROM packed_organisations WHERE organisation_id = ?', id))[0]
      ?.version

  const newLarge = async () => {
    const large = await newOrganisation()
    const setRecords = (records: number) =>
      rows('UPDATE organisations SET records = ? WHERE id = ?', ...[records, large.id])
    await rows('UPDATE organisations SET records = 0')
    await setRecords(20_000)
    const put = (start: number, count: number) =>
      large.put(
        'bookings',
        Array.from({ length: count }, (_, index) => ({
          id: `b${start + index}`,
          document: bookingOf(`m${index}`),
        })),
      )
    return { ...large, putBookings: put, setRecords }
  }

  test('packs organisations with 20,000 records, once 1,000 records changed', async () => {
    const { id, putBookings, setRecords } = await newLarge()
    await putBookings(0, 10)
    await setRecords(19_999)
    await packNextOrganisation(env.DB)
    expect(await packedVersion(id)).toBeUndefined()
    await setRecords(20_000)
    await packNextOrganisation(env.DB)
    expect(await packedVersion(id)).toBe(10)
    await putBookings(10, 999)
    await packNextOrganisation(env.DB)
    expect(await packedVersion(id)).toBe(10)
    await putBookings(1009, 1)
    await packNextOrganisation(env.DB)
    expect(await packedVersion(id)).toBe(1010)
  })

  test('packs 5,000 changes in a run', async () => {
    const { id, putBookings } = await newLarge()
    await putBookings(0, 6000)
    await packNextOrganisation(env.DB)
    expect(await packedVersion(id)).toBe(5000)
    await packNextOrganisation(env.DB)
    expect(await packedVersion(id)).toBe(6000)
  })

  test('leaves an organisation that moves, or is in another database', async () => {
    const { id, putBookings } = await newLarge()
    await putBookings(0, 10)
    await setMovingTo(id, 'DB_1')
    await packNextOrganisation(env.DB)
    await setMovingTo(id, null)
    await rows("UPDATE organisations SET database = 'DB_1' WHERE id = ?", id)
    await packNextOrganisation(env.DB)
    expect(await packedVersion(id)).toBeUndefined()
  })
})
