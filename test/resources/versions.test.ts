import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { withDerivedFields } from '../../src/model/properties/area-fields.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'
import { deleteAllOldVersions } from '../records/delete-all-old-versions.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { collections, newWriter, type Writer } from './writing.ts'

type Version = { version: number; change: string; by: string } & Record<string, unknown>

/** Lists the previous versions of a record, with another key if given. */
async function versionsOf({ get }: Pick<Writer, 'get'>, path: string, key?: string) {
  const answer = await get(`${path}/$versions`, key ? { headers: { 'x-api-key': key } } : {})
  expect([path, answer.status]).toEqual([path, 200])
  return (await answer.json<{ versions: Version[] }>()).versions
}

const restore = ({ send }: Writer, path: string, version?: number, headers = {}) =>
  send('POST', `${path}/$restore?$cascade=true`, { version }, headers)

/** A text property of each structured collection. */
const texts: Record<string, string> = {
  events: 'name',
  bookings: 'name',
  forms: 'name',
  funds: 'name',
  ...{ 'survey-responses': 'creator', 'case-notes': 'content' },
  ...{ 'grant-applications': 'title', disbursements: 'description' },
}

test.each(collections)(
  '%s: a version is what GET returned, and restores',
  async (name, singular) => {
    const writer = await newWriter(null)
    await putEverything(writer)
    const { id = '', document: example = {} } = everything[name] ?? {}
    const document = texts[name] ? { ...example, managedBy: writer.id } : example
    await writer.put(name, [{ id, document }])
    const path = `/${name}/${id}`
    const before = await writer.read(path)
    await writer.put(name, [{ id, document: { ...document, [texts[name] ?? 'Full Name']: 'New' } }])
    expect((await writer.read(path)).body).not.toBe(before.body)
    const [version] = await versionsOf(writer, path)
    const { profile: _, ...record } = JSON.parse(before.body)[singular]
    expect(version).toMatchObject({ change: 'updated', record })
    const answer = await restore(writer, path, version?.version)
    expect([answer.status, await answer.json()]).toEqual([200, { restored: {}, left: [] }])
    expect((await writer.read(path)).body).toBe(before.body)
    await expectOrganisationIndex(writer.id)
  },
)

test('a deletion with its dependent records is undone, unless a record exists again', async () => {
  const writer = await newWriter()
  const { send, read } = writer
  await send('PUT', '/events/e', { name: 'Lunch' })
  for (const id of ['a', 'b', 'c']) await send('PUT', `/bookings/${id}`, { eventId: 'e' })
  const before = await Promise.all(['/events/e', '/bookings/a'].map(read))
  expect((await send('DELETE', '/events/e?$cascade=true')).status).toBe(204)
  await send('PUT', '/events/e2', {})
  await send('PUT', '/bookings/c', { eventId: 'e2' })

  const [deleted] = await versionsOf(writer, '/events/e')
  expect(deleted).toMatchObject({ change: 'deleted', record: { name: 'Lunch' } })
  const answer = await restore(writer, '/events/e', deleted?.version)
  expect(await answer.json()).toEqual({
    restored: { bookings: 2 },
    left: [{ collection: 'bookings', id: 'c' }],
  })
  const after = await Promise.all(['/events/e', '/bookings/a'].map(read))
  expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  expect(JSON.parse((await read('/bookings/c')).body).booking.eventId).toBe('e2')
  await expectOrganisationIndex(writer.id)
})

test('nothing is restored that refers to a record that no longer exists', async () => {
  const writer = await newWriter()
  const { send, read } = writer
  await send('PUT', '/members/m', { 'Full Name': 'Ada' })
  for (const id of ['e', 'date']) await send('PUT', `/events/${id}`, { name: 'Lunch' })
  await send('PUT', '/bookings/free', { eventId: 'e' })
  await send('PUT', '/bookings/of-member', { eventId: 'e', memberId: 'm' })
  await send('PUT', '/bookings/of-date', { eventId: 'e', childEventId: 'date' })
  for (const path of ['/events/e?$cascade=true', '/events/date', '/members/m'])
    expect([path, (await send('DELETE', path)).status]).toEqual([path, 204])

  const [deleted] = await versionsOf(writer, '/events/e')
  const answer = await restore(writer, '/events/e', deleted?.version)
  expect(await answer.json()).toEqual({
    restored: { bookings: 1 },
    left: [
      { collection: 'bookings', id: 'of-member' },
      { collection: 'bookings', id: 'of-date' },
    ],
  })
  expect((await read('/bookings/of-member')).status).toBe(404)
  const [member] = await versionsOf(writer, '/members/m')
  await restore(writer, '/members/m', member?.version)
  const [booking] = await versionsOf(writer, '/bookings/of-member')
  expect((await restore(writer, '/bookings/of-member', booking?.version)).status).toBe(200)
  await expectOrganisationIndex(writer.id)
})

test('applications are restored before their disbursements', async () => {
  const writer = await newWriter(null)
  const { send, put } = writer
  await send('PUT', '/funds/f', { recipientType: 'organisation' })
  await put('grant-applications', [{ id: 'a', document: { grantId: 'a', fundId: 'f' } }])
  await put('disbursements', [{ id: 'd', document: { fundId: 'f', grantId: 'a' } }])
  expect((await send('DELETE', '/funds/f?$cascade=true')).status).toBe(204)
  const [deleted] = await versionsOf(writer, '/funds/f')
  const answer = await restore(writer, '/funds/f', deleted?.version)
  expect(await answer.json()).toEqual({
    restored: { disbursements: 1, 'grant-applications': 1 },
    left: [],
  })
})

const field = (id: string, type: string, order: number) => ({
  id,
  name: id,
  label: id,
  type,
  order,
})

test('a merge is undone, with unique values and linked records', async () => {
  const writer = await newWriter([field('Name', 'text', 0), field('Number', 'uniqueId', 1)])
  const { send, read } = writer
  await send('PUT', '/members/a', { Name: 'Ada' })
  await send('PUT', '/members/b', { Name: 'Ada L', Number: 'N-2' })
  await send('PUT', '/events/e', {})
  await send('PUT', '/bookings/booking', { eventId: 'e', memberId: 'b' })
  await send('PUT', '/case-notes/note', { linkedEntities: { memberIds: ['b', 'a'] } })
  const paths = ['/members/a', '/members/b', '/bookings/booking', '/case-notes/note']
  const before = await Promise.all(paths.map(read))
  expect((await send('POST', '/members/a/$merge', { from: 'b' })).status).toBe(200)

  const [deleted] = await versionsOf(writer, '/members/b')
  const answer = await restore(writer, '/members/b', deleted?.version)
  expect(await answer.json()).toEqual({
    restored: { members: 1, bookings: 1, 'case-notes': 1 },
    left: [],
  })
  const after = await Promise.all(paths.map(read))
  expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  await expectOrganisationIndex(writer.id)
})

test('a person with the areas of a postcode is restored', async () => {
  const writer = await newWriter(
    withDerivedFields([
      { id: 'Postcode', name: 'Postcode', label: 'Postcode', type: 'postcode', order: 0 },
    ]),
  )
  const { send, read } = writer
  const person = { memberId: 'm', Postcode: 'SW1A 1AA', 'Postcode.lad': 'Westminster' }
  await writer.put('members', [{ id: 'm', document: person }])
  expect((await send('DELETE', '/members/m')).status).toBe(204)
  const [deleted] = await versionsOf(writer, '/members/m')
  const answer = await restore(writer, '/members/m', deleted?.version)
  expect([answer.status, await answer.json()]).toEqual([200, { restored: {}, left: [] }])
  expect((await read('/members/m')).body).toContain('SW1A 1AA')
})

test('what cannot be restored is refused, and nothing changes', async () => {
  const writer = await newWriter()
  const { send, id } = writer
  await send('PUT', '/events/e', { name: 'A' })
  await send('PATCH', '/events/e', { name: 'B' })
  const [first] = await versionsOf(writer, '/events/e')
  const state = () => rows('SELECT * FROM records WHERE organisation_id = ?', id)
  const before = await state()
  const statuses = [
    await restore(writer, '/events/other', first?.version),
    await restore(writer, '/events/e', 1_000_000),
    await restore(writer, '/events/e'),
    await restore(writer, '/events/e', first?.version, { 'If-Match': '"1"' }),
    await restore(writer, '/events/e', first?.version, { 'x-api-key': writer.readingKey }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([404, 400, 400, 412, 403])
  const hidden = await createKey(env, id, 'hidden', 'a test', undefined, ['read', 'write'], {
    hideFields: ['name'],
  })
  const refused = await restore(writer, '/events/e', first?.version, { 'x-api-key': hidden.key })
  expect(refused.status).toBe(403)
  expect(await state()).toEqual(before)

  const other = await newOrganisation()
  expect((await other.get('/events/e/$versions')).status).toBe(404)
})

test('a restricted key sees of a version what it sees of the record', async () => {
  const writer = await newWriter()
  const { send, id } = writer
  const note = { content: 'Secret', isPrivate: true }
  await send('PUT', '/case-notes/open', { ...note, isPrivate: false })
  await send('PUT', '/case-notes/open', note)
  await send('PUT', '/case-notes/open', { content: 'Open', isPrivate: false })
  await send('PUT', '/case-notes/closed', note)
  await send('PATCH', '/case-notes/closed', { content: 'Still secret' })
  await send('PUT', '/members/m', { 'Full Name': 'Ada', Phone: '0113 496 0000' })
  await send('PATCH', '/members/m', { Phone: '0113 496 0001' })
  const { key } = await createKey(env, id, 'restricted', 'a test', undefined, ['read'], {
    privateNotes: false,
    hideFields: ['phone', 'content'],
  })
  const visible = await versionsOf(writer, '/case-notes/open', key)
  expect(visible.map(({ record }) => record)).toMatchObject([{ isPrivate: false, content: '' }])
  const headers = { 'x-api-key': key }
  expect((await writer.get('/case-notes/closed/$versions', { headers })).status).toBe(404)
  // Public once, and private when it was deleted.
  await send('PATCH', '/case-notes/open', { isPrivate: true })
  for (const note of ['open', 'closed']) {
    expect((await send('DELETE', `/case-notes/${note}`)).status).toBe(204)
    expect([note, (await writer.get(`/case-notes/${note}/$versions`, { headers })).status]).toEqual(
      [note, 404],
    )
  }
  // Without the version that was deleted, nobody knows whether it was private.
  await rows(
    "UPDATE history SET replaced = NULL WHERE organisation_id = ? AND change = 'deleted'",
    id,
  )
  expect((await writer.get('/case-notes/open/$versions', { headers })).status).toBe(404)
  expect(await versionsOf(writer, '/case-notes/open')).not.toEqual([])
  const [member] = await versionsOf(writer, '/members/m', key)
  expect(JSON.stringify(member)).toContain('Ada')
  expect(JSON.stringify(member)).not.toContain('0113')
})

test('erasing a person removes every previous version that names them', async () => {
  const writer = await newWriter()
  const { send, id } = writer
  for (const member of ['m', 'duplicate', 'other'])
    await send('PUT', `/members/${member}`, { 'Full Name': 'Ada', Phone: '0113 496 0000' })
  await send('PUT', '/events/e', {})
  const booking = { eventId: 'e', memberId: 'm', userName: 'Ada' }
  await send('PUT', '/bookings/stays', booking)
  await send('PUT', '/bookings/moved', booking)
  await send('PUT', '/bookings/deleted', booking)
  await send('PUT', '/bookings/merged', { ...booking, memberId: 'duplicate' })
  await send('PATCH', '/bookings/moved', { memberId: 'other', userName: 'Bea' })
  await send('PATCH', '/bookings/merged', { memberId: 'other', userName: 'Bea' })
  await send('DELETE', '/bookings/deleted')
  await send('PATCH', '/members/m', { Phone: '0113 496 0001' })
  expect((await send('POST', '/members/m/$merge', { from: 'duplicate' })).status).toBe(200)
  await send('PATCH', '/members/other', { Phone: '0113 496 0002' })

  expect((await send('DELETE', '/members/m?$erase=true')).status).toBe(200)
  const stored = await rows(
    'SELECT id FROM history WHERE organisation_id = ? AND replaced IS NOT NULL',
    id,
  )
  expect(stored).toEqual([{ id: 'other' }])
})

test('erasing a person leaves the versions of somebody after an undone merge', async () => {
  const writer = await newWriter()
  const { send, id } = writer
  for (const member of ['a', 'b']) await send('PUT', `/members/${member}`, { 'Full Name': member })
  await send('PATCH', '/members/b', { 'Full Name': 'Bea' })
  expect((await send('POST', '/members/a/$merge', { from: 'b' })).status).toBe(200)
  const [merged] = await versionsOf(writer, '/members/b')
  expect((await restore(writer, '/members/b', merged?.version)).status).toBe(200)
  const before = await versionsOf(writer, '/members/b')
  expect(before).toHaveLength(2)

  expect((await send('DELETE', '/members/a?$erase=true')).status).toBe(200)
  expect(await versionsOf(writer, '/members/b')).toEqual(before)
  const stored = await rows(
    'SELECT DISTINCT id FROM history WHERE organisation_id = ? AND replaced IS NOT NULL',
    id,
  )
  expect(stored).toEqual([{ id: 'b' }])
  // A later deletion does not make them part of the other person again.
  expect((await send('DELETE', '/members/b')).status).toBe(204)
  await send('PUT', '/members/a', { 'Full Name': 'Another' })
  expect((await send('DELETE', '/members/a?$erase=true')).status).toBe(200)
  expect(await versionsOf(writer, '/members/b')).toHaveLength(3)
})

test('versions go after the days that the organisation chose, and none is stored for 0 days', async () => {
  const writer = await newWriter()
  const { send, id } = writer
  const setDays = (days: number) =>
    rows('UPDATE organisations SET version_days = ? WHERE id = ?', days, id)
  await send('PUT', '/events/e', { name: 'A' })
  await send('PATCH', '/events/e', { name: 'B' })
  const now = Date.now()
  const day = 86_400_000
  await deleteAllOldVersions(now + 29 * day)
  expect(await versionsOf(writer, '/events/e')).toHaveLength(1)
  await deleteAllOldVersions(now + 31 * day)
  expect(await versionsOf(writer, '/events/e')).toEqual([])
  await setDays(0)
  await send('PATCH', '/events/e', { name: 'C' })
  await send('DELETE', '/events/e')
  expect((await writer.get('/events/e/$versions')).status).toBe(404)
})
