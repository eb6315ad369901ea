import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { sha256 } from '../../src/platform/sha256.ts'
import { requestWith } from '../faults/failing-database.ts'
import { deleteKey, reactivateKey, revokeKey } from '../keys.ts'
import { base, newOrganisation, request } from '../organisation.ts'
import { credentialsOf } from './credentials.ts'

/** Requests that would be answered with 200, 400, 404, 404 and 405. */
const requests: [string, RequestInit?][] = [
  ['/events'],
  ['/events?limit=0'],
  ['/forms/nowhere'],
  ['/nowhere'],
  ['/changes', { method: 'POST' }],
]

async function statuses(key: string) {
  const answers = requests.map(([path, init]) =>
    request(path, { ...init, headers: { 'x-api-key': key } }),
  )
  return (await Promise.all(answers)).map(({ status }) => status)
}

const [good, refused] = [
  [200, 400, 404, 404, 405],
  [401, 401, 401, 401, 401],
]

test('a key is refused at once when it is revoked, taken again when reactivated', async () => {
  const { key, act } = await newOrganisation()
  expect(await statuses(key)).toEqual(good)
  expect(await revokeKey(env.DB, act)).toBe(true)
  expect(await env.KEYS.get(await sha256(key))).not.toBeNull()
  expect(await statuses(key)).toEqual(refused)
  expect(await revokeKey(env.DB, act)).toBe(false)
  expect(await reactivateKey(env.DB, act)).toBe(true)
  expect(await statuses(key)).toEqual(good)
})

test('a deleted key is refused at once, also where KV still knows it', async () => {
  const { key, act } = await newOrganisation()
  const hash = await sha256(key)
  const stale = await env.KEYS.get(hash)
  expect(await deleteKey(env, act)).toBe(true)
  expect(await env.KEYS.get(hash)).toBeNull()
  expect(await statuses(key)).toEqual(refused)
  await env.KEYS.put(hash, String(stale))
  expect(await statuses(key)).toEqual(refused)
  expect(await deleteKey(env, act)).toBe(false)
  expect(await reactivateKey(env.DB, act)).toBe(false)
})

test('a key that KV does not know is found in the database and written to KV', async () => {
  const { key, keyId, id, act } = await newOrganisation()
  const hash = await sha256(key)
  await env.KEYS.delete(hash)
  expect(await statuses(key)).toEqual(good)
  await vi.waitFor(async () =>
    expect(await env.KEYS.get(hash, 'json')).toEqual({
      keyId,
      organisationId: id,
      restrictions: null,
      database: 'DB',
    }),
  )
  await revokeKey(env.DB, act)
  await env.KEYS.delete(hash)
  expect(await statuses(key)).toEqual(refused)
})

test.each(['', 'rubbish', '{', '[]', 'null', '{"keyId":1,"organisationId":2}', '{}'])(
  'accepts a key with %j in KV',
  async (rubbish) => {
    const { key } = await newOrganisation()
    await env.KEYS.put(await sha256(key), rubbish)
    expect(await statuses(key)).toEqual(good)
  },
)

test("KV naming another organisation opens nobody's records", async () => {
  const [own, other] = [await newOrganisation(), await newOrganisation()]
  await other.put('events', [{ id: 'e', document: { eventId: 'e' } }])
  const entry = JSON.stringify({ keyId: own.keyId, organisationId: other.id })
  await env.KEYS.put(await sha256(own.key), entry)
  expect(await statuses(own.key)).toEqual(refused)
})

test('a malformed key is refused without a read of KV or the database', async () => {
  const untouched = () => {
    throw new Error('was read')
  }
  const KEYS: KVNamespace = Object.create(env.KEYS, { get: { value: untouched } })
  const DB: D1Database = Object.create(env.DB, { prepare: { value: untouched } })
  const requestWithKey = (key: string) =>
    app.request(`${base}/events`, { headers: { 'x-api-key': key } }, { ...env, KEYS, DB })
  const key = generateApiKey()
  for (const malformed of [
    '',
    'sk_',
    key.slice(0, -1),
    `${key.slice(0, -1)}_`,
    `sk-${key.slice(3)}`,
  ])
    expect((await requestWithKey(malformed)).status).toBe(401)
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect((await requestWithKey(key)).status).toBe(500)
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})

test('a key that is revoked while a member is created creates nothing', async () => {
  const { id, key, act, schema } = await newOrganisation()
  await schema('members', [{ id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 }])
  const batch = async (statements: D1PreparedStatement[]) => {
    await revokeKey(env.DB, act)
    return env.DB.batch(statements)
  }
  const DB: D1Database = Object.create(env.DB, {
    prepare: { value: (query: string) => env.DB.prepare(query) },
    batch: { value: batch },
  })
  const answer = await requestWith({ DB }, '/members', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
    body: '{"Name":"Ada"}',
  })
  expect(answer.status).toBe(401)
  const recordCount = env.DB.prepare(
    'SELECT count(*) AS count FROM records WHERE organisation_id = ?',
  )
  expect(await recordCount.bind(id).first()).toEqual({ count: 0 })
})

test('the message names a missing or misplaced credential, but not whether a key exists', async () => {
  const own = await newOrganisation()
  const credentials = await credentialsOf(own, await newOrganisation())
  const statusAndText = async (headers: Record<string, string>) => {
    const answer = await request(`/events?organisationId=${own.id}`, { headers })
    const { message } = await answer.json<{ message: string }>()
    return [answer.status, message]
  }
  expect(await statusAndText({})).toEqual([
    401,
    expect.stringMatching(/^Send an API key in the x-api-key/),
  ])
  expect(await statusAndText({ 'x-api-key': own.key.slice(0, -1) })).toEqual([
    401,
    expect.stringMatching(/^x-api-key: must be a complete API key of this service/),
  ])
  for (const key of [own.key, generateApiKey(), 'sk_x'])
    expect(await statusAndText({ Authorization: `Bearer ${key}` })).toEqual([
      401,
      'Authorization: an API key is sent in the x-api-key header.',
    ])
  expect(await statusAndText(credentials.get('expired token') ?? {})).toEqual([
    401,
    expect.stringMatching(/^Authorization: the token must come from the identity provider/),
  ])
  const gone = ['revoked key', 'expired key', 'deleted key', "other organisation's key"]
  const answers = [...gone, "token of the other's member"].map((name) =>
    statusAndText(credentials.get(name) ?? {}),
  )
  const unknown = [401, expect.stringMatching(/^These credentials are not valid here/)]
  const all = await Promise.all([...answers, statusAndText({ 'x-api-key': generateApiKey() })])
  expect(all[0]).toEqual(unknown)
  expect(new Set(all.map(String)).size).toBe(1)
})

test('the next request after a rejected one is checked before anything else happens', async () => {
  const { key, act, put } = await newOrganisation()
  await put('events', [{ id: 'e', document: { eventId: 'e' } }])
  const reads = vi.spyOn(env.DB, 'prepare')
  const requestWithKey = async () => {
    reads.mockClear()
    const [status] = await statuses(key)
    return [status, reads.mock.calls.filter(([query]) => query.includes('records')).length]
  }
  expect(await requestWithKey()).toEqual([200, 2])
  await revokeKey(env.DB, act)
  expect(await requestWithKey()).toEqual([401, 2])
  expect(await requestWithKey()).toEqual([401, 0])
  await reactivateKey(env.DB, act)
  expect(await requestWithKey()).toEqual([200, 2])
  reads.mockRestore()
})
