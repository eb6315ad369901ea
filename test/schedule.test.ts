import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import type { DatabaseName } from '../src/platform/bindings.ts'
import { runSchedule } from '../src/schedule.ts'
import { openDatabase } from '../src/store/databases.ts'
import { readSize } from '../src/store/sizes.ts'
import { errorOfD1 } from './faults/d1-error.ts'
import { wrapDatabase } from './faults/failing-database.ts'
import { newOrganisation, setMovingTo } from './organisation.ts'

const now = Date.parse('2031-01-01')

const databases = ['DB', 'DB_1', 'DB_2'] as const

/** Uses of keys and counts of messages, so old that the schedule deletes them, in every database. */
async function putOldRows() {
  for (const name of databases) {
    const { id, storage } = await newOrganisation(null, name)
    await storage.DB.exec(
      `INSERT INTO key_usage VALUES ('${id}', '2001-01-01', 'k', 'events', 1, 1, 1)`,
    )
    await storage.DB.exec("INSERT INTO sent_mail VALUES ('2001-01-01', 'a', 1)")
  }
}

/** The databases that still have old rows of each table. */
async function remaining() {
  const having = async (table: string) => {
    const found: DatabaseName[] = []
    for (const name of databases) {
      const query = `SELECT 1 FROM ${table} WHERE day = '2001-01-01'`
      if (await openDatabase(env, name).prepare(query).first()) found.push(name)
    }
    return found
  }
  return { usage: await having('key_usage'), messages: await having('sent_mail') }
}

const logged: string[] = []

function watchLog() {
  vi.spyOn(console, 'error').mockImplementation((line: string) => void logged.push(line))
}

afterEach(() => {
  logged.length = 0
  vi.restoreAllMocks()
})

test('the schedule works in every database', async () => {
  await putOldRows()
  await runSchedule(env, now)
  expect(await remaining()).toEqual({ usage: [], messages: [] })
})

test('a failed task is logged and does not stop the others', async () => {
  watchLog()
  await putOldRows()
  const prepare = (sql: string) => {
    if (sql.includes('CROSS JOIN webhook_attempts')) throw errorOfD1('a failure')
    return env.DB.prepare(sql)
  }
  await runSchedule({ ...env, DB: Object.create(env.DB, { prepare: { value: prepare } }) }, now)
  expect(await remaining()).toEqual({ usage: [], messages: [] })
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { task: 'attempts', database: 'DB', databaseError: 'D1_ERROR: a failure' },
  ])
})

test.each([0, 1, 2])('a failed database does not stop the others, in turn %i', async (turn) => {
  watchLog()
  await putOldRows()
  const { add } = await newOrganisation(null, 'DB_1')
  await add('somebody@example.org')
  const DB_1 = wrapDatabase(env.DB_1, () => Promise.reject(errorOfD1('a failure')))
  await runSchedule({ ...env, DB_1 }, now + turn * 60_000)
  expect(await remaining()).toEqual({ usage: ['DB_1'], messages: ['DB_1'] })
  expect(logged.map((line) => JSON.parse(line).task)).toEqual([
    'auditLog',
    'maintenance',
    'signUps',
    'mailings',
  ])
  await runSchedule(env, now)
})

test('the schedule measures organisations in every database', async () => {
  for (const name of databases) {
    const { id, storage } = await newOrganisation(null, name)
    await storage.DB.exec(`UPDATE organisations SET measured = '9999' WHERE id <> '${id}'`)
    await runSchedule(env, now)
    expect(await readSize(storage.DB, id)).toMatchObject({ measured: new Date(now).toISOString() })
  }
})

test('a database that is nearly full is logged', async () => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const prepare = (sql: string) => {
    const statement = env.DB_1.prepare(sql)
    if (!sql.includes('moving_to')) return statement
    const all = async () => ({ ...(await statement.all()), meta: { size_after: 9_000_000_000 } })
    return Object.create(statement, { all: { value: all } })
  }
  const DB_1: D1Database = Object.create(env.DB_1, { prepare: { value: prepare } })
  await runSchedule({ ...env, DB_1 }, now)
  expect(warnings.mock.calls.map(([line]) => JSON.parse(line))).toEqual([
    { event: 'database-size', database: 'DB_1', sizeBytes: 9_000_000_000, percent: 90 },
  ])
})

test('while an organisation moves, maintenance of both its databases waits, and nothing else', async () => {
  const { id } = await newOrganisation()
  await setMovingTo(id, 'DB_1')
  await putOldRows()
  await runSchedule(env, now)
  expect(await remaining()).toEqual({ usage: ['DB', 'DB_1'], messages: [] })
  await setMovingTo(id, null)
  await runSchedule(env, now)
  expect(await remaining()).toEqual({ usage: [], messages: [] })
})
