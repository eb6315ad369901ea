import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { KeyExpiry } from '../../src/admin/key-expiry.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { countKeyUse, flushKeyUse } from '../../src/auth/key-use.ts'
import { sha256 } from '../../src/platform/sha256.ts'
import { listKeys } from '../../src/store/settings/list-keys.ts'
import { deleteOldUsage, readUsage } from '../../src/store/settings/usage.ts'
import { listAudit } from '../audit.ts'
import {
  createKey,
  deleteKey,
  reactivateKey,
  revokeAllKeys,
  revokeKey,
  rotateKey,
} from '../keys.ts'
import { newOrganisation, request, rowsRead, type TestDatabase } from '../organisation.ts'

const by = 'someone'
const past = '2001-01-01T00:00:00.000Z'

const status = async (key: string) =>
  (await request('/events', { headers: { 'x-api-key': key } })).status

test("nobody acts on another organisation's key", async () => {
  const { key, keyId: id } = await newOrganisation()
  const { id: organisationId } = await newOrganisation()
  const act = { organisationId, id, by }
  expect(await revokeKey(env.DB, act)).toBe(false)
  expect(await reactivateKey(env.DB, act)).toBe(false)
  expect(await rotateKey(env, act, 60)).toBeUndefined()
  expect(await deleteKey(env, act)).toBe(false)
  expect(await status(key)).toBe(200)
  expect(await listAudit(env.DB, organisationId)).toHaveLength(1)
})

test('a key ends when it expires', async () => {
  const { id } = await newOrganisation()
  const lasting = await createKey(env, id, 'lasting', by, '2999-01-01T00:00:00.000Z')
  const expired = await createKey(env, id, 'expired', by, past)
  expect(await status(lasting.key)).toBe(200)
  expect(await status(expired.key)).toBe(401)
})

test.each([
  ['2999-01-31', '2999-01-31T23:59:59.999Z'],
  ['2999-01-31T09:30:00+02:00', '2999-01-31T07:30:00.000Z'],
  ['2020-02-29', undefined],
  ['2020-02-29T12:00:00Z', undefined],
  ['2999-02-29', undefined],
  ['soon', undefined],
])('a key that is to expire %s ends %s', (expires, end) => {
  expect(KeyExpiry.safeParse(expires).data).toBe(end)
})

test('a key may expire today', () => {
  const today = new Date().toISOString().slice(0, 10)
  expect(KeyExpiry.safeParse(today).success).toBe(true)
})

test('a rotated key works on for its grace period beside the new one', async () => {
  const { id: organisationId, key, keyId: id } = await newOrganisation()
  const act = { organisationId, id, by }
  const next = await rotateKey(env, act, 3600)
  expect(next?.key).not.toBe(key)
  expect(await status(key)).toBe(200)
  expect(await status(String(next?.key))).toBe(200)
  const [old, newKeys] = await listKeys(operatorStore(env.DB, organisationId))
  expect(old?.expires).not.toBeNull()
  expect(newKeys).toMatchObject({ name: old?.name, createdBy: by, expires: null, revoked: null })
  await rotateKey(env, act, -1)
  expect(await status(key)).toBe(401)
  expect(await rotateKey(env, act, 3600)).toBeUndefined()
  expect(await listKeys(operatorStore(env.DB, organisationId))).toHaveLength(3)
})

test('a rotated key keeps its permissions and does not live longer', async () => {
  const { id: organisationId } = await newOrganisation()
  const expires = '2099-01-01T00:00:00.000Z'
  const { id } = await createKey(env, organisationId, 'short', by, expires, [
    'read',
    'create-members',
    'write',
  ])
  await rotateKey(env, { organisationId, id, by }, 200 * 365 * 24 * 3600)
  const same = { expires, permissions: 'read,create-members,write' }
  expect(await listKeys(operatorStore(env.DB, organisationId))).toMatchObject([{}, same, same])
})

test.each([null, '2099-01-01T00:00:00.000Z'])(
  'keys that replace one within its grace live as long as it would have: %s',
  async (expires) => {
    const { id: organisationId } = await newOrganisation()
    const first = await createKey(env, organisationId, 'first', by, expires ?? undefined)
    const act = { organisationId, id: first.id, by }
    for (const grace of [3600, 60, 3600]) expect(await rotateKey(env, act, grace)).toBeDefined()
    const keys = await listKeys(operatorStore(env.DB, organisationId))
    const newKeys = keys.filter(({ name, id }) => name === 'first' && id !== first.id)
    expect(newKeys.map((key) => key.expires)).toEqual([expires, expires, expires])
    const last = String(newKeys.at(-1)?.id)
    await rotateKey(env, { organisationId, id: last, by }, 60)
    expect((await listKeys(operatorStore(env.DB, organisationId))).at(-1)).toMatchObject({
      expires,
    })
  },
)

describe('the use of keys', () => {
  const minute = 60_000
  const at = Date.parse('2026-01-01T23:00:00.000Z')
  const keyUse = { collection: 'events', requests: 1, records: 100, rowsRead: 210 }
  const used = (organisationId: string, days = 30) =>
    readUsage(operatorStore(env.DB, organisationId), { days, daily: true })

  // What other tests have used keys for is out of the way.
  beforeEach(() => flushKeyUse(env, Number.NEGATIVE_INFINITY))

  test('is written at most once a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: at })
    const { id: organisationId, keyId } = await newOrganisation()
    const statements = vi.spyOn(env.DB, 'batch')
    const note = (now: number, use = keyUse) =>
      countKeyUse(env, { organisationId, keyId, database: 'DB' }, use, now)
    expect(note(at)).toBeInstanceOf(Promise)
    expect(note(at + 24_999, { ...keyUse, collection: 'members' })).toBeUndefined()
    expect(statements).not.toHaveBeenCalled()
    await flushKeyUse(env, at + 25_000)
    expect(statements).toHaveBeenCalledTimes(1)
    // Within the minute nobody waits to write, and near its end one does.
    expect(note(at + 26_000)).toBeUndefined()
    expect(note(at + 59_999)).toBeUndefined()
    expect(note(at + 60_000)).toBeInstanceOf(Promise)
    expect(note(at + 61 * minute)).toBeInstanceOf(Promise)
    await flushKeyUse(env, at + 62 * minute)
    statements.mockRestore()
    vi.setSystemTime(at + 62 * minute)
    expect(await used(organisationId)).toEqual([
      { ...usageOf(keyId, '2026-01-02'), ...keyUse },
      {
        ...{ ...usageOf(keyId, '2026-01-01'), collection: 'events' },
        requests: 4,
        records: 400,
        rowsRead: 840,
      },
      { ...usageOf(keyId, '2026-01-01'), ...keyUse, collection: 'members' },
    ])
    expect(await listKeys(operatorStore(env.DB, organisationId))).toMatchObject([
      { lastUsed: '2026-01-02T00:01:00.000Z' },
    ])
    expect(await used(organisationId, 1)).toHaveLength(1)
    vi.useRealTimers()
  })

  test('is kept where it could not be written, until it can', async () => {
    const { id: organisationId, keyId } = await newOrganisation()
    const other = await newOrganisation(null, 'DB_1')
    await other.json('/events')
    void countKeyUse(env, { organisationId, keyId, database: 'DB' }, keyUse, Date.now())
    const DB = Object.create(env.DB, {
      batch: { value: () => Promise.reject(new Error('D1_ERROR: out of reach')) },
    })
    await expect(flushKeyUse({ ...env, DB }, at)).rejects.toThrow('out of reach')
    expect(
      await readUsage(operatorStore(env.DB_1, other.id), { days: 30, daily: true }),
    ).toMatchObject([{ keyId: other.keyId, requests: 1 }])
    void countKeyUse(env, { organisationId, keyId, database: 'DB' }, keyUse, Date.now())
    await flushKeyUse(env, at)
    expect(await used(organisationId)).toMatchObject([{ requests: 2, records: 200 }])
    await flushKeyUse(env, at)
    expect(await used(organisationId)).toMatchObject([{ requests: 2, records: 200 }])
  })

  test('of many keys of a database is written in parts, and drops none of another database', async () => {
    const { id, keyId } = await newOrganisation()
    const other = await newOrganisation(null, 'DB_1')
    const note = (
      key: Omit<Parameters<typeof countKeyUse>[1], 'database'>,
      database: TestDatabase,
    ) => void countKeyUse(env, { ...key, database }, keyUse, at)
    note({ organisationId: id, keyId }, 'DB')
    for (let index = 1; index < 10_000; index++)
      note({ organisationId: other.id, keyId: crypto.randomUUID() }, 'DB_1')
    note({ organisationId: other.id, keyId: other.keyId }, 'DB_1')
    await flushKeyUse(env, at)
    expect(await used(id, 3650)).toMatchObject([{ requests: 1 }])
    expect(
      await readUsage(operatorStore(env.DB_1, other.id), { days: 3650, daily: true }),
    ).toMatchObject([{ keyId: other.keyId, requests: 1 }])
  })

  test('is counted by key, collection and day, without rejected requests', async () => {
    const organisation = await newOrganisation()
    const { id, keyId, get, put, json } = organisation
    const revoked = await createKey(env, id, 'revoked', by)
    await revokeKey(env.DB, { organisationId: id, id: revoked.id, by })
    await put(
      'events',
      Array.from({ length: 300 }, (_, index) => ({ id: `${index}`, document: {} })),
    )
    expect(await status(revoked.key)).toBe(401)
    await json('/events?limit=7')
    await json('/events?nothing=x')
    await (await get('/events?$format=csv')).text()
    await json('/changes?limit=5')
    await get('/forms/nothing')
    await get('/nowhere')
    await flushKeyUse(env, at)
    const day = new Date().toISOString().slice(0, 10)
    const expected = Object.entries({
      changes: [1, 5],
      events: [3, 307],
      forms: [1, 0],
      none: [1, 0],
    }).map(([collection, [requests, records]]) => ({
      ...{ ...usageOf(keyId, day), collection, requests, records, rowsRead: expect.any(Number) },
    }))
    expect(await used(id)).toEqual(expected)
    expect(await readUsage(operatorStore(env.DB, id), { days: 30, daily: false })).toEqual(expected)
    expect((await listKeys(operatorStore(env.DB, id))).map(({ lastUsed }) => lastUsed)).toEqual([
      expect.stringMatching(/^\d{4}-/),
      null,
    ])
  })

  test('includes the rows read, those of a download too', async () => {
    const { id, get, put } = await newOrganisation()
    const events = Array.from({ length: 300 }, (_, index) => ({ id: `${index}`, document: {} }))
    await put('events', events)
    const first = rowsRead(await get('/events?limit=7'))
    await flushKeyUse(env, at)
    expect(await used(id)).toMatchObject([{ records: 7, rowsRead: first }])
    await (await get('/events?$format=csv')).text()
    await flushKeyUse(env, at)
    const [both] = await used(id)
    expect(both?.rowsRead).toBeGreaterThan(first + events.length)
  })

  test('is forgotten after 400 days', async () => {
    const { id, keyId } = await newOrganisation()
    const now = Date.now()
    for (const days of [399, 402]) {
      void countKeyUse(
        env,
        { organisationId: id, keyId, database: 'DB' },
        keyUse,
        now - days * 1440 * minute,
      )
      await flushKeyUse(env, at)
    }
    expect(await used(id, 500)).toHaveLength(2)
    await deleteOldUsage(env.DB, now)
    expect(await used(id, 500)).toMatchObject([
      { day: new Date(now - 399 * 1440 * minute).toISOString().slice(0, 10) },
    ])
  })

  const usageOf = (keyId: string, day: string) => ({
    keyId,
    day,
    key: expect.stringMatching(/^test \(sk_.{5}…\)$/),
  })
})

test('every act on a key is in the audit trail, and nothing that was not done', async () => {
  const { id: organisationId, keyId: id } = await newOrganisation()
  const act = { organisationId, id, by }
  await reactivateKey(env.DB, act)
  await revokeKey(env.DB, act)
  await revokeKey(env.DB, act)
  await rotateKey(env, act, 60)
  await reactivateKey(env.DB, act)
  await rotateKey(env, act, 60)
  await deleteKey(env, act)
  const acts = (await listAudit(env.DB, organisationId)).reverse()
  expect(acts.map(({ actor, action }) => [actor, action])).toEqual([
    ['a test', 'created key'],
    [by, 'revoked key'],
    [by, 'reactivated key'],
    [by, 'rotated key'],
    [by, 'deleted key'],
  ])
  for (const { target } of acts) expect(target).toMatch(/^test \(sk_\w{5}…\)$/)
})

test('all active keys of one organisation stop at once, with an audit entry each', async () => {
  const [{ id: organisationId, key, act }, other] = [
    await newOrganisation(),
    await newOrganisation(),
  ]
  const names = ['Power BI', 'Excel', 'revoked', 'expired']
  const expiry = (name: string) => (name === 'expired' ? '2020-01-01T00:00:00.000Z' : undefined)
  const keys = []
  for (const name of names) keys.push(await createKey(env, organisationId, name, by, expiry(name)))
  await revokeKey(env.DB, { ...act, id: String(keys[2]?.id) })
  for (const { key } of keys.slice(0, 2)) expect(await status(key)).toBe(200)
  const before = await listKeys(operatorStore(env.DB, organisationId))
  expect(await revokeAllKeys(env.DB, { organisationId, by: 'Ana' })).toHaveLength(3)
  expect(await revokeAllKeys(env.DB, { organisationId, by: 'Ana' })).toEqual([])
  for (const used of [{ key }, ...keys]) expect(await status(used.key)).toBe(401)
  expect(await status(other.key)).toBe(200)
  const entries = (await listAudit(env.DB, organisationId)).filter(({ actor }) => actor === 'Ana')
  const labels = before
    .filter(({ state }) => state === 'active')
    .map(({ name, prefix }) => ['revoked key', `${name} (${prefix}…)`])
  expect(entries.map(({ action, target }) => [action, target]).toSorted()).toEqual(
    labels.toSorted(),
  )
  const after = await listKeys(operatorStore(env.DB, organisationId))
  expect(after.filter(({ name }) => name === 'revoked' || name === 'expired')).toEqual(
    before.filter(({ name }) => name === 'revoked' || name === 'expired'),
  )
})

test('rejects a key that does not exist, even if KV lists it', async () => {
  const { id: organisationId, keyId } = await newOrganisation()
  const key = generateApiKey()
  await env.KEYS.put(await sha256(key), JSON.stringify({ keyId, organisationId }))
  expect(await status(key)).toBe(401)
})
