import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { adminProgram } from '../../cli/commands/program.ts'
import { loadDirectory } from '../../cli/geography/load.ts'
import * as platform from '../../cli/state/bindings.ts'
import { ensureLocalWebhookKey } from '../../cli/state/webhook-key.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createOrganisationIn } from '../../src/admin/organisations.ts'
import { addUser } from '../../src/admin/users.ts'
import { app } from '../../src/app.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { noteErasure } from '../../src/records/erase.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { openDatabase } from '../../src/store/databases.ts'
import { readVersions } from '../../src/store/history/versions.ts'
import { listImports } from '../../src/store/imports/list-imports.ts'
import { saveMapping } from '../../src/store/imports/mappings.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { cachePairCount, dismissPair } from '../../src/store/people/duplicates.ts'
import { setRule } from '../../src/store/settings/retention.ts'
import { createSavedView } from '../../src/store/settings/saved-views.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { addWebhook } from '../../src/webhooks/new-secret.ts'
import { everything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { createKey } from '../keys.ts'
import { entriesOf } from '../store/find-text.ts'
import { readOrganisationRows } from '../store/organisation-rows.ts'
import sample from './fixtures/360giving-sample.json' with { type: 'json' }
import { runAdmin } from './in-process.ts'
import { openState } from './local-state.ts'
import { migratedState } from './migrated-state.ts'

const folder = await migratedState()
const { bindings, runtime } = await openState(folder, ['DB', 'DB_1'])
await platform.migrateDatabases(bindings)
const storage = { ...bindings, DB: openDatabase(bindings, 'DB_1') }
const { DB } = storage
const by = 'a test'

// Both organisations are in DB_1, and DB has only the directory and the memberships. The commands change the first organisation; the second must stay the same. One id is a prefix of the other. Files share a process, which remembers the
// database of an organisation: these two are only in this file.
const own = 'near-oak'
const neighbour = 'near-oak-2'

beforeEach(() => {
  vi.spyOn(platform, 'withBindings').mockImplementation((_, work) => work(bindings))
})
afterAll(async () => {
  vi.restoreAllMocks()
  await runtime.dispose()
})

/** Sends the request that creates a member, with the same `Idempotency-Key` each time, and returns the member's id. */
async function createMember(key: string): Promise<string> {
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' }
  const init = { method: 'POST', headers, body: '{"Full Name":"Zoë"}' }
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
  const answer = await app.request('/api/v1/members', init, bindings, context)
  expect(answer.status).toBe(201)
  return (await answer.json<{ member: { id: string } }>()).member.id
}

/** Gives an organisation rows in every table; the records have the same ids in both. */
async function fill(id: string) {
  await createOrganisationIn(bindings, 'DB_1', id, 'The Oak')
  const { id: keyId, key } = await createKey(storage, id, 'nightly', by, undefined, undefined, {
    origins: ['https://www.oak.test'],
  })
  const { data } = parseSchema('members', { fields })
  await putSchemas(DB, id, { members: data, volunteers: data, partners: data })
  const memberId = await createMember(key)
  const put = (collection: string, document: object, recordId: string) =>
    putRecords(DB, id, collection, [{ id: recordId, document: JSON.stringify(document) }])
  for (const [collection, { id: recordId, document }] of Object.entries(everything))
    await put(
      collection,
      { ...document, ...('managedBy' in document && { managedBy: id }) },
      recordId,
    )
  const url = `https://${id}.oak.org.uk/`
  const webhookInput = {
    url,
    collections: collectionNames,
    changes: ['created', 'updated', 'deleted'],
  }
  const WEBHOOK_KEY = await ensureLocalWebhookKey(folder)
  const webhook = await addWebhook({ WEBHOOK_KEY }, administeredStore(DB, id, by), webhookInput)
  const message = "'members', 'member-1', 'msg_1', 'member.updated', 1, '[]', '2025-01-01'"
  await DB.batch([
    ...[
      `INSERT INTO public_pages (organisation_id, enabled, settings) VALUES (?, 1, '{}')`,
      `INSERT INTO event_questions (organisation_id, event_id, questions) VALUES (?, 'event-1', '[]')`,
      `INSERT INTO sign_ups (
        organisation_id, booking_id, event_id, person_hash, contact, answers, question_answers, delete_after
      ) VALUES (?, 'booking-1', 'event-1', 'p', '{}', '{}', '{}', '2999-01-01')`,
      `INSERT INTO sign_up_requests (
        organisation_id, id, event_id, sign_up, created, attempts, due
      ) VALUES (?, 'request-1', 'event-1', '{}', '2025-01-01', 1, '2999-01-01')`,
      `INSERT INTO mailings VALUES (?, 'mailing-1', 'booked', 'event-1', '{}', 1, '2025-01-01', 'public page', '2999-01-01')`,
      `INSERT INTO mailing_messages VALUES (?, 'mailing-1', 'ada@oak.test', '{"bookingIds": ["booking-1"]}', 'sent', 1, NULL, '2025-01-01')`,
      `INSERT INTO unsubscribe_links VALUES (?, 'digest', 'digest', '2025-01-01', NULL)`,
      `INSERT INTO packed_columns VALUES (?, 'bookings', 'memberId', 0, '1')`,
      `INSERT INTO packed_organisations VALUES (?, 'bookings.memberId', 1)`,
      `INSERT INTO attendance_marks (organisation_id, booking_id, org_status, attending) VALUES (?, 'booking-1', '', 1)`,
      `INSERT INTO known_details VALUES (?, 'members', '2025-01', 'Email', 9, 12)`,
    ].map((sql) => DB.prepare(sql).bind(id)),
    ...['booking_links (booking_id, created', 'form_links (form_id, created, expires'].map(
      (columns) => {
        const values = columns.split(',').map(() => "'2999-01-01'")
        return DB.prepare(
          `INSERT INTO ${columns}, hash, organisation_id) VALUES (${values}, ?1 || ' link', ?1)`,
        ).bind(id)
      },
    ),
    DB.prepare(
      `INSERT INTO webhook_attempts (
        webhook_id, attempted, collection, record_id, message_id, type, version, changed, at, attempt, status, failure, duration_ms, response
      ) VALUES (?, '2025-01-01', ${message}, 1, 500, 'no', 7, 'Ada')`,
    ).bind(webhook.id),
    DB.prepare(
      `INSERT INTO webhook_outbox (
        webhook_id, collection, record_id, message_id, type, version, changed, at, attempts, first_attempt, due
      ) VALUES (?, ${message}, 1, '2025-01-01', '2999-01-01')`,
    ).bind(webhook.id),
  ])
  await put('events', { eventId: 'gone' }, 'gone')
  await put('events', { eventId: 'gone', name: 'Changed' }, 'gone')
  await DB.prepare("DELETE FROM records WHERE organisation_id = ? AND id = 'gone'").bind(id).run()
  await addUser(bindings.DB, { organisationId: id, email: 'ana@oak.test', role: 'admin', by })
  await new RunningImport(operatorStore(DB, id), {
    collection: 'events',
    source: { name: 'a.csv', size: 0 },
  }).finish({
    created: 1,
    updated: 0,
    unchanged: 0,
    rejected: 0,
  })
  await saveMapping(operatorStore(DB, id), 'digest', '{}')
  await createSavedView(operatorStore(DB, id), { page: 'reports', name: 'By ward', query: '' })
  await setRule(operatorStore(DB, id), {
    collection: 'case-notes',
    field: 'date',
    age: '1 day',
  })
  await noteErasure(bindings.KEYS, {
    organisationId: id,
    collection: 'members',
    id: 'brought-back',
  })
  await put('members', { memberId: 'brought-back' }, 'brought-back')
  await put('members', { memberId: 'duplicate' }, 'duplicate')
  await dismissPair(operatorStore(DB, id), 'members', ['member-1', 'duplicate'])
  await cachePairCount(operatorStore(DB, id), 'members', 1)
  return { webhook: webhook.id, keyId, key, made: memberId }
}

/** Every row of an organisation in every table of both databases, and its entries in KV, as texts. */
async function contentOf(id: string): Promise<Record<string, string[]>> {
  const directory = await readOrganisationRows(bindings.DB, id)
  const rows = await readOrganisationRows(DB, id)
  const content = Object.fromEntries(
    Object.entries(rows).map(([table, own]) => [table, [...own, ...(directory[table] ?? [])]]),
  )
  const entries = await Array.fromAsync(entriesOf(bindings.KEYS))
  const isOwn = new RegExp(`[:"]${id}[:"]`)
  return { ...content, KV: entries.filter((entry) => isOwn.test(entry)).toSorted() }
}

/** The tables of DB with rows of an organisation that belong to its own database. */
async function tablesInDirectory(id: string): Promise<string[]> {
  const content = await readOrganisationRows(bindings.DB, id)
  const expected = ['organisations', 'memberships', 'audit_log']
  return Object.keys(content).filter(
    (table) => !expected.includes(table) && content[table]?.length !== 0,
  )
}

/** The commands, each by its words. */
const commandsOf = (command: Command, words: readonly string[] = []): string[] =>
  command.commands.length === 0
    ? [words.join(' ')]
    : command.commands.flatMap((child) => commandsOf(child, [...words, child.name()]))

test('no command for one organisation touches a row of another with the same ids', async () => {
  const directory = 'demo/postcodes/ONSPD_NOV_2025_UK.csv'
  await loadDirectory(bindings.GEOGRAPHY, directory, { names: dirname(directory), minRows: 1 })
  const [{ webhook, keyId }, theirs] = [await fill(own), await fill(neighbour)]
  const files = join(folder, 'files')
  await mkdir(files)
  const file = async (name: string, content: unknown) => {
    const path = join(files, name)
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  // The member that the neighbour's request made.
  const members = await file('members.json', [
    { memberId: 'member-1', 'Full Name': 'Ada Lovelace' },
    { memberId: theirs.made, 'Full Name': 'Somebody Else' },
  ])
  const schemas = await file('schemas.json', { members: { fields: fields.slice(0, 4) } })
  const people = await file('people.csv', 'memberId,Full Name,Town\nmember-1,Ada King,Leeds\n')
  const grants = await file('grants.json', sample)
  await flushKeyUse(bindings, Date.now())
  const before = await contentOf(neighbour)
  for (const [table, rows] of Object.entries(before)) expect(rows, table).not.toEqual([])

  for (const name of ['Before', 'After'])
    await putRecords(DB, own, 'events', [
      {
        id: 'changed',
        document: JSON.stringify({
          ...everything.events?.document,
          eventId: 'changed',
          name,
          managedBy: own,
        }),
      },
    ])
  await putRecords(
    DB,
    own,
    'events',
    ['lunches', 'lunch'].map((eventId) => ({
      id: eventId,
      document: JSON.stringify({
        ...everything.events?.document,
        eventId,
        managedBy: own,
        parentEventId: eventId === 'lunch' ? 'lunches' : null,
      }),
    })),
  )
  const changed = { collection: 'events', id: 'changed' }
  const [stored] = await listImports(operatorStore(DB, own), { limit: 1 })
  const {
    versions: [version],
  } = await readVersions(operatorStore(DB, own), changed)

  const cases: string[][] = [
    ['organisation', 'list'],
    ['organisation', 'add', 'near-oak-3', '--name', 'The Oak'],
    ['organisation', 'move', own, '--to', 'DB_1'],
    ['organisation', 'set', own, '--public-pages', 'off', '--publish-grants', 'off'],
    ['organisation', 'keep-versions', own, '60'],
    ['record', 'versions', own, 'events', 'changed'],
    ['record', 'restore', own, 'events', 'changed', String(version?.version)],
    ['event', 'set', own, 'lunches', '--all-dates', 'on'],
    ['event', 'ask', own, everything.events?.id ?? '', await file('questions.json', [])],
    ['key', 'create', own, '--name', 'nightly'],
    ['key', 'change', keyId, '--permissions', 'read', '--hide-fields', 'email'],
    ['key', 'list', own],
    ['key', 'revoke', keyId],
    ['key', 'reactivate', keyId],
    ['key', 'rotate', keyId],
    ['key', 'delete', keyId],
    ['key', 'revoke', '--all', own, '--yes'],
    ['user', 'add', own, '--email', 'ana@oak.test', '--role', 'reader'],
    ['user', 'code', '--email', 'ana@oak.test'],
    ['user', 'list', own],
    ['user', 'remove', own, '--email', 'ana@oak.test'],
    ['webhook', 'add', own, 'https://hooks.oak.org.uk/'],
    ['webhook', 'list', own],
    ['webhook', 'attempts', own, webhook],
    ['webhook', 'rotate', own, webhook],
    ['webhook', 'rotate', '--all', own],
    ['webhook', 'check-key'],
    ['webhook', 'pause', own, webhook],
    ['webhook', 'resume', own, webhook],
    ['webhook', 'test', own, webhook],
    ['webhook', 'resend', own, webhook, 'msg_1'],
    ['webhook', 'resend', own, webhook, '--since', '2025-01-01T00:00:00Z'],
    ['token', 'ana@oak.test', '--persist-to', folder],
    ['schema', 'infer', own, people, '--collection', 'members'],
    ['import', own, members, '--dry-run'],
    ['import', own, members],
    ['import', own, '--360giving', grants],
    ['imports', 'list', own],
    ['imports', 'undo', own, String(stored?.id)],
    ['import', own, people, '--infer', '--collection', 'members', '--add-fields'],
    ['import', own, schemas, '--drop-values'],
    ['geography', 'status'],
    ['geography', 'refresh', own],
    ['export', own, join(folder, 'exported')],
    ['person', 'export', own, 'members', 'member-1', '--out', join(folder, 'person.json')],
    ['person', 'merge', own, 'members', 'member-1', 'duplicate', '--yes'],
    ['history', own, 'members', 'member-1'],
    ['usage', own],
    ['person', 'erase', own, 'members', 'member-1', '--yes'],
    ['erase', 'replay', own, '--later'],
    ['retention', 'list', own],
    ['retention', 'set', own, 'events', '--after', '1 day', '--by', 'start'],
    ['retention', 'run', own, '--dry-run'],
    ['retention', 'run', own],
    ['retention', 'remove', own, 'events'],
    ['webhook', 'remove', own, webhook],
    ['organisation', 'remove', own, '--yes'],
  ]
  for (const words of cases) {
    const { status, stdout, stderr } = await runAdmin('--persist-to', folder, ...words)
    expect([words, status, stdout, stderr]).toEqual([
      words,
      0,
      expect.anything(),
      expect.anything(),
    ])
    expect(await contentOf(neighbour), words.join(' ')).toEqual(before)
    expect(await tablesInDirectory(own), words.join(' ')).toEqual([])
  }
  // One needs a whole directory and has nothing of an organisation, the other a service without organisations.
  const untried = ['geography load', 'set-up-code']
  const tried = cases.map((words) => words.join(' '))
  const missing = commandsOf(adminProgram()).filter(
    (name) => !untried.includes(name) && !tried.some((words) => words.startsWith(name)),
  )
  expect(missing, 'add a case for each new command').toEqual([])
  // The ledger stays, for a restore.
  const { KV, ...rows } = await contentOf(own)
  expect(Object.values(rows).flat()).toEqual([])
  expect(KV).toEqual(Array(2).fill(expect.stringContaining(`erased:${own}:`)))
  expect(await createMember(theirs.key)).toBe(theirs.made)
})
