import { env, exports } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { createKey } from '../src/admin/keys.ts'
import { app } from '../src/app.ts'
import { addUser, type Role } from '../src/auth/memberships.ts'
import type { Kind } from '../src/model/properties/schema.ts'
import { organisations, schemas } from '../src/store/tables.ts'
import { putRecords } from '../src/store/write/put.ts'

export const base = 'https://api.test/api/v1'

let count = 0

/** Creates an organisation with a key, and functions to send requests with it. */
export async function newOrganisation() {
  const id = `org-${++count}-${crypto.randomUUID().slice(0, 8)}`
  await drizzle(env.DB)
    .insert(organisations)
    .values({ id, name: `Organisation ${count}`, created: '2025-01-01T00:00:00.000Z' })
  const { key, id: keyId } = await createKey(env, id, 'test', 'a test')
  const get = (path: string, init?: RequestInit) =>
    request(path, { headers: { 'x-api-key': key }, ...init })
  return {
    id,
    key,
    keyId,
    /** The key and an actor, as administration functions take them. */
    act: { organisationId: id, id: keyId, by: 'a test' },
    get,
    add: (email: string, role: Role = 'editor') =>
      addUser(env.DB, { organisationId: id, email, role, by: 'a test' }),
    json: async <Body = Record<string, unknown>>(path: string) => (await get(path)).json<Body>(),
    put: (collection: string, records: { id: string; document: object }[]) =>
      putRecords(
        env.DB,
        id,
        collection,
        records.map(({ id, document }) => ({ id, document: JSON.stringify(document) })),
      ),
    schema: (kind: Kind, fields: object[], name = 'A Schema') =>
      drizzle(env.DB)
        .insert(schemas)
        .values({ organisationId: id, kind, name, fields: JSON.stringify(fields) }),
  }
}

/** Sends a request to the API from a new address, since failures are counted by address. */
export function request(path: string, init?: RequestInit) {
  const sent = new Request(base + path, init)
  if (!sent.headers.has('CF-Connecting-IP')) {
    sent.headers.set('CF-Connecting-IP', crypto.randomUUID())
  }
  return exports.default.fetch(sent)
}

/** Sends a request while the database answers every statement with this error. */
export const requestWithoutDatabase = (path: string, key: string, fault: string) => {
  const prepare = () => {
    throw errorOfD1(fault)
  }
  const DB: D1Database = Object.create(env.DB, { prepare: { value: prepare } })
  return app.request(base + path, { headers: { 'x-api-key': key } }, { ...env, DB })
}

/** An error as D1 throws it: its cause has the message without the prefix. */
export const errorOfD1 = (message: string) =>
  new Error(`D1_ERROR: ${message}`, { cause: new Error(message) })

/** The number of rows read in a response's Server-Timing. */
export const rowsRead = (answer: Response) =>
  Number(/desc="(\d+) rows read"/.exec(answer.headers.get('Server-Timing') ?? '')?.[1])

/** Sends a request with a key that has reached its rate limit. */
export const requestBeyondLimit = (path: string, key: string) => {
  const LIMIT_BY_CREDENTIAL: RateLimit = { limit: async () => ({ success: false }) }
  return app.request(
    base + path,
    { headers: { 'x-api-key': key } },
    { ...env, LIMIT_BY_CREDENTIAL },
  )
}
