import { describe, expect, test } from 'vitest'
import { collectionNames } from '../../src/model/collection.ts'
import { references } from '../../src/model/references.ts'
import { rowsRead } from '../organisation.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { newWriter, statusAndMessage } from './writing.ts'

/** The least there is to be said of a record of each collection that names others. */
const minimalRecords: Record<string, [path: string, body: Record<string, unknown>]> = {
  bookings: ['/bookings/b', { eventId: 'e', childEventId: 'o', memberId: 'm' }],
  'survey-responses': [
    '/survey-responses/r',
    { surveyId: 'f', linkedEntities: { memberIds: ['m', 'n'], volunteerIds: ['v'] } },
  ],
  'case-notes': ['/case-notes/c', { linkedEntities: { memberIds: ['n', 'm'], partnerIds: ['p'] } }],
  'grant-applications': ['/grant-applications/a', { fundId: 'u', status: 'applied' }],
  disbursements: ['/disbursements/d', { grantId: 'a', fundId: 'u', status: 'PAID' }],
}

async function newNetwork() {
  const writer = await newWriter()
  const { send } = writer
  const put = async (path: string, body: object) => {
    const answer = await send('PUT', path, body)
    expect([path, answer.status]).toEqual([path, 201])
  }
  for (const path of ['/members/m', '/members/n', '/volunteers/v', '/partners/p'])
    await put(path, { 'Full Name': 'Ada' })
  await put('/events/e', { name: 'E' })
  await put('/events/o', { name: 'O', parentEventId: 'e' })
  await put('/forms/f', { type: 'survey' })
  await put('/funds/u', { recipientType: 'individual' })
  for (const [path, body] of Object.values(minimalRecords)) await put(path, body)
  return writer
}

test('references are of collections there are, and no collection names another by more than two', () => {
  for (const ways of Map.groupBy(references, ({ from, to }) => `${from} ${to}`).values())
    expect(ways.length).toBeLessThanOrEqual(2)
  for (const { from, to } of references)
    expect([collectionNames, collectionNames]).toEqual([
      expect.arrayContaining([from]),
      expect.arrayContaining([to]),
    ])
})

const [own, stranger] = [await newNetwork(), await newNetwork()]
await stranger.send('PUT', '/events/only-there', { name: 'x' })

describe.each(references)('$from $path', ({ from, path, optional }) => {
  const [at = '', body = {}] = minimalRecords[from] ?? []
  const naming = (id: string) => {
    const [first = '', second] = path.split('.')
    return second ? { ...body, [first]: { [second]: [id] } } : { ...body, [first]: id }
  }
  const field = path.includes('.') ? `${path}.0` : path

  test('must lead somewhere in the organisation, unless it may be empty', async () => {
    const { send } = own
    const nowhere = [400, expect.stringMatching(`^${field}: must be the id of one of the `)]
    for (const id of ['only-there', 'M', 'm ']) {
      expect(await statusAndMessage(await send('PUT', at, naming(id)))).toEqual(nowhere)
      expect(await statusAndMessage(await send('PUT', `${at}2`, naming(id)))).toEqual(nowhere)
      expect(await statusAndMessage(await send('PATCH', at, naming(id)))).toEqual(nowhere)
      expect(await statusAndMessage(await send('POST', `/${from}`, naming(id)))).toEqual(nowhere)
    }
    const mayBeEmpty = optional && !path.includes('.')
    expect((await send('PATCH', at, naming(''))).status).toBe(mayBeEmpty ? 200 : 400)
  })
})

test('a record that others refer to is deleted only with $cascade=true', async () => {
  const { send, read, json } = await newNetwork()
  const deleteMessage = async (path: string) => statusAndMessage(await send('DELETE', path))
  expect(await deleteMessage('/events/e')).toEqual([
    409,
    expect.stringContaining('1 booking refers to this event.'),
  ])
  expect(await deleteMessage('/members/m')).toEqual([
    409,
    expect.stringContaining('1 booking, 1 case note, 1 survey response refer to this member.'),
  ])
  expect(await deleteMessage('/funds/u')).toEqual([
    409,
    expect.stringContaining('1 grant payment, 1 grant application refer to this fund.'),
  ])
  expect((await send('DELETE', '/members/m?$cascade=perhaps')).status).toBe(400)
  for (const [path, gone] of [
    ['/events/e', ['/bookings/b']],
    ['/forms/f', ['/survey-responses/r']],
    ['/funds/u', ['/grant-applications/a', '/disbursements/d']],
  ] as const) {
    expect((await send('DELETE', `${path}?$cascade=true`)).status).toBe(204)
    for (const at of [path, ...gone]) expect([at, (await read(at)).status]).toEqual([at, 404])
  }
  expect(await json('/case-notes')).toMatchObject({ total: 1 })
})

test('a cascade deletes records of its organisation only, and finds them by the index', async () => {
  const [own, other] = [await newNetwork(), await newNetwork()]
  const ids = Array.from({ length: 1000 }, (_, index) => `b${index}`)
  const bookings = ids.map((id) => ({
    id,
    document: { bookingId: id, eventId: 'e', memberId: id },
  }))
  await other.put('bookings', bookings)
  const before = await rows('SELECT * FROM records WHERE organisation_id = ?', other.id)
  for (const path of ['/events/e', '/funds/u', '/forms/f', '/members/m']) {
    const answer = await own.send('DELETE', `${path}?$cascade=true`)
    expect([path, answer.status]).toEqual([path, 204])
    expect(rowsRead(answer), path).toBeLessThan(1500)
  }
  expect(await rows('SELECT * FROM records WHERE organisation_id = ?', other.id)).toEqual(before)
})

test('a booking that names an event twice counts once, and is deleted with its occurrence', async () => {
  const { send, read, id: organisationId } = await newNetwork()
  const long = 'é'.repeat(200)
  for (const id of ['both', long]) {
    const path = `/events/${encodeURIComponent(id)}`
    await send('PUT', path, { name: 'Both' })
    await send('PATCH', '/bookings', {
      bookings: [
        { bookingId: 'first', eventId: id },
        { bookingId: 'twice', eventId: id, childEventId: id },
        { bookingId: 'second', eventId: 'e', childEventId: id },
      ],
    })
    expect(await statusAndMessage(await send('DELETE', path))).toEqual([
      409,
      expect.stringContaining('3 bookings refer to this event.'),
    ])
    expect((await send('DELETE', `${path}?$cascade=true`)).status).toBe(204)
    for (const booking of ['first', 'twice', 'second'])
      expect((await read(`/bookings/${booking}`)).status).toBe(404)
  }
  expect(await statusAndMessage(await send('DELETE', '/events/o'))).toEqual([
    409,
    expect.stringContaining('1 booking refers to this event.'),
  ])
  expect((await send('DELETE', '/events/o?$cascade=true')).status).toBe(204)
  expect((await read('/bookings/b')).status).toBe(404)
  expect((await read('/events/e')).status).toBe(200)
  const alone = { eventId: 'e', childEventId: null }
  expect((await send('POST', '/bookings', alone)).status).toBe(201)
  await expectOrganisationIndex(organisationId)
})

test('deleting a person removes them from other records and their index', async () => {
  const { send, read, json, id } = await newNetwork()
  const before = await read('/bookings/b')
  expect((await send('DELETE', '/members/m?$cascade=true')).status).toBe(204)
  const after = await read('/bookings/b')
  expect(after.etag).not.toBe(before.etag)
  expect(JSON.parse(after.body).booking).toMatchObject({ memberId: '', eventId: 'e' })
  expect(
    JSON.parse((await read('/survey-responses/r')).body).surveyResponse.linkedEntities,
  ).toEqual({
    memberIds: ['n'],
    partnerIds: [],
    volunteerIds: ['v'],
  })
  expect(JSON.parse((await read('/case-notes/c')).body).caseNote.linkedEntities.memberIds).toEqual([
    'n',
  ])
  for (const path of ['/bookings?memberId=m', '/case-notes?linkedEntities.memberIds=m'])
    expect(await json(path)).toMatchObject({ total: 0 })
  expect(await json('/bookings?memberId=')).toMatchObject({ total: 1 })
  expect(
    (await send('PUT', '/bookings/b', JSON.parse(after.body).booking)).headers.get('ETag'),
  ).toBe(after.etag)
  await expectOrganisationIndex(id)
})

test('distinguishes long ids of which the index holds only the start', async () => {
  const { send } = await newWriter()
  const long = 'é'.repeat(200)
  await send('PUT', `/events/${encodeURIComponent(`${long}1`)}`, { name: 'one' })
  await send('PUT', `/events/${encodeURIComponent(`${long}2`)}`, { name: 'two' })
  await send('PUT', '/bookings/b', { eventId: `${long}1` })
  expect(
    (await send('DELETE', `/events/${encodeURIComponent(`${long}2`)}?$cascade=true`)).status,
  ).toBe(204)
  expect((await send('DELETE', `/events/${encodeURIComponent(`${long}1`)}`)).status).toBe(409)
  expect(
    (await send('DELETE', `/events/${encodeURIComponent(`${long}1`)}?$cascade=true`)).status,
  ).toBe(204)
})

test('deleting a record that does not exist changes none that reference its id', async () => {
  const { send, read, put } = await newNetwork()
  const ghost = { memberIds: ['ghost', 'n'], volunteerIds: [], partnerIds: [] }
  await put('bookings', [{ id: 'lost', document: { eventId: 'e', memberId: 'ghost' } }])
  await put('case-notes', [{ id: 'lost', document: { linkedEntities: ghost } }])
  const readAll = () => Promise.all(['/bookings/lost', '/case-notes/lost'].map(read))
  const before = await readAll()
  expect((await send('DELETE', '/members/ghost?$cascade=true')).status).toBe(404)
  expect(await readAll()).toEqual(before)
})

test('so many that others would have to wait are not deleted at once', async () => {
  const { send, put, json } = await newWriter()
  await send('PUT', '/events/e', { name: 'E' })
  const bookings = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${from + index}`,
      document: { bookingId: `${from + index}`, eventId: 'e' },
    }))
  await put('bookings', bookings(0, 999))
  await put('bookings', bookings(999, 1))
  expect(await statusAndMessage(await send('DELETE', '/events/e?$cascade=true'))).toEqual([
    400,
    '$cascade: deletes or changes at most 1,000 records at once. 1,000 bookings refer to this event: delete some of these first.',
  ])
  expect((await send('DELETE', '/bookings/7')).status).toBe(204)
  expect((await send('DELETE', '/events/e?$cascade=true')).status).toBe(204)
  expect(await json('/bookings')).toMatchObject({ total: 0 })
})

test('a $cascade that is refused counts up to the limit and stops', async () => {
  const { send, put } = await newWriter()
  await send('PUT', '/events/e', { name: 'E' })
  await send('PUT', '/members/m', { 'Full Name': 'Ada' })
  await send('PUT', '/funds/u', { recipientType: 'individual' })
  const many = <Document extends object>(count: number, document: (at: number) => Document) =>
    Array.from({ length: count }, (_, at) => ({ id: `${at}`, document: document(at) }))
  await put(
    'bookings',
    many(3000, () => ({ eventId: 'e', memberId: 'm' })),
  )
  await put(
    'grant-applications',
    many(900, () => ({ fundId: 'u' })),
  )
  // Few reference the fund, and each of these is referenced by others.
  await put(
    'disbursements',
    many(4500, (at) => ({ grantId: `${at % 900}`, fundId: 'another' })),
  )
  for (const [path, maxRows] of [
    ['/events/e', 100],
    ['/members/m', 100],
    ['/funds/u', 50_000],
  ] as const) {
    const answer = await send('DELETE', `${path}?$cascade=true`)
    expect([path, answer.status]).toEqual([path, 400])
    expect(rowsRead(answer), path).toBeLessThanOrEqual(maxRows)
  }
})
