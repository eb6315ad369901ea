import { env, exports } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { validateOrigin } from '../../src/access/origins.ts'
import { deleteOrganisation } from '../../src/admin/remove-organisation.ts'
import { putEverything } from '../examples/everything.ts'
import { changeKey, createKey, deleteKey, reactivateKey, revokeKey, rotateKey } from '../keys.ts'
import { newOrganisation, request, requestBeyondLimit, rowsRead } from '../organisation.ts'

/** An origin for this test alone. */
const newOrigin = () => `https://${crypto.randomUUID()}.example`

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

const newKeyFor = (
  { id, storage }: Pick<Organisation, 'id' | 'storage'>,
  origins: string[],
  permissions: string[] = ['read', 'create-members'],
  expires?: string,
) => createKey(storage, id, 'page', 'a test', expires, permissions, { origins })

/** The answer to a browser that asks whether a page may send a request. */
const preflight = (origin: string, path = '/members', headers: Record<string, string> = {}) =>
  request(path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-api-key',
      ...headers,
    },
  })

const allowedOrigin = ({ headers }: Response) => headers.get('Access-Control-Allow-Origin')

describe('a preflight request', () => {
  test('succeeds for an origin that a key lists, with the methods and headers of the API', async () => {
    const [origin, other, elsewhere] = [newOrigin(), newOrigin(), newOrigin()]
    await newKeyFor(await newOrganisation(), [origin, other])
    await newKeyFor(await newOrganisation(null, 'DB_1'), [elsewhere])
    for (const listed of [origin, other, elsewhere])
      for (const path of ['/members', '/members/m/$merge', '/nowhere', '/openapi.json']) {
        const response = await preflight(listed, path)
        expect([path, response.status, await response.text()]).toEqual([path, 204, ''])
        expect(allowedOrigin(response)).toBe(listed)
        expect(response.headers.get('Vary')).toBe('Origin')
        expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false)
        const allowed = response.headers.get('Access-Control-Allow-Headers')?.split(', ')
        expect(allowed).toEqual(
          expect.arrayContaining(['x-api-key', 'Content-Type', 'Idempotency-Key', 'Prefer']),
        )
        expect(response.headers.get('Access-Control-Allow-Methods')).toContain('POST')
      }
  })

  test('fails for every other origin with any headers', async () => {
    const organisation = await newOrganisation()
    const origin = newOrigin()
    const { key } = await newKeyFor(organisation, [origin])
    for (const other of [
      ...[newOrigin(), 'null', '*', `${origin}/`, `${origin}:8443`, origin.toUpperCase()],
      ...[
        origin.replace('https', 'http'),
        `${origin}.evil.example`,
        `https://x.${origin.slice(8)}`,
      ],
      `https://${'a'.repeat(5000)}.example`,
    ]) {
      const response = await preflight(other, '/members', { 'x-api-key': key })
      expect([other, response.status]).toEqual([other, 403])
      expect(allowedOrigin(response)).toBe(null)
      expect(await response.json()).toEqual({
        type: 'FORBIDDEN',
        message: expect.stringContaining('No key lists this origin.'),
      })
    }
  })

  test('follows the key: change, revocation, reactivation, rotation, expiry, deletion', async () => {
    const organisation = await newOrganisation()
    const [origin, later] = [newOrigin(), newOrigin()]
    const { id } = await newKeyFor(organisation, [origin])
    const key = { organisationId: organisation.id, id, by: 'a test' }
    const statuses = async () => [(await preflight(origin)).status, (await preflight(later)).status]
    expect(await statuses()).toEqual([204, 403])
    const change = (origins?: string[]) =>
      changeKey(env.DB, key, { permissions: ['read'], restrictions: { origins } })
    await change([later])
    expect(await statuses()).toEqual([403, 204])
    await change()
    expect(await statuses()).toEqual([403, 403])
    await change([origin, later])
    expect(await statuses()).toEqual([204, 204])
    await revokeKey(env.DB, key)
    expect(await statuses()).toEqual([403, 403])
    await change([later])
    expect(await statuses()).toEqual([403, 403])
    await reactivateKey(env.DB, key)
    expect(await statuses()).toEqual([403, 204])
    const rotated = await rotateKey(env, key, 0)
    expect(await statuses()).toEqual([403, 204])
    await deleteKey(env, key)
    expect(await statuses()).toEqual([403, 204])
    await env.DB.prepare("UPDATE api_keys SET expires = '2020-01-01T00:00:00.000Z' WHERE id = ?")
      .bind(rotated?.id)
      .run()
    expect(await statuses()).toEqual([403, 403])
    const { id: last } = await newKeyFor(organisation, [origin])
    expect(await statuses()).toEqual([204, 403])
    await deleteKey(env, { ...key, id: last })
    expect(await statuses()).toEqual([403, 403])
  })

  test('is 401 without an origin or a method, like any request without a key', async () => {
    const organisation = await newOrganisation()
    const origin = newOrigin()
    await newKeyFor(organisation, [origin])
    for (const [name, value] of [
      ['Origin', origin],
      ['Access-Control-Request-Method', 'GET'],
    ] as const) {
      const headers = { [name]: value }
      expect((await request('/members', { method: 'OPTIONS', headers })).status).toBe(401)
    }
  })
})

test('a page of a listed origin can read OData, and nothing at /mcp', async () => {
  const organisation = await newOrganisation()
  const origin = newOrigin()
  const { key } = await newKeyFor(organisation, [origin])
  const send = (path: string, init: RequestInit) =>
    exports.default.fetch(new Request(`https://api.test${path}`, init))
  const ask = { Origin: origin, 'Access-Control-Request-Method': 'GET' }
  const sent = { Origin: origin, 'x-api-key': key }
  const service = `/odata/${organisation.id}/`
  const asked = await send(service, { method: 'OPTIONS', headers: ask })
  const read = await send(service, { headers: sent })
  expect([asked.status, read.status]).toEqual([204, 200])
  expect([asked, read].map(allowedOrigin)).toEqual([origin, origin])
  expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('OData-MaxVersion')
  expect(read.headers.get('Access-Control-Expose-Headers')).toContain('OData-Version')
  const assistant = await send('/mcp', { method: 'OPTIONS', headers: ask })
  expect([assistant.ok, allowedOrigin(assistant)]).toEqual([false, null])
})

describe('a response', () => {
  test('is readable only for the origins of its key', async () => {
    const [own, other] = [await newOrganisation(), await newOrganisation()]
    await putEverything(own)
    const [a, b, elsewhere] = [newOrigin(), newOrigin(), newOrigin()]
    const [forA, forB, forBoth] = await Promise.all([
      newKeyFor(own, [a]),
      newKeyFor(own, [b]),
      newKeyFor(own, [a, b]),
    ])
    await newKeyFor(other, [elsewhere])
    const paths = ['/events', '/events', '/members/member-1', '/members?$format=csv', '/me']
    for (const path of [...paths, '/nowhere', '/events?limit=0', '/events/nowhere', '/imports'])
      for (const [{ key }, listed] of [
        [forA, [a]],
        [forB, [b]],
        [forBoth, [a, b]],
        [own, []],
      ] as const)
        for (const origin of [a, b, elsewhere, a]) {
          const headers = { 'x-api-key': key, Origin: origin }
          const response = await request(path, { headers })
          await response.arrayBuffer()
          const allowed = listed.some((one) => one === origin)
          expect([path, listed, origin, allowedOrigin(response)]).toEqual([
            ...[path, listed, origin],
            allowed ? origin : null,
          ])
          expect(response.headers.has('Access-Control-Expose-Headers')).toBe(allowed)
          expect(response.headers.get('Vary')).toMatch(/(^|, )Origin$/)
          expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false)
        }
  })

  test('from the page memory or with 304 has the headers of this request', async () => {
    const organisation = await newOrganisation()
    const [a, b] = [newOrigin(), newOrigin()]
    const { key } = await newKeyFor(organisation, [a, b])
    const send = (headers: Record<string, string>) =>
      request('/events', { headers: { 'x-api-key': key, ...headers } })
    const first = await send({ Origin: a })
    const etag = first.headers.get('ETag') ?? ''
    for (const tags of ['', etag])
      for (const origin of [a, b, newOrigin(), undefined]) {
        const response = await send({ 'If-None-Match': tags, ...(origin && { Origin: origin }) })
        expect(response.status).toBe(tags === '' ? 200 : 304)
        expect(allowedOrigin(response)).toBe(origin === a || origin === b ? origin : null)
        expect(response.headers.get('Vary')).toContain('Origin')
      }
    expect(first.headers.get('Access-Control-Expose-Headers')?.split(', ')).toEqual(
      expect.arrayContaining([
        ...['ETag', 'Warning', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Location'],
      ]),
    )
  })

  test('to a page that creates a member can be read, and so can its errors', async () => {
    const organisation = await newOrganisation([
      { id: 'Full Name', name: 'Full Name', label: 'Full Name', type: 'text', order: 0 },
    ])
    const origin = newOrigin()
    const { key } = await newKeyFor(organisation, [origin], ['create-members'])
    const headers = { 'x-api-key': key, Origin: origin, 'Content-Type': 'application/json' }
    const create = (body: object) =>
      request('/members', { method: 'POST', headers, body: JSON.stringify(body) })
    const list = () => request('/members', { headers })
    const requests = [create({ 'Full Name': 'Ada' }), create({ Nmae: 'Ada' }), list()]
    const responses = await Promise.all(requests)
    expect(responses.map(({ status }) => status)).toEqual([201, 400, 403])
    expect(responses.map(allowedOrigin)).toEqual([origin, origin, origin])
    const unknown = await request('/members', { headers: { ...headers, 'x-api-key': 'sk_x' } })
    expect([unknown.status, allowedOrigin(unknown)]).toEqual([401, null])
  })

  test('follows a change of the key at once', async () => {
    const organisation = await newOrganisation()
    const origin = newOrigin()
    const { key, id } = await newKeyFor(organisation, [origin])
    const send = async () =>
      allowedOrigin(await request('/events', { headers: { 'x-api-key': key, Origin: origin } }))
    expect(await send()).toBe(origin)
    const change = (origins: string[]) =>
      changeKey(
        env.DB,
        { organisationId: organisation.id, id, by: 'a test' },
        { permissions: ['read'], restrictions: { origins } },
      )
    await change([])
    expect([await send(), await send()]).toEqual([null, null])
    await change([origin])
    expect(await send()).toBe(origin)
  })

  test('reads as many rows with an origin as without', async () => {
    const organisation = await newOrganisation()
    await putEverything(organisation)
    const origin = newOrigin()
    const { key } = await newKeyFor(organisation, [origin])
    for (const path of [
      '/events?name=x',
      '/members?$updatedFrom=2020-01-01',
      '/bookings?offset=1',
    ]) {
      const rows = async (url: string, headers: Record<string, string>) =>
        rowsRead(await request(url, { headers: { 'x-api-key': key, ...headers } }))
      const without = await rows(path, {})
      expect(without).toBeGreaterThan(0)
      expect(await rows(`${path}&limit=99`, { Origin: origin })).toBe(without)
    }
  })

  test('over the rate limit can be read by a page of a key that was in use', async () => {
    const organisation = await newOrganisation()
    const origin = newOrigin()
    const { key } = await newKeyFor(organisation, [origin])
    const limited = () => requestBeyondLimit('/events', key, { Origin: origin })
    expect((await limited()).headers.get('Access-Control-Allow-Origin')).toBe(null)
    await request('/events', { headers: { 'x-api-key': key } })
    const response = await limited()
    expect([response.status, allowedOrigin(response)]).toEqual([429, origin])
  })
})

test('the index of origins ends with the organisation', async () => {
  const organisation = await newOrganisation()
  const origin = newOrigin()
  await newKeyFor(organisation, [origin])
  expect((await preflight(origin)).status).toBe(204)
  await deleteOrganisation(env, organisation.id, () => {})
  expect((await preflight(origin)).status).toBe(403)
})

test('an origin is https, or http on this machine, as browsers write it', () => {
  for (const valid of [
    'https://www.example.org',
    'https://example.org:8443',
    'https://xn--bcher-kva.example',
    'https://192.0.2.1',
    'http://localhost',
    'http://localhost:3000',
    'http://127.0.0.1:8080',
  ])
    expect([valid, validateOrigin(valid)]).toEqual([valid, undefined])
  for (const invalid of [
    ...['', '*', 'null', 'https://*.example.org', 'https://*', 'example.org', '//example.org'],
    ...['http://example.org', 'http://localhost.evil.example', 'ftp://localhost', 'file:///x'],
    ...[
      'https://example.org/',
      'https://example.org/a',
      'https://example.org?a',
      'https://a@b.org',
    ],
    ...[
      'https://Example.org',
      'https://example.org:443',
      ' https://example.org',
      'https://bücher.de',
    ],
    `https://${'a'.repeat(250)}.example`,
  ])
    expect([invalid, validateOrigin(invalid)]).toEqual([
      invalid,
      expect.stringContaining('must be the origin of a web page'),
    ])
})
