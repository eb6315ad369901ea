import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { adminProgram } from '../../cli/commands/program.ts'
import * as platform from '../../cli/state/bindings.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { addUser } from '../../src/admin/users.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { saveMapping } from '../../src/store/imports/mappings.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { createKey, rotateKey } from '../keys.ts'
import { findTexts } from '../store/find-text.ts'
import { apiClient, openState } from './local-state.ts'
import { copyMigrated } from './migrated-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const wrangler = join(process.cwd(), 'node_modules/wrangler/bin/wrangler.js')

/** The operating guide's commands of a rehearsal on this machine, word by word. */
const commands = [
  ...readFileSync('docs/operating.md', 'utf8')
    .replaceAll('\\\n', '')
    .matchAll(/^npx wrangler (d1 .*--local[^#\n]*)/gm),
].map(([, line = '']) => line.trim().split(/\s+/))

/** The tables that the export omits: triggers fill the indexes again, the schedule the packed columns, and people sign in again. */
const notExported = [
  'terms',
  'bitmaps',
  'sessions',
  'name_words',
  'key_origins',
  'event_versions',
  'duplicate_checks',
  'sign_up_requests',
  'packed_columns',
  'packed_organisations',
]

/** Values that are easily lost on the way through SQL. */
const values = [
  ...["it's", 'a"b', '\\', 'a\u0000b', '\n\r\t', '🙂é', '--;', "'); DROP TABLE records;", ''],
  ...[0, -1, 0.1, 1e21, 5e-324, 2 ** 53, Number.MAX_VALUE, Math.PI, true, null],
  ...['é'.repeat(200), 'x'.repeat(80_000), ['a', 'b'], { a: { b: 'c' } }],
]

/** Where wrangler keeps the state of a folder, and where the guide has it make another. */
const states = ['.wrangler/state', 'rehearsal'] as const

let before: Awaited<ReturnType<typeof openState>>
let after: Awaited<ReturnType<typeof openState>>
let key: string

beforeAll(async () => {
  // The commands find the configuration and the state of the folder they run in.
  for (const name of ['wrangler.toml', 'migrations', 'src', 'public'])
    await symlink(join(process.cwd(), name), join(folder, name))
  // Already migrated, since migrating takes wrangler ten seconds and other tests cover it.
  for (const state of states) await copyMigrated(join(folder, state))
  before = await openState(join(folder, states[0]))
  key = await fill(before.bindings)
  for (const words of commands) {
    await promisify(execFile)(process.execPath, [wrangler, ...words], {
      cwd: folder,
      env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
    })
  }
  after = await openState(join(folder, states[1]))
})

afterAll(async () => {
  await before?.runtime.dispose()
  await after?.runtime.dispose()
})

/** Gives two organisations some of everything, not all of it in the order it came; a key of the first. */
async function fill(bindings: Bindings): Promise<string> {
  const { DB } = bindings
  const event = (eventId: string, name: unknown) => ({
    id: eventId,
    document: JSON.stringify({ eventId, name, all: 'x' }),
  })
  for (const organisationId of ['oak', 'elm']) {
    await createOrganisation(DB, organisationId, `The ${organisationId}'s "Trust"`)
    await putSchemas(DB, organisationId, { members: { name: "Members' Schema", fields: [] } })
    const events = values.map((value, index) => event(`e${index}`, value))
    await putRecords(DB, organisationId, 'events', events)
    await putRecords(DB, organisationId, 'events', [event('e0', 'changed'), event('new', 7)])
    const person = JSON.stringify({ 'Full Name': 'Amara Abara' })
    await putRecords(DB, organisationId, 'members', [{ id: 'm1', document: person }])
    const naming = { linkedEntities: { memberIds: ['m1'], volunteerIds: [], partnerIds: [] } }
    for (const [collection, record] of Object.entries({
      bookings: { bookingId: 'b1', memberId: 'm1', userName: 'Amara Abara' },
      'case-notes': { noteId: 'n1', content: 'Amara Abara came', isPrivate: true, ...naming },
    }))
      await putRecords(DB, organisationId, collection, [
        { id: 'one', document: JSON.stringify(record) },
      ])
    await new RunningImport(operatorStore(DB, organisationId), {
      collection: 'events',
      source: { name: 'a.csv', size: 0 },
    }).finish({
      created: events.length,
      updated: 0,
      unchanged: 0,
      rejected: 0,
    })
    await saveMapping(operatorStore(DB, organisationId), 'a digest', '{}')
    const email = `ana@${organisationId}.test`
    await addUser(DB, { organisationId, email, role: 'admin', by: 'a test' })
  }
  await DB.prepare("DELETE FROM records WHERE id = 'e2'").run()
  await DB.prepare(
    "INSERT INTO idempotency_keys (id, organisation_id, request_hash, record_id, created) VALUES ('i', 'oak', 'b', 'm', '2025-01-01')",
  ).run()
  await DB.batch(
    [
      `INSERT INTO webhooks (id, organisation_id, url, collections, changes, secret, created, created_by, state, cursor, notified)
      VALUES ('w', 'oak', 'https://hooks.oak.org.uk/', 'events', 'created', 's', '2025-01-01', 'a test', 'paused', 1, 1)`,
      `INSERT INTO key_usage (organisation_id, day, key_id, collection, requests, records, rows_read)
      VALUES ('oak', '2025-01-01', 'k', 'events', 3, 300, 900)`,
      `INSERT INTO retention_rules (
        organisation_id, collection, field, age, created, created_by, completed_on, last_run, cursor, removed, kept
      ) VALUES ('oak', 'events', 'start', '7 years', '2025-01-01', 'a test', '2025-01-02', '2025-01-02', NULL, 1, 2)`,
      `INSERT INTO webhook_outbox (
        webhook_id, collection, record_id, message_id, type, version, changed, at, attempts, first_attempt, due
      ) VALUES ('w', 'events', 'e1', 'm', 'event.created', 1, '[]', '2025-01-01', 1, '2025-01-01', '2025-01-02')`,
      `INSERT INTO webhook_attempts (
        webhook_id, attempted, collection, record_id, message_id, type, version, changed, at, attempt, status, failure, duration_ms, response
      ) VALUES ('w', '2025-01-01', 'events', 'e1', 'm', 'event.created', 1, '[]', '2025-01-01', 1, 500, 'no', 7, 'a')`,
      `INSERT INTO public_pages (organisation_id, enabled, settings, logo) VALUES ('oak', 1, '{}', 'iVBORw0KGgo=')`,
      `INSERT INTO event_questions (organisation_id, event_id, questions) VALUES ('oak', 'e1', '[]')`,
      `INSERT INTO sign_ups (
        organisation_id, booking_id, event_id, person_hash, contact, answers, question_answers, sequence, held_until, delete_after
      ) VALUES ('oak', 'one', 'e1', 'p', '{"name":"O''Brien"}', '{}', '{}', 2, '2025-01-01', '2025-02-01')`,
      `INSERT INTO booking_links (hash, organisation_id, booking_id, created) VALUES ('l', 'oak', 'one', '2025-01-01')`,
      `INSERT INTO form_links (hash, organisation_id, form_id, kind, person_id, created, expires, used)
      VALUES ('l', 'oak', 'f1', 'members', 'm1', '2025-01-01', '2025-02-01', NULL)`,
      `INSERT INTO attendance_marks (organisation_id, booking_id, org_status, attending) VALUES ('oak', 'one', '', 1)`,
      `INSERT INTO mailings VALUES ('oak', 'm', 'booked', 'e1', '{}', 1, '2025-01-01', 'O''Brien', '2025-02-01')`,
      `INSERT INTO mailing_messages VALUES ('oak', 'm', 'ada@oak.test', '{"name":"O''Brien"}', 'sent', 1, NULL, '2025-01-01')`,
      `INSERT INTO unsubscribe_links VALUES ('oak', 'digest', 'l', '2025-01-01', NULL)`,
      `INSERT INTO saved_views (organisation_id, id, page, name, query, created, created_by)
      VALUES ('oak', 'v', 'records/members', 'O''Brien', 'ward=Riverside', '2025-01-01', 'Ana')`,
      `INSERT INTO dismissed_duplicates (organisation_id, collection, id, other_id, created)
      VALUES ('oak', 'members', 'm1', 'm2', '2025-01-01')`,
      `INSERT INTO known_details VALUES ('oak', 'members', '2025-01', 'Email', 9, 12)`,
      `INSERT INTO sent_mail (day, recipient_hash, count) VALUES ('2025-01-01', 'r', 3)`,
    ].map((sql) => DB.prepare(sql)),
  )
  await createKey(bindings, 'oak', 'page', 'a test', undefined, ['create-members'], {
    origins: ['https://oak.example', 'http://localhost:3000'],
  })
  const newKey = await createKey(bindings, 'oak', 'a "test"', 'a test')
  await rotateKey(bindings, { organisationId: 'oak', id: newKey.id, by: 'a test' }, 3600)
  return newKey.key
}

const rows = async ({ DB }: Bindings, sql: string) => (await DB.prepare(sql).all()).results

test('the guide says how to export, make a database and restore into it', () => {
  expect(commands.map((words) => words.slice(0, 2).join(' '))).toEqual([
    'd1 export',
    'd1 migrations',
    'd1 execute',
  ])
})

test('every row of every table is restored, and none is of a table that the export forgets', async () => {
  const tables = (
    await rows(
      before.bindings,
      `SELECT name FROM sqlite_master WHERE type = 'table'
        AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*' AND name NOT GLOB 'sqlite_*'`,
    )
  )
    .map(({ name }) => String(name))
    .filter((name) => !notExported.includes(name))
  expect(tables).toHaveLength(29)
  // A restored schema takes the next version of its organisation, so followers read it again.
  const columnsOf = (table: string) => (table === 'organisations' ? 'id, name, created' : '*')
  for (const table of tables) {
    const sql = `SELECT ${columnsOf(table)} FROM ${table}`
    const tableRows = await rows(before.bindings, sql)
    expect(tableRows.length, table).toBeGreaterThan(0)
    expect([table, await rows(after.bindings, sql)]).toEqual([table, tableRows])
  }
})

test('restores the same index, tables, views and triggers', async () => {
  const index = `SELECT organisation_id, collection, field, hex(value), typeof(value), count, last, ordinal
    FROM terms JOIN term_ordinals ON term_id = terms.id ORDER BY 1, 2, 3, 4, 5, ordinal`
  const indexRows = await rows(before.bindings, index)
  expect(indexRows.length).toBeGreaterThan(100)
  expect(await rows(after.bindings, index)).toEqual(indexRows)
  const names = `SELECT name_words.organisation_id, word, value
    FROM name_words JOIN terms ON terms.id = term_id ORDER BY 1, 2, 3`
  const words = await rows(before.bindings, names)
  expect(words.length).toBeGreaterThan(0)
  expect(await rows(after.bindings, names)).toEqual(words)
  const origins = await rows(before.bindings, 'SELECT * FROM key_origins')
  expect(origins).toHaveLength(2)
  expect(await rows(after.bindings, 'SELECT * FROM key_origins')).toEqual(origins)
  const objects = `SELECT type, name, sql FROM sqlite_master
    WHERE name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*' AND name NOT GLOB 'sqlite_*' ORDER BY 1, 2`
  expect(await rows(after.bindings, objects)).toEqual(await rows(before.bindings, objects))
})

test('a key opens what it opened, by every page and filter', async () => {
  for (const path of ['events', 'events?limit=3&offset=7', 'events?all=x', 'events?name=a%00b']) {
    const served = await apiClient(before.bindings, key)<{ total: number }>(path)
    expect(served.total).toBeGreaterThan(0)
    expect(await apiClient(after.bindings, key)(path)).toEqual(served)
  }
})

test('the ledger erases people again who were erased after the backup', async () => {
  const { KEYS } = before.bindings
  // KV is where it was: a restore of the database does not take it back.
  const restored = { ...after.bindings, KEYS }
  const admin = async (bindings: Bindings, ...args: string[]) => {
    vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(bindings))
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await adminProgram().parseAsync(['--json', ...args], { from: 'user' })
    const [output] = stdout.mock.calls.flat()
    vi.restoreAllMocks()
    return JSON.parse(String(output))
  }
  await admin(before.bindings, 'person', 'erase', 'oak', 'members', 'm1', '--yes')
  const findNames = ({ DB }: Bindings) => findTexts({ DB, KEYS }, ['Abara', 'abara'])
  const ofElm = await findNames(before.bindings)
  expect(await rows(restored, naming)).toHaveLength(6)

  expect(await admin(restored, 'erase', 'replay')).toEqual({ nothing: 0, erased: 1, left: 0 })
  expect(await rows(restored, naming)).toEqual(await rows(before.bindings, naming))
  expect(await findNames(restored)).toEqual(ofElm)
  expect(await rows(restored, naming)).toEqual([
    { organisation_id: 'elm', collection: 'bookings' },
    { organisation_id: 'elm', collection: 'case-notes' },
    { organisation_id: 'elm', collection: 'members' },
  ])
  expect(await admin(restored, 'erase', 'replay', 'oak')).toEqual({
    nothing: 1,
    erased: 0,
    left: 0,
  })
})

const naming = `SELECT organisation_id, collection FROM records
  WHERE document LIKE '%Abara%' ORDER BY 1, 2`
