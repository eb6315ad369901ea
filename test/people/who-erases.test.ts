import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { listErasures } from '../../src/records/erase.ts'
import { newPerson } from '../auth/identity.ts'
import { databaseWithConcurrentChange } from '../faults/concurrent-change.ts'
import { requestWith } from '../faults/failing-database.ts'
import { changeKey, createKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { request } from '../organisation.ts'
import { newWriter } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'

const fields = [{ id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 }]
const path = '/members/m?$erase=true'

/** An organisation with a member and a booking of theirs. */
async function withMember() {
  const writer = await newWriter(fields)
  await writer.send('PUT', '/members/m', { 'Full Name': 'Ada' })
  await writer.send('PUT', '/events/e', { name: 'Lunch' })
  await writer.send('PUT', '/bookings/b', { eventId: 'e', memberId: 'm', userName: 'Ada' })
  /** Expects that nothing of the member has gone. */
  const expectWhole = async () => {
    expect((await writer.read('/members/m')).status).toBe(200)
    expect(await writer.json('/bookings/b')).toMatchObject({ booking: { userName: 'Ada' } })
    expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toEqual([])
  }
  return { ...writer, expectWhole }
}

test('an administrator who becomes an editor during the request may not erase', async () => {
  const { id, add, expectWhole } = await withMember()
  const person = newPerson()
  await add(person.email, 'admin')
  const headers = { Authorization: `Bearer ${await person.token()}` }
  expect((await request(`/members/m?organisationId=${id}`, { headers })).status).toBe(200)
  const { DB, happened } = databaseWithConcurrentChange(() => add(person.email, 'editor'))
  const init = { method: 'DELETE', headers }
  const answer = await requestWith({ DB }, `${path}&organisationId=${id}`, init)
  expect([answer.status, happened()]).toEqual([403, true])
  await expectWhole()
})

test.each([
  ['no right to write', { permissions: ['read'], restrictions: {} }, 403],
  [
    'hidden fields',
    { permissions: ['read', 'write'], restrictions: { hideFields: ['email'] } },
    503,
  ],
])('a key changed before the erasure starts may not erase: %s', async (_, changed, status) => {
  muteLog()
  const { id, expectWhole } = await withMember()
  const may = ['read', 'write']
  const { key, id: keyId } = await createKey(env, id, 'x', 'a test', undefined, may)
  const act = { organisationId: id, id: keyId, by: 'a test' }
  const { DB, happened } = databaseWithConcurrentChange(() => changeKey(env.DB, act, changed))
  const answer = await requestWith({ DB }, path, {
    method: 'DELETE',
    headers: { 'x-api-key': key },
  })
  expect([answer.status, happened()]).toEqual([status, true])
  await expectWhole()
})

test("an erasure empties the answers of the organisation's own webhooks only", async () => {
  const [own, other] = [await withMember(), await withMember()]
  for (const { id } of [own, other])
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO webhooks (id, organisation_id, url, collections, changes, secret, created, created_by, state, cursor, notified)
        VALUES (?1, ?1, 'https://hooks.oak.org.uk/', 'members', 'updated', 's', '2025-01-01', 'a test', 'paused', 1, 1)`,
      ).bind(id),
      env.DB.prepare(
        `INSERT INTO webhook_attempts (
          webhook_id, attempted, collection, record_id, message_id, type, version, changed, at, attempt, status, failure, duration_ms, response
        ) VALUES (?, '2025-01-01', 'members', 'm', 'msg_1', 'member.updated', 1, '[]', '2025-01-01', 1, 200, NULL, 7, 'Ada')`,
      ).bind(id),
    ])
  const answersOf = async (id: string) =>
    (await rows('SELECT response FROM webhook_attempts WHERE webhook_id = ?', id)).map(
      ({ response }) => response,
    )
  expect((await own.send('DELETE', path)).status).toBe(200)
  expect([await answersOf(own.id), await answersOf(other.id)]).toEqual([[''], ['Ada']])
})

test('an erasure skips a row number that another organisation has reused', async () => {
  const [own, other] = [await withMember(), await withMember()]
  const [booking] = await rows(
    "SELECT row, document FROM records WHERE organisation_id = ? AND id = 'b'",
    own.id,
  )
  const { DB, happened } = databaseWithConcurrentChange(async () => {
    await rows('DELETE FROM records WHERE row = ?', booking?.row)
    await rows(
      `INSERT INTO records (row, organisation_id, collection, id, ordinal, document, updated)
      VALUES (?, ?, 'bookings', 'b2', 2, ?, '2025-01-01')`,
      ...[booking?.row, other.id, booking?.document],
    )
  })
  const headers = { 'x-api-key': own.key }
  const answer = await requestWith({ DB }, path, { method: 'DELETE', headers })
  expect([answer.status, happened()]).toEqual([200, true])
  expect(await other.json('/bookings/b2')).toMatchObject({ booking: { userName: 'Ada' } })
  await other.expectWhole()
})
