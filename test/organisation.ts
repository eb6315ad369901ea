import { env, exports } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Role } from '../src/access/roles.ts'
import { addUser } from '../src/admin/users.ts'
import { app } from '../src/app.ts'
import type { Kind } from '../src/model/properties/schema.ts'
import type { DatabaseName } from '../src/platform/bindings.ts'
import { statement } from '../src/store/statement.ts'
import { organisations, schemas } from '../src/store/tables.ts'
import { putDocuments } from '../src/store/write/put.ts'
import { errorOfD1 } from './faults/d1-error.ts'
import { createKey } from './keys.ts'

export const base = 'https://api.test/api/v1'

/** The databases of the tests. */
export type TestDatabase = 'DB' | 'DB_1' | 'DB_2'

let count = 0

/**
 * Returns an id that sorts after those of all earlier organisations. A query also reads the row behind the last
 * one of an index range, so the records of earlier tests must be elsewhere.
 */
const nextId = () => `z-${String(++count).padStart(6, '0')}-${crypto.randomUUID().slice(0, 8)}`

/**
 * Creates an organisation in a database, with a key, schemas of every person kind with these fields, if any, and
 * functions to send requests.
 */
export async function newOrganisation(
  personFields: object[] | null = null,
  database: TestDatabase = 'DB',
) {
  const id = nextId()
  const storage = { ...env, DB: env[database] }
  const db = drizzle(storage.DB)
  const insertSchemas = (chosenKinds: readonly Kind[], schemaFields: object[], name = 'A Schema') =>
    db.insert(schemas).values(
      chosenKinds.map((kind) => ({
        organisationId: id,
        kind,
        name,
        fields: JSON.stringify(schemaFields),
      })),
    )
  const created = '2025-01-01T00:00:00.000Z'
  const organisation = { id, name: `Organisation ${count}`, created }
  if (database !== 'DB')
    await drizzle(env.DB)
      .insert(organisations)
      .values({ ...organisation, database })
  const insertion = db.insert(organisations).values(organisation)
  if (personFields)
    await db.batch([insertion, insertSchemas(['members', 'volunteers', 'partners'], personFields)])
  else await insertion
  const { key, id: keyId } = await createKey(storage, id, 'test', 'a test')
  const get = (path: string, init?: RequestInit) =>
    request(path, { headers: { 'x-api-key': key }, ...init })
  return {
    id,
    /** The bindings with the organisation's database as `DB`, as administration functions take them. */
    storage,
    key,
    keyId,
    /** The key and an actor, as administration functions take them. */
    act: { organisationId: id, id: keyId, by: 'a test' },
    get,
    add: (email: string, role: Role = 'editor') =>
      addUser(env.DB, { organisationId: id, email, role, by: 'a test' }),
    json: async <Body = Record<string, unknown>>(path: string) => (await get(path)).json<Body>(),
    put: (collection: string, records: readonly NewRecord[]) =>
      insertRecords(storage.DB, id, collection, records).run(),
    /** Puts one record of each collection in one call, which is faster. */
    putEach: (records: readonly (readonly [collection: string, record: NewRecord])[]) =>
      storage.DB.batch(
        records.map(([collection, record]) => insertRecords(storage.DB, id, collection, [record])),
      ),
    schema: (kind: Kind, fields: object[], name?: string) => insertSchemas([kind], fields, name),
  }
}

/** Notes in `DB` that an organisation of it is being moved, or no longer. */
export const setMovingTo = (id: string, movingTo: DatabaseName | null) =>
  drizzle(env.DB).update(organisations).set({ movingTo }).where(eq(organisations.id, id))

type NewRecord = { id: string; document: object }

const insertRecords = (
  d1: D1Database,
  organisationId: string,
  collection: string,
  records: readonly NewRecord[],
) =>
  statement(
    d1,
    putDocuments(
      { organisationId, collection },
      records.map(({ id, document }) => ({ id, document: JSON.stringify(document) })),
    ),
  )

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

/** The number of rows read in a response's Server-Timing. */
export const rowsRead = (answer: Response) =>
  Number(/desc="(\d+) rows read"/.exec(answer.headers.get('Server-Timing') ?? '')?.[1])

/** Sends a request with a key that has reached its rate limit. */
export const requestBeyondLimit = (path: string, key: string, headers = {}) => {
  const LIMIT_BY_CREDENTIAL: RateLimit = { limit: async () => ({ success: false }) }
  return app.request(
    base + path,
    { headers: { 'x-api-key': key, ...headers } },
    { ...env, LIMIT_BY_CREDENTIAL },
  )
}
