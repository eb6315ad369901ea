import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { revokeKey } from '../src/admin/keys.ts'
import { apiRoutes, app } from '../src/app.ts'
import { generateApiKey } from '../src/auth/key-text.ts'
import { contractOf } from '../src/http/contract.ts'
import { base, newOrganisation, request } from './organisation.ts'

const root = new URL(base).pathname
const withoutKey = [`GET ${root}/openapi.json`]

/** Every mounted endpoint with its contract; middleware is mounted for ALL methods. */
const routes = Object.values(
  Object.groupBy(
    (await apiRoutes()).filter(({ method, path }) => method !== 'ALL' && path.startsWith(root)),
    ({ method, path }) => `${method} ${path}`,
  ),
).flatMap((handlers = []) => {
  const [first] = handlers
  if (!first || withoutKey.includes(`${first.method} ${first.path}`)) return []
  const contract = handlers.map(({ handler }) => contractOf(handler)).find(Boolean)
  const { method, path } = first
  return [{ method, path: path.slice(root.length), name: `${method} ${path}`, contract }]
})

/** Headers with no key, a malformed, an unknown and a revoked one. */
const noGood: Record<string, string>[] = []

beforeAll(async () => {
  const { key, act } = await newOrganisation()
  await revokeKey(env.DB, act)
  const keys = [
    '',
    'sk_',
    key.slice(0, -1),
    `${key}0`,
    key.replace('sk_', 'pk_'),
    generateApiKey(),
    key,
  ]
  noGood.push(...keys.map((key) => ({ 'x-api-key': key })), {}, { Authorization: `Bearer ${key}` })
})

const errors = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
} as const

async function expectError(answer: Response, status: keyof typeof errors, message?: string) {
  expect([answer.status, await answer.json()]).toEqual([
    status,
    { type: errors[status], message: message ?? expect.any(String) },
  ])
  expectHeaders(answer)
}

function expectHeaders(answer: Response) {
  expect(answer.headers.get('Content-Type')).toBe('application/json')
  expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  expectTransportSecurity(answer)
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
}

function expectTransportSecurity({ headers }: Response) {
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=15552000; includeSubDomains')
}

test.each(['/', '/docs', '/dashboard/sign-in', '/healthz', '/api/v1/openapi.json'])(
  '%s is for TLS alone',
  async (path) => expectTransportSecurity(await app.request(path, {}, env)),
)

test('every endpoint has a contract', () => {
  expect(routes.length).toBeGreaterThan(0)
  for (const { name, contract } of routes) expect(contract, name).toBeDefined()
})

const filled = (path: string, organisationId: string) =>
  path.replace(':organisationId', organisationId).replaceAll(/:\w+/g, 'nowhere')

describe.each(routes)('$name', ({ method, path, contract }) => {
  const takes = (name: string) => contract && name in contract.query.parameters.shape
  const at = (organisationId: string) => filled(path, organisationId)

  test('is 401 without a valid key, before any other check', async () => {
    for (const [place, headers] of noGood.entries()) {
      const query = place % 2 === 0 ? '' : '?limit=0&$x=1'
      await expectError(await request(at('some') + query, { method, headers }), 401)
    }
  })

  test('is 400 for parameters that it does not take, all of them named', async () => {
    const { get, key, id } = await newOrganisation()
    const refused = takes('offset')
      ? {
          'limit=0': 'limit: must be a whole number from 1 to 250.',
          'limit=251': 'limit: must be a whole number from 1 to 250.',
          'limit=abc': 'limit: must be a whole number from 1 to 250.',
          'offset=-1': 'offset: must be a whole number of at least 0.',
          'limit=0&offset=-1':
            'limit: must be a whole number from 1 to 250. offset: must be a whole number of at least 0.',
          'a=1&a=1': 'a: may appear only once.',
        }
      : {
          ...(!takes('limit') && { 'limit=1': 'limit: is not a parameter of this route.' }),
          'offset=1': 'offset: is not a parameter of this route.',
          'a=1': 'a: is not a parameter of this route.',
        }
    const both = {
      '$x=1': '$x: is not a parameter of this route.',
      [`organisationId=${id}&organisationId=${id}`]: 'organisationId: may appear only once.',
    }
    for (const [query, message] of Object.entries({ ...refused, ...both })) {
      const given = takes('collection') ? `${query}&collection=events` : query
      const answer = await get(`${at(id)}?${given}`, { method, headers: { 'x-api-key': key } })
      await expectError(answer, 400, message)
    }
  })

  test.runIf(method === 'GET')('answers HEAD like GET without a body', async () => {
    const { get, key, id, schema } = await newOrganisation()
    await schema('members', [])
    const [whole, head] = [
      await get(at(id)),
      await get(at(id), { method: 'HEAD', headers: { 'x-api-key': key } }),
    ]
    expect([head.status, await head.text()]).toEqual([whole.status, ''])
    for (const answer of [whole, head]) expectHeaders(answer)
  })
})

describe.each([...new Set(routes.map(({ path }) => path))])('%s', (path) => {
  const at = (organisationId: string) => filled(path, organisationId)

  test('is 401 without a good key, also for a method that it does not have', async () => {
    for (const headers of noGood)
      await expectError(await request(at('some'), { method: 'PATCH', headers }), 401)
  })

  test("is 401 for another organisation's id, and good for one's own", async () => {
    const [{ get, id }, other] = [await newOrganisation(), await newOrganisation()]
    for (const query of [
      `?organisationId=${other.id}`,
      '?organisationId=',
      '?organisationId=x&a=1',
    ])
      await expectError(await get(at(id) + query), 401)
    await expectError(await get(`${at(id)}?organisationId=${id}&organisationId=${other.id}`), 401)
    const [plain, own] = [await get(at(id)), await get(`${at(id)}?organisationId=${id}`)]
    expect([own.status, await own.text()]).toEqual([plain.status, await plain.text()])
  })

  test('is 405 for any other method', async () => {
    const { get, key, id } = await newOrganisation()
    const allowed = routes.filter((route) => route.path === path).map((route) => route.method)
    for (const wrong of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
      if (allowed.includes(wrong)) continue
      const answer = await get(at(id), { method: wrong, headers: { 'x-api-key': key } })
      await expectError(answer, 405)
      const allow = answer.headers.get('Allow')?.split(', ')
      expect(allow).toEqual(expect.arrayContaining(allowed))
      expect(allow).not.toContain(wrong)
    }
  })
})

test('an unknown path is 404 with a key and 401 without', async () => {
  const { get } = await newOrganisation()
  for (const path of [
    '',
    '/',
    '/nowhere',
    '/members/',
    '/members/a/b',
    '/Members',
    '/events/a/b',
  ]) {
    await expectError(await get(path), 404, 'This path does not exist.')
    await expectError(await request(path), 401)
  }
})

test('the document needs no key, and is no less guarded otherwise', async () => {
  const answer = await request('/openapi.json')
  expect(answer.status).toBe(200)
  expectHeaders(answer)
  await expectError(await request('/openapi.json', { method: 'POST' }), 401)
})
