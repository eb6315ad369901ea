import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { newOrganisation, request } from '../organisation.ts'
import { newPerson } from './identity.ts'

// The count restarts at the turn of a minute: once at most during the test.
const enough = 2 * 600 + 1

test('guessing keys from one address is soon refused without a read', async () => {
  const headers = { 'CF-Connecting-IP': crypto.randomUUID(), 'x-api-key': 'sk_guess' }
  const guesses = Array.from({ length: 50 }, () => headers)
  const statuses: number[] = []
  while (statuses.length < enough && !statuses.includes(429)) {
    const answers = await Promise.all(guesses.map((headers) => request('/events', { headers })))
    statuses.push(...answers.map(({ status }) => status))
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(600)
  const reads = vi.spyOn(env.DB, 'prepare')
  const guess = { ...headers, 'x-api-key': generateApiKey() }
  const answer = await request('/events', { headers: guess })
  expect(answer.status).toBe(429)
  expect(answer.headers.get('Retry-After')).toBe('60')
  expect(await answer.json()).toMatchObject({ type: 'RATE_LIMITED' })
  expect(reads).not.toHaveBeenCalled()
  reads.mockRestore()
  const { key } = await newOrganisation()
  const known = await request('/events', { headers: { ...headers, 'x-api-key': key } })
  expect(known.status).toBe(200)
}, 60_000)

test('a credential over its limit is refused before anything is read', async () => {
  const { id, key, add } = await newOrganisation()
  const person = newPerson()
  await add(person.email)
  const settings = { ...env, LIMIT_BY_CREDENTIAL: { limit: async () => ({ success: false }) } }
  const authorization = { Authorization: `Bearer ${await person.token()}` }
  const reads = vi.spyOn(env.DB, 'prepare')
  for (const headers of [{ 'x-api-key': key }, authorization]) {
    const answer = await app.request(`/api/v1/events?organisationId=${id}`, { headers }, settings)
    expect(answer.status).toBe(429)
    expect(answer.headers.get('Retry-After')).toBe('60')
  }
  expect(reads).not.toHaveBeenCalled()
  reads.mockRestore()
})

test('requests are counted for each credential by itself', async () => {
  const counted: string[] = []
  const limit = async ({ key }: { key: string }) => ({ success: counted.push(key) > 0 })
  const settings = { ...env, LIMIT_BY_CREDENTIAL: { limit } }
  for (const { key } of [await newOrganisation(), await newOrganisation()]) {
    await app.request('/api/v1/events', { headers: { 'x-api-key': key } }, settings, {
      waitUntil: () => {},
      passThroughOnException: () => {},
      props: {},
    })
    expect(JSON.stringify(counted)).not.toContain(key.slice(3))
  }
  expect(new Set(counted).size).toBe(2)
})

test('failures are counted by network and kind', async () => {
  const counted = new Set<string>()
  const limit = async ({ key }: { key: string }) => ({ success: counted.add(key).size > 0 })
  const settings = { ...env, LIMIT_FAILURES_BY_ADDRESS: { limit } }
  const ask = (path: string, headers: Record<string, string>) =>
    app.request(path, { headers: { 'CF-Connecting-IP': '203.0.113.7', ...headers } }, settings)
  const events = '/api/v1/events'
  const count = async (work: () => Promise<unknown>) => {
    const before = counted.size
    await work()
    return counted.size - before
  }
  const from = (address: string) =>
    count(async () => ask(events, { 'CF-Connecting-IP': address, 'x-api-key': 'sk_guess' }))
  expect(await from('2001:db8:1:2::1')).toBe(1)
  expect(await from('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(0)
  expect(await from('2001:db8:1:3::1')).toBe(1)
  expect(await from('203.0.113.7')).toBe(1)
  expect(await from('::ffff:203.0.113.7')).toBe(0)
  expect(await from('203.0.113.8')).toBe(1)
  const session = `__Host-session=${'0'.repeat(64)}`
  expect(await count(async () => ask(events, { 'x-api-key': generateApiKey() }))).toBe(0)
  expect(await count(async () => ask(events, { Authorization: 'Bearer guess' }))).toBe(1)
  expect(await count(async () => ask('/dashboard', { Cookie: session }))).toBe(1)
  expect(await count(async () => ask('/dashboard/sign-in/callback', {}))).toBe(1)
  expect(await count(async () => ask('/readyz', {}))).toBe(1)
  const preflight = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' }
  const options = {
    method: 'OPTIONS',
    headers: { 'CF-Connecting-IP': '203.0.113.7', ...preflight },
  }
  expect(await count(async () => app.request(events, options, settings))).toBe(1)
})

test('every answer tells the limits', async () => {
  const { get } = await newOrganisation()
  for (const answer of [await get('/events'), await request('/events'), await request('/nowhere')])
    expect(answer.headers.get('RateLimit-Policy')).toMatch(
      /^"credential";q=\d+;w=60, "failure";q=600;w=60, "rows";q=\d+;w=5;qu="rows"$/,
    )
})
