import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, expect } from 'vitest'
import { flushKeyUse } from '../src/auth/key-use.ts'
import { everything } from './examples/everything.ts'
import { fields } from './examples/people.ts'
import { findLeaks, textsIn } from './logs/leaks.ts'
import { takeRecorded } from './logs/watch.ts'
import { loadMainOnce } from './main-module.ts'
import { isMigrated, migrateEmpty } from './migrations/migrate-empty.ts'

const examples = textsIn([everything, fields])

const databases = [env.DB, env.DB_1, env.DB_2]

/** Tests that search the whole database take longer the larger it is. */
const maxDatabaseBytes = 4_000_000

loadMainOnce()

// The files of a process share its databases.
if (!(await isMigrated(env.GEOGRAPHY))) await migrate()

// Every test file also tests that its log leaks nothing.
afterAll(async () => {
  const { lines, texts } = takeRecorded()
  expect(
    findLeaks(lines, [...examples, ...texts]),
    'log lines with values of a record or request',
  ).toEqual([])
  // Counts that a later file would write, perhaps to another database.
  await flushKeyUse(env, Number.NEGATIVE_INFINITY)
  const sizes = await Promise.all(
    databases.map(async (database) => (await database.prepare('SELECT 1').run()).meta.size_after),
  )
  if (Math.max(...sizes) > maxDatabaseBytes) {
    await reset()
    await migrate()
  }
})

async function migrate() {
  for (const database of databases) await migrateEmpty(database, env.TEST_MIGRATIONS)
  await migrateEmpty(env.GEOGRAPHY, env.TEST_GEOGRAPHY_MIGRATIONS)
}
