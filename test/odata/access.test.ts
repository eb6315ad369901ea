import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { app } from '../../src/app.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import { readUsage } from '../../src/store/settings/usage.ts'
import { newPerson } from '../auth/identity.ts'
import { errorOfD1 } from '../faults/d1-error.ts'
import { createKey, revokeKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation } from '../organisation.ts'
import { basic, openOData, sendOData } from './service.ts'

const [own, other] = [await newOrganisation([]), await newOrganisation([])]

const send = (headers: Record<string, string>, path = 'Events', id = own.id) =>
  sendOData(id, path, { headers })

test('a key is accepted as the password of any user, in its own header and as a bearer token', async () => {
  const person = newPerson()
  await own.add(person.email, 'reader')
  const accepted: Record<string, string>[] = [
    basic(own.key),
    basic(own.key, ''),
    { Authorization: basic(own.key, 'a b').Authorization.replace('Basic', 'basic') },
    { 'x-api-key': own.key },
    { Authorization: `Bearer ${own.key}` },
    { Authorization: `Bearer ${await person.token()}` },
  ]
  for (const headers of accepted) expect((await send(headers)).status).toBe(200)
})

test('the API itself does not accept Basic authentication', async () => {
  const { status, headers } = await own.get('/events', { headers: basic(own.key) })
  expect([status, headers.get('WWW-Authenticate')]).toEqual([401, null])
})

test('every other caller is asked for a key in the same words, at every address', async () => {
  const revoked = await newOrganisation()
  await revokeKey(env.DB, revoked.act)
  const stranger = newPerson()
  const rejected: Record<string, string>[] = [
    {},
    basic(generateApiKey()),
    basic('password'),
    basic(other.key),
    { Authorization: 'Basic ???' },
    { Authorization: 'Basic' },
    { Authorization: 'Digest x' },
    { 'x-api-key': other.key },
    { Authorization: `Bearer ${await stranger.token()}` },
  ]
  const bodies = new Set<string>()
  for (const headers of rejected) {
    for (const path of ['', '$metadata', 'Events', 'Nothing', '$batch', 'Events?$expand=x']) {
      const response = await send(headers, path)
      expect(response.status).toBe(401)
      expect(response.headers.get('WWW-Authenticate')).toMatch(/^Basic realm="[^"]+"/)
      expect(response.headers.get('OData-Version')).toBe('4.0')
      bodies.add(await response.text())
    }
  }
  for (const path of ['', 'Events', 'Nothing', 'Events?$expand=x', 'Events?$top=x']) {
    const response = await send(basic(revoked.key), path, revoked.id)
    expect([path, response.status]).toEqual([path, 401])
    bodies.add(await response.text())
  }
  bodies.add(await (await send(basic(own.key), '', 'nowhere')).text())
  expect([...bodies]).toEqual([expect.stringContaining('"code":"UNAUTHORIZED"')])
})

test('two keys at once are refused', async () => {
  const response = await send({ ...basic(own.key), 'x-api-key': own.key })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: { code: 'BAD_REQUEST', message: 'Send either x-api-key or Authorization, not both.' },
  })
})

test('a key that may only create members reads nothing', async () => {
  const { key } = await createKey(env, own.id, 'a', 'a test', undefined, ['create-members'])
  for (const path of ['', '$metadata', 'Members', 'Members/$count', "Members('m1')"])
    expect([path, (await send(basic(key), path)).status]).toEqual([path, 403])
})

test('guessing keys is limited by address, and a key by its own limit', async () => {
  const limit = { limit: async () => ({ success: false }) }
  const url = `https://api.test/odata/${own.id}/Events`
  const guess = { headers: basic(generateApiKey()) }
  const limits = [
    [guess, { LIMIT_FAILURES_BY_ADDRESS: limit }],
    [{ headers: basic(own.key) }, { LIMIT_BY_CREDENTIAL: limit }],
  ] as const
  for (const [init, settings] of limits) {
    const response = await app.request(url, init, { ...env, ...settings })
    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60'])
    expect(await response.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } })
  }
})

test('the service is read-only, and answers HEAD like GET', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of ['Events', "Events('e1')", '$batch']) {
      const response = await sendOData(own.id, path, { method, headers: basic(own.key) })
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
      expect(await response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } })
    }
  }
  for (const path of ['', '$metadata', 'Events', "Events('e1')"]) {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => sendOData(own.id, path, { method, headers: basic(own.key) })),
    )
    expect(await head?.text()).toBe('')
    expect([head?.status, head?.headers.get('Content-Type')]).toEqual([
      ...[get?.status, get?.headers.get('Content-Type')],
    ])
  }
})

test('a failure of the database is an error of OData, and the log has no credentials', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const fail = () => {
    throw errorOfD1('no such table: records')
  }
  const DB: D1Database = Object.create(env.DB, { prepare: { value: fail } })
  const response = await app.request(
    `https://api.test/odata/${own.id}/Events?$filter=name eq 'Ada Obi'`,
    { headers: basic(own.key) },
    { ...env, DB },
  )
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    error: { code: 'INTERNAL_ERROR', message: expect.stringContaining('x-request-id') },
  })
  expect(response.headers.get('OData-Version')).toBe('4.0')
  const [encoded = ''] = basic(own.key).Authorization.split(' ').slice(1)
  expect(logged).toHaveBeenCalledOnce()
  expect(JSON.stringify(logged.mock.calls)).not.toContain(encoded)
  logged.mockRestore()
})

test('requests and records count as use of the collection', async () => {
  muteLog()
  await flushKeyUse(env, Number.NEGATIVE_INFINITY)
  const { id, key, put } = await newOrganisation()
  await put('events', [{ id: 'e1', document: { eventId: 'e1' } }])
  const { get } = openOData({ id, key })
  for (const path of ['Events', "Events('e1')", 'Events?$expand=x', '$metadata']) await get(path)
  await flushKeyUse(env, Number.NEGATIVE_INFINITY)
  expect(await readUsage(operatorStore(env.DB, id), { days: 1, daily: false })).toMatchObject([
    { collection: 'events', requests: 3, records: 2 },
    { collection: 'none', requests: 1, records: 0 },
  ])
})
