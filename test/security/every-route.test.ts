import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  categoryProperties,
  type FieldCategory,
  fieldCategories,
} from '../../src/access/field-categories.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { newPerson } from '../auth/identity.ts'
import { everything } from '../examples/everything.ts'
import { readDocument } from '../http/openapi-document.ts'
import { createKey, revokeKey } from '../keys.ts'
import { newOrganisation, request } from '../organisation.ts'
import { newWriter, putExamples } from '../resources/writing.ts'
import { queryRows } from '../store/index-of-database.ts'
import {
  collectionOf,
  pathOf,
  type Route,
  routes,
  succeedsOnce,
  type TestRequest,
  validRequest,
} from './requests.ts'

type Headers = Record<string, string>

async function newFilledWriter() {
  const writer = await newWriter()
  await putExamples(writer)
  return writer
}

const [own, other] = [await newFilledWriter(), await newWriter()]

/** The other organisations: one in the same database, one in another. */
const others = [other, await newWriter(undefined, 'DB_1')]

/** A text in every record of the other organisations. */
const secret = 'Xylophonia'
for (const [collection, { id, document }] of Object.entries(everything)) {
  const text = JSON.stringify({ ...document, secret }).replaceAll(`"${id}"`, '"theirs"')
  const marked = text.replaceAll(/("(?:name|title|content|Full Name)":")/g, `$1${secret}`)
  for (const { put } of others)
    await put(collection, [{ id: 'theirs', document: JSON.parse(marked) }])
}

/** Everything stored for the other organisations. */
const readOthers = () =>
  Promise.all(
    [
      'SELECT * FROM records WHERE organisation_id = ? ORDER BY row',
      'SELECT * FROM terms WHERE organisation_id = ? ORDER BY id',
      'SELECT * FROM deletions WHERE organisation_id = ?',
      'SELECT * FROM organisations WHERE id = ?',
    ].flatMap((query) => others.map(({ id, storage }) => queryRows(storage.DB, query, id))),
  )

function keyHeader(key: string): Headers {
  return { 'x-api-key': key }
}

const newKey = async (permissions: string[], hideFields?: readonly string[]): Promise<Headers> => {
  const { key } = await createKey(env, own.id, 'a', 'a test', undefined, permissions, {
    hideFields,
  })
  return keyHeader(key)
}

const keys = new Map<string, Promise<Headers>>()

/** The key with these permissions. */
function keyWith(...permissions: string[]): Promise<Headers> {
  const name = permissions.join()
  const key = keys.get(name) ?? newKey(permissions)
  keys.set(name, key)
  return key
}

const allPermissions = ['read', 'create-members', 'write']
const fullKey = await newKey([...allPermissions, 'manage-webhooks'])
const fieldsHidden = await newKey(allPermissions, fieldCategories)

async function newUser(role: 'admin' | 'reader', { add }: Pick<typeof own, 'add'>) {
  const person = newPerson()
  await add(person.email, role)
  return { Authorization: `Bearer ${await person.token()}` }
}

const administrator = await newUser('admin', own)
const reader = await newUser('reader', own)
const stranger = await newUser('admin', other)

const othersBefore = await readOthers()

const revoked = await newOrganisation()
await revokeKey(env.DB, revoked.act)

/** No key, an unknown and a revoked one, and an invalid token: each route is tried with one of them in turn. */
const rejectedCredentials: Headers[] = [
  {},
  ...[generateApiKey(), revoked.key].map(keyHeader),
  { Authorization: `Bearer ${own.key}` },
]

/** Whether only keys have the permission for a route: administrators manage webhooks on the dashboard. */
const isForKeys = ({ path }: Pick<Route, 'path'>) => path.startsWith('/webhooks')

/** The permissions of which each route needs one. */
const permissionsFor = ({ method, path }: Route) => {
  if (path === '/me') return allPermissions
  if (path.startsWith('/schemas')) return ['read', 'create-members', 'write']
  if (path.startsWith('/imports')) return ['write']
  if (isForKeys({ path })) return ['manage-webhooks']
  if (method === 'GET') return ['read']
  // `write` includes `create-members`.
  return `${method} ${path}` === 'POST /members' ? ['create-members', 'write'] : ['write']
}

/** All of these in a long run, and otherwise one of them, another for each route. */
const inTurn = <Item>(items: readonly Item[], turn: number): readonly Item[] =>
  env.TEST_RUNS > 1 ? items : items.filter((_, index) => index === turn % items.length)

const send = ({ method, path, body }: TestRequest, headers: Headers, query = '') =>
  request(query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })

const errors = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
}

async function expectError(response: Response, status: keyof typeof errors, message?: string) {
  expect([response.status, await response.json()]).toEqual([
    status,
    { type: errors[status], message: message ?? expect.any(String) },
  ])
  expectHeaders(response)
}

function expectHeaders({ headers }: Response) {
  expect(headers.get('Content-Type')).toBe('application/json')
  expect([headers.get('Cache-Control'), headers.get('Vary')]).toEqual(
    headers.has('ETag')
      ? ['private, no-cache', 'x-api-key, Authorization, Accept, Prefer, Origin']
      : ['private, no-store', null],
  )
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains')
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
}

// The key of the Cache API ignores credentials, so one client could receive another's response.
const watchCache = () => [
  ...(['match', 'put', 'delete'] as const).map((name) => vi.spyOn(Cache.prototype, name)),
  vi.spyOn(CacheStorage.prototype, 'open'),
]
beforeEach(() => void watchCache())
afterEach(() => {
  for (const spy of watchCache()) {
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  }
})

test('every documented operation is a route, and the other way round', async () => {
  const { paths } = await readDocument()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/, ':$1')}`,
    ),
  )
  const described = routes.map(({ method, path, contract }) =>
    contract.sharedTag
      ? `${method} ${path.replace(/^\/[^/]+/, '/:collection').replace(/:\w+Id/, '{id}')}`
      : `${method} ${path}`,
  )
  expect(operations.toSorted()).toEqual([...new Set(described)].toSorted())
})

const largeBody = `{"name":"${'a'.repeat(1 << 20)}"}`

describe.each(routes)('$method $path', (route) => {
  const { method, path, contract } = route
  const turn = routes.indexOf(route)
  const at = (organisationId = own.id) => pathOf(route, organisationId, 'nowhere')
  const takes = (name: string) => name in contract.query.parameters
  const withBody = { method, ...(method !== 'GET' && { body: '{}' }) }

  test('accepts keys and users with the permission, and no others', async () => {
    const writer = succeedsOnce(route) ? await newFilledWriter() : own
    const valid = await validRequest(route, writer)
    const sufficient = permissionsFor(route)
    // A write may return the record.
    const isForReaders = method === 'GET' && !path.startsWith('/imports') && !isForKeys(route)
    const admitsReaders = isForReaders && !path.endsWith('/$everything')
    const sufficientKeys = await Promise.all(
      sufficient.map((one) => (isForReaders ? keyWith(one) : keyWith('read', one))),
    )
    const others = allPermissions.filter((one) => !sufficient.includes(one))
    const organisationQuery = `organisationId=${own.id}`
    const isOrganisationInPath = method === 'GET' && /^\/(schemas|members)\/:/.test(path)

    if (others.length > 0) await expectError(await send(valid, await keyWith(...others)), 403)
    if (!admitsReaders) await expectError(await send(valid, reader, organisationQuery), 403)
    await expectError(await send(valid, { ...fullKey, ...administrator }, organisationQuery), 400)
    if (!isOrganisationInPath) await expectError(await send(valid, administrator), 400)
    await expectError(await send(valid, stranger, organisationQuery), 401)

    const credentials: [Headers, string?][] = succeedsOnce(route)
      ? [[{ 'x-api-key': writer.key }]]
      : [
          ...inTurn(sufficientKeys, turn).map((headers): [Headers] => [headers]),
          ...inTurn<[Headers, string]>(
            [
              [fullKey, contract.organisation === 'body' ? '' : organisationQuery],
              ...(isForKeys(route)
                ? []
                : [[administrator, organisationQuery] as [Headers, string]]),
              ...(admitsReaders ? [[reader, organisationQuery] as [Headers, string]] : []),
            ],
            turn,
          ),
        ]
    for (const [headers, query] of credentials)
      expect((await send(valid, headers, query)).status).toBe(
        { DELETE: 204, POST: 201 in (await contract.responses()) ? 201 : 200 }[method] ?? 200,
      )
  })

  test('is 401 without valid credentials, before any other check', async () => {
    const headers = rejectedCredentials[turn % rejectedCredentials.length]
    await expectError(
      await send({ ...withBody, path: at('some') }, headers ?? {}, 'limit=0&$x=1'),
      401,
    )
  })

  test("rejects a key with another organisation's id in the query", async () => {
    const status = contract.organisation === 'body' ? 400 : 401
    const queries = [`organisationId=${other.id}`, 'organisationId=', 'organisationId=x&a=1']
    for (const query of inTurn(queries, turn))
      await expectError(await send({ ...withBody, path: at() }, fullKey, query), status)
  })

  test('shows nothing of another organisation', async () => {
    const valid = await validRequest(route, own)
    const isRecord = path.includes(':')
    // The contract answers 403 for a member.
    const target = isRecord ? { ...valid, path: pathOf(route, other.id, 'theirs') } : valid
    const response = await send(target, fullKey)
    const text = await response.text()
    const status = path.startsWith('/schemas')
      ? 401
      : `${method} ${path}`.startsWith('GET /members')
        ? 403
        : 404
    if (isRecord && method !== 'PUT') expect(response.status).toBe(status)
    if (response.status === 404) expect(text).toMatch(/There is no [a-z ]+ with this \w+Id\./)
    expect(text).not.toContain(secret)
    for (const { id } of others) expect(text).not.toContain(id)
  })

  test.runIf(!succeedsOnce(route))('hides fields', async () => {
    const valid = await validRequest(route, own)
    const query = path === '/changes' ? '$include=records' : ''
    const text = await (await send(valid, fieldsHidden, query)).text()
    expect(hiddenTexts.filter((hidden) => text.includes(hidden))).toEqual([])
  })

  test('is 400 for parameters that it does not take, all of them named', async () => {
    // Where records are filtered, any other name is a filter.
    const names = ['limit', 'offset', '$x', ...(takes('$filter') ? [] : ['a'])]
    const foreign = names.filter((name) => !takes(name))
    const unknown: Record<string, string> = takes('offset')
      ? {
          'limit=251': 'limit: must be a whole number from 1 to 250.',
          'limit=abc': 'limit: must be a whole number from 1 to 250.',
          'limit=0&offset=-1':
            'limit: must be a whole number from 1 to 250. offset: must be a whole number of at least 0.',
          'a=1&a=1': 'a: may appear only once.',
          '$x=1': '$x: is not a parameter of this route.',
        }
      : {
          [foreign.map((name) => `${name}=1`).join('&')]: foreign
            .map((name) => `${name}: is not a parameter of this route.`)
            .join(' '),
        }
    const repeated = {
      [`organisationId=${own.id}&organisationId=${own.id}`]:
        'organisationId: may appear only once.',
    }
    for (const [query, message] of inTurn(Object.entries({ ...unknown, ...repeated }), turn))
      await expectError(await send({ method, path: at() }, fullKey, query), 400, message)
  })

  test.runIf(method === 'GET')('answers HEAD like GET without a body', async () => {
    const responses = [
      await send({ method, path: at() }, fullKey),
      await send({ method: 'HEAD', path: at() }, fullKey),
    ]
    expect([responses[1]?.status, await responses[1]?.text()]).toEqual([responses[0]?.status, ''])
    for (const response of responses) expectHeaders(response)
  })

  test.runIf(contract.body ?? contract.input)('is 413 for a body over 1 MiB', async () => {
    await expectError(await send({ method, path: at(), body: largeBody }, fullKey), 413)
  })
})

const peopleFields = { names: 'Full Name', phone: 'Phone', postcode: 'Postcode' }

/** The fields of a collection that hold values and belong to a category. */
const hiddenFields = (collection: string) =>
  fieldCategories.flatMap((category: FieldCategory) => {
    const { document = {} } = everything[collection] ?? {}
    const paths = [
      ...(categoryProperties[category][collection] ?? []),
      ...Object.entries(peopleFields).flatMap(([name, id]) => (name === category ? [id] : [])),
    ]
    return paths.flatMap((path) => {
      const value = (path === 'Full Name' ? [path] : path.split('.')).reduce<unknown>(
        (inner, name) => (inner as Record<string, unknown> | undefined)?.[name],
        document,
      )
      return typeof value === 'string' && value.length > 5 ? [[path, value] as const] : []
    })
  })

/** The values that only these fields contain. */
const hiddenTexts = Object.entries(everything).flatMap(([name, { document }]) =>
  hiddenFields(name)
    .map(([, value]) => value)
    .filter((value) => JSON.stringify(document).split(value).length === 2),
)

const lists = routes.filter(({ method, path }) => method === 'GET' && path.slice(1) in everything)

test.each(lists)('$path cannot be filtered by a hidden field', async (route) => {
  const collection = collectionOf(route)
  const id = everything[collection]?.id ?? ''
  for (const [field, value] of hiddenFields(collection)) {
    const query = new URLSearchParams({ [field]: value }).toString()
    const get = { method: 'GET', path: route.path }
    const [unrestricted, hidden] = [
      await send(get, fullKey, query),
      await send(get, fieldsHidden, query),
    ]
    expect([field, (await unrestricted.text()).includes(id)]).toEqual([field, true])
    expect([field, hidden.headers.get('Warning')]).toEqual([
      field,
      expect.stringContaining('Unknown filter'),
    ])
    expect((await hidden.text()).includes(id)).toBe(false)
  }
})

const paths = [...new Set(routes.map(({ path }) => path))]

describe.each(paths)('%s', (path) => {
  const onPath = routes.filter((route) => route.path === path)
  const at = onPath[0] ? pathOf(onPath[0], own.id, 'nowhere') : ''

  test('is 405 for any other method, and 401 without a key', async () => {
    const allowed = onPath.map(({ method }) => method)
    const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']
    const others = known.filter((method) => !allowed.includes(method))
    for (const method of inTurn(others, paths.indexOf(path))) {
      await expectError(await send({ method, path: at }, {}), 401)
      const response = await send({ method, path: at }, fullKey)
      await expectError(response, 405)
      const allow = response.headers.get('Allow')?.split(', ')
      expect(allow).toEqual(expect.arrayContaining(allowed))
      expect(allow).not.toContain(method)
    }
  })
})

test('no request above has changed another organisation', async () => {
  expect(await readOthers()).toEqual(othersBefore)
})

test('an unknown path is 404 with a key and 401 without', async () => {
  for (const path of [
    '',
    '/',
    '/nowhere',
    '/members/',
    '/members/a/b',
    '/Members',
    '/events/a/b',
  ]) {
    await expectError(
      await send({ method: 'GET', path }, fullKey),
      404,
      'This path does not exist.',
    )
    await expectError(await send({ method: 'GET', path }, {}), 401)
  }
})

test('only GET /openapi.json needs no key', async () => {
  const response = await request('/openapi.json')
  expect(response.status).toBe(200)
  expectHeaders(response)
  await expectError(await request('/openapi.json', { method: 'POST' }), 401)
})
