import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import {
  createKey,
  deleteKey,
  listKeys,
  reactivateKey,
  revokeKey,
  rotateKey,
} from '../../src/auth/key-acts.ts'
import { KeyExpiry } from '../../src/auth/key-expiry.ts'
import { newApiKey } from '../../src/auth/key-text.ts'
import { noteUse } from '../../src/auth/key-use.ts'
import { sha256 } from '../../src/platform/sha256.ts'
import { listAudit } from '../../src/store/audit.ts'
import { newOrganisation, request } from '../organisation.ts'

const by = 'someone'
const past = '2001-01-01T00:00:00.000Z'

const status = async (key: string) =>
  (await request('/events', { headers: { 'x-api-key': key } })).status

test('a key works, is refused once revoked, works again, and is gone once deleted', async () => {
  const { id: organisationId, key, keyId: id } = await newOrganisation()
  const act = { organisationId, id, by }
  const hint = await env.KEYS.get(await sha256(key))
  expect(hint).toContain(id)
  expect(await status(key)).toBe(200)
  expect(await revokeKey(env.DB, act)).toBe(true)
  expect(await env.KEYS.get(await sha256(key))).toBe(hint)
  expect(await status(key)).toBe(401)
  expect(await revokeKey(env.DB, act)).toBe(false)
  expect(await reactivateKey(env.DB, act)).toBe(true)
  expect(await status(key)).toBe(200)
  expect(await deleteKey(env, act)).toBe(true)
  expect(await status(key)).toBe(401)
  expect(await deleteKey(env, act)).toBe(false)
})

test('a deleted key that KV still remembers is refused', async () => {
  const { id: organisationId, key, keyId: id } = await newOrganisation()
  const hint = String(await env.KEYS.get(await sha256(key)))
  await deleteKey(env, { organisationId, id, by })
  await env.KEYS.put(await sha256(key), hint)
  expect(await status(key)).toBe(401)
})

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
])('a key that is to expire %s ends %s', (given, end) => {
  expect(KeyExpiry.safeParse(given).data).toBe(end)
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
  const [old, made] = await listKeys(env.DB, organisationId)
  expect(old?.expires).not.toBeNull()
  expect(made).toMatchObject({ name: old?.name, createdBy: by, expires: null, revoked: null })
  await rotateKey(env, act, -1)
  expect(await status(key)).toBe(401)
  expect(await rotateKey(env, act, 3600)).toBeUndefined()
  expect(await listKeys(env.DB, organisationId)).toHaveLength(3)
})

test('a grace period does not lengthen the life of a key', async () => {
  const { id: organisationId } = await newOrganisation()
  const expires = '2099-01-01T00:00:00.000Z'
  const { id } = await createKey(env, organisationId, 'short', by, expires)
  await rotateKey(env, { organisationId, id, by }, 200 * 365 * 24 * 3600)
  expect(await listKeys(env.DB, organisationId)).toMatchObject([{}, { expires }, { expires }])
})

test.each([null, '2099-01-01T00:00:00.000Z'])(
  'keys that replace one within its grace live as long as it would have: %s',
  async (expires) => {
    const { id: organisationId } = await newOrganisation()
    const first = await createKey(env, organisationId, 'first', by, expires ?? undefined)
    const act = { organisationId, id: first.id, by }
    for (const grace of [3600, 60, 3600]) expect(await rotateKey(env, act, grace)).toBeDefined()
    const keys = await listKeys(env.DB, organisationId)
    const made = keys.filter(({ name, id }) => name === 'first' && id !== first.id)
    expect(made.map((key) => key.expires)).toEqual([expires, expires, expires])
    const last = String(made.at(-1)?.id)
    await rotateKey(env, { organisationId, id: last, by }, 60)
    expect((await listKeys(env.DB, organisationId)).at(-1)).toMatchObject({ expires })
  },
)

test('when a key was last used is noted once in five minutes', async () => {
  const { id: organisationId, key } = await newOrganisation()
  const lastUsed = async () => (await listKeys(env.DB, organisationId))[0]?.lastUsed
  const hash = await sha256(key)
  const at = Date.parse('2026-01-01T00:00:00.000Z')
  const minutes = (count: number) => at + count * 60_000
  expect(await lastUsed()).toBeNull()
  await noteUse(env.DB, hash, at)
  await noteUse(env.DB, hash, minutes(4))
  expect(await lastUsed()).toBe('2026-01-01T00:00:00.000Z')
  await noteUse(env.DB, hash, minutes(6))
  expect(await lastUsed()).toBe('2026-01-01T00:06:00.000Z')
})

test('a request notes the use of its key, and a refused one does not', async () => {
  const organisation = await newOrganisation()
  const revoked = await createKey(env, organisation.id, 'revoked', by)
  await revokeKey(env.DB, { organisationId: organisation.id, id: revoked.id, by })
  expect(await status(revoked.key)).toBe(401)
  expect(await status(organisation.key)).toBe(200)
  await expect
    .poll(async () => (await listKeys(env.DB, organisation.id)).map(({ lastUsed }) => lastUsed))
    .toEqual([expect.stringMatching(/^\d{4}-/), null])
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
  expect(acts.map(({ actor, act }) => [actor, act])).toEqual([
    ['a test', 'created key'],
    [by, 'revoked key'],
    [by, 'reactivated key'],
    [by, 'rotated key'],
    [by, 'deleted key'],
  ])
  for (const { target } of acts) expect(target).toMatch(/^test \(sk_\w{5}…\)$/)
})

test('a key that was never made is refused, whatever KV says of it', async () => {
  const { id: organisationId, keyId } = await newOrganisation()
  const key = newApiKey()
  await env.KEYS.put(await sha256(key), JSON.stringify({ keyId, organisationId }))
  expect(await status(key)).toBe(401)
})
