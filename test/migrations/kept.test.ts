import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../examples/everything.ts'
import { requestWith } from '../faults/faulty.ts'
import { expectIndexed } from '../store/whole-index.ts'
import { changeRecords, large, writeGeography, writeRecords } from './content.ts'
import { type Content, lacking, read, readAsTexts, tablesOf, without, write } from './rows.ts'

const { TEST_MIGRATIONS: migrations, TEST_GEOGRAPHY_MIGRATIONS: geographyMigrations } = env

/** A database of the version of the last of these migrations. */
async function ofVersion(migrations: D1Migration[]): Promise<D1Database> {
  const [last] = migrations.slice(-1)
  // Every migration has a name of this form, and a database bound by it.
  const db = env[last?.name as `${number}_${string}.sql`]
  if (!db) throw new Error('vitest.config.ts binds no database of this name.')
  await applyD1Migrations(db, migrations)
  return db
}

/** Expects that a database holds something everywhere, so that a migration cannot lose what no test has. */
async function expectFull(db: D1Database, content: Content) {
  const empty = [...(await tablesOf(db))].flatMap(([table, columns]) =>
    columns
      .filter((column) => !content.get(table)?.some((row) => row[column] !== null))
      .map((column) => `${table}.${column}`),
  )
  expect(empty, 'test/migrations/content.ts must write a value here').toEqual([])
}

/** Brings a database to the last version, and expects that to keep every value there is and to make no more of them. */
async function migrate(db: D1Database, migrations: D1Migration[]) {
  const tables = await tablesOf(db)
  const columns = tables.get('records') ?? []
  // Versions are given by the migrations after the one that makes their columns.
  if (columns.includes('first_version') && (await isUnversioned(db))) {
    const others = columns.filter((name) => !['version', 'first_version'].includes(name))
    tables.set('records', others)
  }
  const before = await readAsTexts(db, tables)
  await applyD1Migrations(db, migrations)
  const after = await readAsTexts(db, tables)
  expect(lacking(before, after), 'lost').toEqual([])
  expect(lacking(after, before), 'made').toEqual([])
}

const isUnversioned = async (db: D1Database) =>
  (await db.prepare('SELECT 1 FROM records WHERE first_version = 0').first()) !== null

describe('records', () => {
  let latest: D1Database
  let content: Content
  let keys: Map<string, string>
  const expected = new Map<string, Awaited<ReturnType<typeof answers>>>()

  beforeAll(async () => {
    latest = await ofVersion(migrations)
    keys = await writeRecords(latest)
    content = await read(latest, await tablesOf(latest))
    await changeRecords(latest)
    for (const [id, key] of keys) expected.set(id, await answers(latest, id, key))
  }, 120_000)

  test('there is data for every column, and it is answered', async () => {
    await expectFull(latest, content)
    const statuses = [...expected.values()].flat().map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  // Of migrations that fill alike, a database that stops after the first stands for all.
  const begun = migrations
    .slice(0, -1)
    .map(({ name }, place) => [name, place + 1] as const)
    .filter(([name]) => !/_filled_[2-9]/.test(name))
  test.each(begun)(
    'what a database of %s holds is kept, found and counted after the migrations that follow',
    async (_, version) => {
      const db = await ofVersion(migrations.slice(0, version))
      // One version with many records is enough: it goes through every migration that can meet them.
      const ids = [...keys.keys()].filter((id) => version === 1 || id !== large.id)
      await write(db, version === 1 ? content : without(content, large.id))
      await changeRecords(db)
      await migrate(db, migrations)
      const { results: beyond } = await db
        .prepare(
          `SELECT records.row FROM records CROSS JOIN organisations
          ON organisations.id = records.organisation_id
          WHERE first_version NOT BETWEEN 1 AND records.version
            OR records.version > organisations.version`,
        )
        .all()
      expect(beyond, 'records without a version of their organisation').toEqual([])

      for (const id of ids) {
        await expectIndexed(id, db)
        expect(await answers(db, id, keys.get(id))).toEqual(expected.get(id))
      }

      await changeRecords(db, 2)
      for (const id of ids) await expectIndexed(id, db)
    },
  )
})

describe('the directory', () => {
  let latest: D1Database
  let content: Content

  beforeAll(async () => {
    latest = await ofVersion(geographyMigrations)
    await writeGeography(latest)
    content = await read(latest, await tablesOf(latest))
  })

  test('there is data for every column', () => expectFull(latest, content))

  test.each(geographyMigrations.slice(0, -1).map(({ name }, place) => [name, place + 1] as const))(
    'what a database of %s holds is kept through the migrations that follow',
    async (_, version) => {
      const db = await ofVersion(geographyMigrations.slice(0, version))
      await write(db, content)
      await migrate(db, geographyMigrations)
      const tables = await tablesOf(db)
      expect(await read(db, tables)).toEqual(await read(latest, tables))
    },
  )
})

/** What an organisation's key is answered: pages from the start and the end of every collection, of a filter that finds few and of one that finds many. */
async function answers(DB: D1Database, id: string, key = '') {
  const queries = ['limit=250', 'consent=true&changed=1&limit=1']
  if (id === large.id) {
    queries.push(
      `limit=250&offset=${large.members - 200}`,
      `consent=true&limit=250&offset=${large.members - 300}`,
    )
  }
  const lists = Object.keys(everything).flatMap((name) => queries.map((it) => `/${name}?${it}`))
  const answered = [...lists, `/schemas/${id}`].map(async (path) => {
    const answer = await requestWith({ DB }, path, { headers: { 'x-api-key': key } })
    return { path, status: answer.status, body: await answer.text() }
  })
  return Promise.all(answered)
}
