import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { everything } from '../examples/everything.ts'
import { requestWith } from '../faults/failing-database.ts'
import { expectOrganisationIndex } from '../store/whole-index.ts'
import { changeRecords, writeGeography, writeRecords } from './content.ts'
import { type Content, lacking, read, readAsTexts, tablesOf, write } from './rows.ts'

const { TEST_MIGRATIONS: migrations, TEST_GEOGRAPHY_MIGRATIONS: geographyMigrations } = env

/** The last migration of the first schema: later migrations must keep the data of this version and all later ones. */
const firstSchema = '0007_imports_and_retention.sql'

/** The versions to migrate from: the name of the last migration, and the number of migrations. */
const allVersions = migrations
  .map(({ name }, index) => [name, index + 1] as const)
  .slice(
    migrations.findIndex(({ name }) => name === firstSchema),
    -1,
  )

/** A new migration comes to the most rows from the latest version, and after the most migrations from the first. */
const versions =
  env.TEST_RUNS > 1 ? allVersions : [...allVersions.slice(0, 1), ...allVersions.slice(-1)]

/** Returns the database bound for the last of these migrations, with all of them applied. */
async function createDatabase(migrations: D1Migration[]): Promise<D1Database> {
  const [last] = migrations.slice(-1)
  // Every migration has a name of this form, and a database bound by it.
  const db = env[last?.name as `${number}_${string}.sql`]
  if (!db) throw new Error('vitest.config.ts binds no database of this name.')
  await applyD1Migrations(db, migrations)
  return db
}

/** Expects a value in every column, so that the tests notice every value that a migration loses. */
async function expectFull(db: D1Database, content: Content) {
  const empty = [...(await tablesOf(db))].flatMap(([table, columns]) =>
    columns
      .filter((column) => !content.get(table)?.some((row) => row[column] !== null))
      .map((column) => `${table}.${column}`),
  )
  expect(empty, 'test/migrations/content.ts must write a value here').toEqual([])
}

/** Applies the missing migrations to a database and expects the same values as before. */
async function migrate(db: D1Database, migrations: D1Migration[]) {
  const tables = await tablesOf(db)
  const before = await readAsTexts(db, tables)
  await applyD1Migrations(db, migrations)
  const after = await readAsTexts(db, tables)
  expect(lacking(before, after), 'lost').toEqual([])
  expect(lacking(after, before), 'added').toEqual([])
}

describe('records', () => {
  let latest: D1Database
  let content: Content
  let keys: Map<string, string>
  const expected = new Map<string, Awaited<ReturnType<typeof fetchLists>>>()

  beforeAll(async () => {
    latest = await createDatabase(migrations)
    // A webhook that was never delivered is disabled.
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    keys = await writeRecords(latest)
    warnings.mockRestore()
    content = await read(latest, await tablesOf(latest))
    await changeRecords(latest)
    for (const [id, key] of keys) expected.set(id, await fetchLists(latest, id, key))
  }, 60_000)

  test('every column has data, and every list answers', async () => {
    await expectFull(latest, content)
    for (const id of keys.keys()) await expectOrganisationIndex(id, latest)
    const statuses = [...expected.values()].flat().map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test.each(versions)('the migrations after %s keep every value and answer', async (_, count) => {
    const db = await createDatabase(migrations.slice(0, count))
    await write(db, content)
    await changeRecords(db)
    await migrate(db, migrations)
    for (const [id, key] of keys) {
      await expectOrganisationIndex(id, db)
      expect(await fetchLists(db, id, key)).toEqual(expected.get(id))
    }
    await changeRecords(db, 2)
    for (const id of keys.keys()) await expectOrganisationIndex(id, db)
  })
})

describe('the directory', () => {
  let latest: D1Database
  let content: Content

  beforeAll(async () => {
    latest = await createDatabase(geographyMigrations)
    await writeGeography(latest)
    content = await read(latest, await tablesOf(latest))
  })

  test('every column has data', () => expectFull(latest, content))

  test.each(geographyMigrations.slice(0, -1).map(({ name }, index) => [name, index + 1] as const))(
    'the migrations after %s keep every value',
    async (_, count) => {
      const db = await createDatabase(geographyMigrations.slice(0, count))
      await write(db, content)
      await migrate(db, geographyMigrations)
      const tables = await tablesOf(db)
      expect(await read(db, tables)).toEqual(await read(latest, tables))
    },
  )
})

/** Returns the answers to an organisation's lists: all records of every collection, and those of a filter. */
async function fetchLists(DB: D1Database, id: string, key = '') {
  const queries = ['limit=250', 'consent=true&changed=1&limit=1']
  const lists = Object.keys(everything).flatMap((name) => queries.map((it) => `/${name}?${it}`))
  const requests = [...lists, `/schemas/${id}`].map(async (path) => {
    const answer = await requestWith({ DB }, path, { headers: { 'x-api-key': key } })
    return { path, status: answer.status, body: await answer.text() }
  })
  return Promise.all(requests)
}
