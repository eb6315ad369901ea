import { env, exports } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { lastMigrations, requiredTables } from '../../src/site/health.ts'
import { muteLog } from '../logs/mute.ts'
import { columnsOf } from '../store/columns.ts'

const get = (path: string) => exports.default.fetch(`https://api.test${path}`)

/** What /readyz answers with these bindings in place of the real ones. */
const readyz = (bindings: object) => app.request('/readyz', {}, { ...env, ...bindings })

test('a Worker that runs says so without credentials, and nothing else', async () => {
  const answer = await get('/healthz')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  expect(await answer.json()).toEqual({ status: 'ok' })
})

test('is ready with migrated databases and a working KV', async () => {
  const answer = await get('/readyz')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ status: 'ready' })
})

test('readiness asks for the last migration there is', () => {
  expect(lastMigrations.DB).toBe(env.TEST_MIGRATIONS.at(-1)?.name)
  expect(lastMigrations.GEOGRAPHY).toBe(env.TEST_GEOGRAPHY_MIGRATIONS.at(-1)?.name)
})

test.each(['DB', 'GEOGRAPHY'] as const)('readiness asks for every table of %s', async (name) => {
  const tables = new Set((await columnsOf(env[name])).map(({ table }) => table))
  expect(new Set(requiredTables[name])).toEqual(tables)
})

test('a database without the last migration is not ready', async () => {
  muteLog()
  // The other database has different migrations.
  const answer = await readyz({ DB: env.GEOGRAPHY })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toBe('10')
  expect(await answer.json()).toEqual({
    type: 'UNAVAILABLE',
    message: `DB lacks the migration ${lastMigrations.DB}.`,
  })
})

test('a database without a table is not ready', async () => {
  muteLog()
  const query = "SELECT sql FROM sqlite_master WHERE name = 'sent_mail'"
  const create = (await env.DB_2.prepare(query).first<string>('sql')) ?? ''
  await env.DB_2.exec('DROP TABLE sent_mail')
  const answer = await readyz({})
  await env.DB_2.prepare(create).run()
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ message: 'DB_2 lacks tables: sent_mail.' })
})

test('everything that is out of reach is named, without its cause', async () => {
  muteLog()
  const fails = () => {
    throw new Error('D1_ERROR: Network connection lost to db-4711')
  }
  const answer = await readyz({
    DB: { prepare: fails },
    DB_1: { prepare: fails },
    GEOGRAPHY: { prepare: fails },
    KEYS: { get: async () => fails() },
  })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toEqual({
    type: 'UNAVAILABLE',
    message:
      'DB is out of reach. DB_1 is out of reach. GEOGRAPHY is out of reach. KEYS is out of reach.',
  })
})

test('a database that was never migrated says so', async () => {
  muteLog()
  const prepare = () => {
    throw new Error('D1_ERROR: no such table: d1_migrations: SQLITE_ERROR')
  }
  const answer = await readyz({ GEOGRAPHY: { prepare } })
  expect(await answer.json()).toMatchObject({ message: 'GEOGRAPHY has no migrations.' })
})

test('readiness is looked into once in a while, and counted against the address', async () => {
  const reads = vi.spyOn(env.DB, 'prepare')
  const bindings = { ...env }
  const ask = (bindings: object) => app.request('/readyz', {}, bindings)
  for (const _ of [1, 2, 3]) expect((await ask(bindings)).status).toBe(200)
  expect(reads).toHaveBeenCalledTimes(1)
  const LIMIT_FAILURES_BY_ADDRESS: RateLimit = { limit: async () => ({ success: false }) }
  expect((await ask({ ...env, LIMIT_FAILURES_BY_ADDRESS })).status).toBe(429)
  expect(reads).toHaveBeenCalledTimes(1)
  reads.mockRestore()
})
