import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { createSession } from '../../src/auth/sessions.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { claimMemberships } from '../../src/store/settings/memberships.ts'
import { newPerson } from '../auth/identity.ts'
import { type Call, failingDatabase, wrapDatabase } from '../faults/failing-database.ts'
import { createKey, revokeKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'
import { newSite } from '../public/site.ts'
import { pathOf, routes } from '../security/requests.ts'
import { loggedLines } from './watch.ts'

// On a busy machine, an ordinary request would be slow.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A text in every path, query, header and body. */
const secret = 'Xylophonia'

const secretHash = '0a'.repeat(32)

const organisation = await newOrganisation()
const permissions = ['read', 'create-members', 'write']
const { key, id: keyId } = await createKey(
  ...([env, organisation.id, 'all', 'a test', undefined, permissions] as const),
)
const own = { ...organisation, key, keyId }
// The Worker knows a key once it was used.
await own.get('/me', { headers: { 'x-api-key': key } })

const restrictions = { allowFrom: ['203.0.113.0/24'] }
const elsewhere = await createKey(
  env,
  own.id,
  'elsewhere',
  'a test',
  undefined,
  ['read'],
  restrictions,
)

const context = {
  waitUntil: (promise: Promise<unknown>) => void promise.catch(() => {}),
  passThroughOnException: () => {},
  props: {},
}

/** Sends a request with the secret text in its query, headers and body. Returns the status and the lines of the log. */
async function send(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> },
  bindings: Partial<Bindings> = {},
) {
  const before = loggedLines().length
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const url = new URL(path, 'https://api.test')
  url.searchParams.append('name', secret)
  const init = {
    method,
    headers: {
      'CF-Connecting-IP': '198.51.100.7',
      'Content-Type': 'application/json',
      'User-Agent': secret,
      Cookie: `other=${secret}`,
      ...headers,
    },
    ...(method !== 'GET' && { body: JSON.stringify({ name: secret }) }),
  }
  const response = await app.request(url.href, init, { ...env, ...bindings }, context)
  await response.text()
  const lines = loggedLines().slice(before)
  for (const text of [secret, secretHash.slice(0, 9), 'sk_', 'eyJ', '?', '@'])
    expect(lines.join()).not.toContain(text)
  return { response, lines: lines.map((line) => JSON.parse(line)) }
}

/** The line of a request: these fields and no others. */
const line = (response: Response, fields: object) => ({
  event: 'request',
  requestId: response.headers.get('X-Request-Id'),
  status: response.status,
  durationMs: expect.any(Number),
  ...fields,
})

const overloaded = {
  error: 'Error',
  databaseError: expect.stringContaining('overloaded'),
  at: expect.any(Array),
}

const failing = () => ({ DB: failingDatabase('overloaded before', () => true).DB })

/** The database, with calls that take one and a half seconds. */
function slowDatabase() {
  const call: Call = (make) => {
    vi.setSystemTime(Date.now() + 1500)
    return make()
  }
  return { DB: wrapDatabase(env.DB, call) }
}

const exceeded: RateLimit = { limit: async () => ({ success: false }) }

test.each(routes)(
  '$method $path is logged by its template, even after a failure',
  async (route) => {
    const { method } = route
    const path = `/api/v1${pathOf(route, own.id, secret)}`
    const request = { method, route: `/api/v1${route.path}` }
    const withKey = (key: string, bindings: Partial<Bindings> = {}) =>
      send(path, { method, headers: { 'x-api-key': key } }, bindings)

    const unknown = await withKey(generateApiKey())
    expect(unknown.response.status).toBe(401)
    expect(unknown.lines).toEqual([
      line(unknown.response, { ...request, network: '198.51.100.7/32' }),
    ])

    const refused = await withKey(elsewhere.key)
    expect(refused.response.status).toBe(403)
    expect(refused.lines).toEqual([
      line(refused.response, {
        ...{ ...request, organisation: own.id, caller: elsewhere.id, network: '198.51.100.7/32' },
        rowsRead: expect.any(Number),
      }),
    ])

    const accepted = { ...request, organisation: own.id, caller: own.keyId }
    const broken = await withKey(own.key, failing())
    expect(broken.lines).toEqual([
      line(broken.response, { ...accepted, rowsRead: 0, ...overloaded }),
    ])
    expect(broken.response.status).toBe(503)

    const limited = await withKey(own.key, { LIMIT_BY_CREDENTIAL: exceeded })
    expect(limited.lines).toEqual([line(limited.response, accepted)])
    expect(limited.response.status).toBe(429)

    const slow = await withKey(own.key, slowDatabase())
    expect(slow.lines).toEqual([line(slow.response, { ...accepted, rowsRead: expect.any(Number) })])
    expect(slow.lines[0].durationMs).toBeGreaterThanOrEqual(1500)
  },
)

test('ordinary requests and requests with invalid input are not logged', async () => {
  const headers = { 'x-api-key': own.key }
  const ordinary = await send('/api/v1/events', { headers })
  expect([ordinary.response.status, ordinary.lines]).toEqual([200, []])
  const invalid = await send('/api/v1/events?limit=0', { headers })
  expect([invalid.response.status, invalid.lines]).toEqual([400, []])
  const unknown = await send(`/${secret}`, { headers })
  expect([unknown.response.status, unknown.lines]).toEqual([404, []])
})

test('a revoked key is named, and a person only as a person', async () => {
  const other = await newOrganisation()
  await revokeKey(env.DB, other.act)
  const events = { method: 'GET', route: '/api/v1/events', rowsRead: expect.any(Number) }
  const network = '2001:db8:1:2::/64'
  const address = { 'CF-Connecting-IP': '2001:db8:1:2:3::4' }

  const revoked = await send('/api/v1/events', { headers: { 'x-api-key': other.key, ...address } })
  expect(revoked.lines).toEqual([
    line(revoked.response, { ...events, organisation: other.id, caller: other.keyId, network }),
  ])

  const person = newPerson()
  await own.add(person.email)
  const headers = { Authorization: `Bearer ${await person.token()}`, ...address }
  const slow = await send(`/api/v1/events?organisationId=${own.id}`, { headers }, slowDatabase())
  expect(slow.lines).toEqual([
    line(slow.response, { ...events, organisation: own.id, caller: 'person' }),
  ])
  // An organisation without this person may be any text of the request.
  const stranger = await send(`/api/v1/events?organisationId=${other.id}`, { headers })
  expect(stranger.lines).toEqual([
    line(stranger.response, { ...events, caller: 'person', network }),
  ])

  const forged = { 'CF-Connecting-IP': secret, 'X-Request-Id': `","status":200,"x":"${secret}` }
  const text = await send('/api/v1/events', { headers: forged })
  expect(text.lines).toEqual([line(text.response, { method: 'GET', route: '/api/v1/events' })])
})

test('OData and assistants are logged in the same way', async () => {
  const path = `/odata/${own.id}/Events('${secret}')`
  const key = { 'x-api-key': own.key }
  const odata = { method: 'GET', route: '/odata/*', rowsRead: expect.any(Number) }
  const caller = { organisation: own.id, caller: own.keyId }
  const unknown = await send(path, { headers: { 'x-api-key': generateApiKey() } })
  expect(unknown.lines).toEqual([
    line(unknown.response, { method: 'GET', route: '/odata/*', network: '198.51.100.7/32' }),
  ])
  const slow = await send(path, { headers: key }, slowDatabase())
  expect(slow.lines).toEqual([line(slow.response, { ...odata, ...caller })])
  const broken = await send(path, { headers: key }, failing())
  expect(broken.lines).toEqual([line(broken.response, { ...odata, ...caller, ...overloaded })])

  const mcp = { method: 'POST', route: '/mcp', rowsRead: expect.any(Number) }
  const refused = await send('/mcp', { method: 'POST', headers: key })
  expect(refused.lines).toEqual([
    line(refused.response, { ...mcp, ...caller, network: '198.51.100.7/32' }),
  ])
})

test('pages are logged by their templates, without private links', async () => {
  const site = await newSite()
  const email = `${crypto.randomUUID()}@people.test`
  const person = { issuer: 'https://data.test', subject: email, email }
  await site.add(email)
  await claimMemberships(env.DB, person)
  const session = await createSession(env.DB, person, secret)
  const headers = { Cookie: `__Host-session=${session}` }
  const rowsRead = expect.any(Number)
  const organisation = site.id

  const link = `/o/${site.id}/bookings/${secretHash}`
  const record = `/dashboard/${site.id}/records/members/${secret}`
  const [booking, member] = [
    { method: 'GET', route: '/o/:organisation/bookings/:secret' },
    { method: 'GET', route: '/dashboard/:organisation/records/:collection/:id' },
  ]
  const slowPage = await send(link, {}, slowDatabase())
  expect(slowPage.lines).toEqual([
    line(slowPage.response, { ...booking, rowsRead, organisation, caller: 'public' }),
  ])
  const brokenPage = await send(link, {}, failing())
  expect(brokenPage.lines).toEqual([line(brokenPage.response, { ...booking, ...overloaded })])
  const limitedPage = await send(link, {}, { LIMIT_PUBLIC_PAGES_BY_ADDRESS: exceeded })
  expect(limitedPage.lines).toEqual([line(limitedPage.response, booking)])

  const slowRecord = await send(record, { headers }, slowDatabase())
  expect(slowRecord.lines).toEqual([
    line(slowRecord.response, { ...member, rowsRead, organisation, caller: 'person' }),
  ])
  const brokenRecord = await send(record, { headers }, failing())
  expect(brokenRecord.lines).toEqual([line(brokenRecord.response, { ...member, ...overloaded })])
  const foreign = await send(`${record}/edit`, { method: 'POST', headers })
  expect(foreign.response.status).toBe(403)
  expect(foreign.lines).toEqual([
    line(foreign.response, {
      method: 'POST',
      route: expect.stringMatching(/^\/dashboard\/:organisation\/records\/:collection\//),
    }),
  ])

  const stranger = await send(`/dashboard/${own.id}/reports`, { headers })
  expect(stranger.response.status).toBe(404)
  expect(stranger.lines).toEqual([
    line(stranger.response, { method: 'GET', route: '/dashboard/:organisation/reports' }),
  ])

  const readiness = await send('/readyz', {}, { LIMIT_FAILURES_BY_ADDRESS: exceeded })
  expect(readiness.lines).toEqual([line(readiness.response, { method: 'GET', route: '/readyz' })])
})
