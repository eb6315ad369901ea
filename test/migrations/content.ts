import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { webhookPermissions } from '../../src/access/permissions.ts'
import { mergePeopleAsOperator } from '../../src/admin/merge-people.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { addUser } from '../../src/admin/users.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import { createSession } from '../../src/auth/sessions.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { undoImport } from '../../src/records/undo/undo-import.ts'
import { loadCollection } from '../../src/resources/resources.ts'
import { saveEventQuestions } from '../../src/sign-up/event-questions.ts'
import { openPublicStore, savePublicPages } from '../../src/sign-up/public-pages.ts'
import { signUp } from '../../src/sign-up/sign-up.ts'
import { listImports, readImport } from '../../src/store/imports/list-imports.ts'
import { saveMapping } from '../../src/store/imports/mappings.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { claimUndo } from '../../src/store/imports/undo-progress.ts'
import { cachePairCount, dismissPair } from '../../src/store/people/duplicates.ts'
import { claimMemberships } from '../../src/store/settings/memberships.ts'
import { nextRule, saveProgress, setRule } from '../../src/store/settings/retention.ts'
import { createSavedView } from '../../src/store/settings/saved-views.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { measureNextOrganisation } from '../../src/store/sizes.ts'
import { organisations } from '../../src/store/tables.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { takeLease } from '../../src/store/webhooks/leases.ts'
import { deleteRecord } from '../../src/store/write/delete.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { deliver } from '../../src/webhooks/deliver.ts'
import { changeNames } from '../../src/webhooks/message.ts'
import { addWebhook, rotateSecret } from '../../src/webhooks/new-secret.ts'
import { defaultEnvironment } from '../../src/webhooks/send.ts'
import { everything } from '../examples/everything.ts'
import { fields } from '../examples/people.ts'
import { requestWith } from '../faults/failing-database.ts'
import { facts } from '../geography/facts.ts'
import { loadFacts } from '../geography/load-facts.ts'
import { createKey, revokeKey, rotateKey } from '../keys.ts'

const by = 'an operator'

const schemas = Object.fromEntries(
  (['members', 'volunteers', 'partners'] as const).map((kind) => [
    kind,
    parseSchema(kind, { fields }).data,
  ]),
)

/** Writes organisations with everything the product keeps, each value by what writes it there; the keys that work, by organisation. */
export async function writeRecords(DB: D1Database): Promise<Map<string, string>> {
  const storage = { DB, KEYS: env.KEYS }
  const keys = new Map<string, string>()
  await drizzle(DB)
    .insert(organisations)
    .values([
      {
        id: 'elm-trust',
        name: 'The elm-trust',
        created: '2026-01-05T09:00:00.000Z',
        database: 'DB_1',
      },
      {
        id: 'ash-trust',
        name: 'The ash-trust',
        created: '2026-01-05T09:00:00.000Z',
        movingTo: 'DB_1',
      },
    ])
  for (const id of ['oak-trust', 'oak-trust-2']) {
    await createOrganisation(DB, id, `The ${id}`)
    await putSchemas(DB, id, schemas)
    await saveMapping(operatorStore(DB, id), 'digest', '{}')
    await createSavedView(operatorStore(DB, id), {
      page: 'records/members',
      name: 'Riverside',
      query: 'ward=Riverside',
    })
    const { key } = await createKey(storage, id, 'Power BI', by, '2999-01-01T00:00:00.000Z')
    const { id: rotated } = await createKey(storage, id, 'Sheets', by)
    await rotateKey(storage, { organisationId: id, id: rotated, by }, 3600)
    const { id: revoked } = await createKey(storage, id, 'Python', by, undefined, ['read'], {
      hideFields: ['email'],
    })
    await createKey(storage, id, 'Web form', by, undefined, ['create-members'], {
      origins: ['https://www.oak.test'],
    })
    await revokeKey(DB, { organisationId: id, id: revoked, by })
    keys.set(id, key)
    await addUser(DB, { organisationId: id, email: 'ada@oak.test', role: 'admin', by })
    await addUser(DB, { organisationId: id, email: 'bob@oak.test', role: 'editor', by })
    await addUser(DB, { organisationId: id, email: 'eve@oak.test', role: 'steward', by })
    for (const [collection, example] of Object.entries(everything)) {
      await putRecords(DB, id, collection, [...variants(example), gone])
      await new RunningImport(operatorStore(DB, id), {
        collection,
        ...(collection === 'members' ? { edited: 'Tags' } : { source: { name: 'a.csv', size: 0 } }),
      }).finish({
        created: 3,
        updated: 0,
        unchanged: 0,
        rejected: 0,
        ...(collection === 'events' && { deleted: 1 }),
      })
      await DB.prepare(
        'DELETE FROM records WHERE organisation_id = ? AND collection = ? AND id = ?',
      )
        .bind(id, collection, gone.id)
        .run()
    }
    await undoImports(DB, id)
    await dismissPair(operatorStore(DB, id), 'members', ['member-1', 'member-1-3'])
    await cachePairCount(operatorStore(DB, id), 'members', 1)
    await mergeDuplicate(DB, id)
    await sendWebhooks(DB, id)
    await create(DB, key)
    const may = ['read', 'create-members', 'write']
    await write(DB, (await createKey(storage, id, 'Nightly', by, undefined, may)).key)
    for (const isDone of [true, false]) await setRetention(DB, id, isDone)
  }
  await writeSignUps(DB)
  // Counts of other tests may be for other databases.
  await flushKeyUse({ ...env, DB }, Date.now())
  const ada = { issuer: env.AUTH_ISSUER, subject: 'ada', email: 'ada@oak.test' }
  await claimMemberships(DB, ada)
  await createSession(DB, ada, 'Ada')
  // The third organisation has more records than one part of a measurement.
  for (let part = 0; part < 3; part++) await measureNextOrganisation(DB, Date.now(), 1)
  return keys
}

/** Loads a directory, as an operator does. */
export const writeGeography = (geography: D1Database) => loadFacts('2025-11', facts, geography)

/** What happens to records while a version is in use: some change, gain a field or lose one, some go. */
export async function changeRecords(db: D1Database, round = 1) {
  for (const statement of [
    `UPDATE records SET document = json_set(document, '$.changed', ${round}) WHERE row % 3 = ${round}`,
    `UPDATE records SET document = json_remove(document, '$.consent', '$.tags') WHERE row % 50 = ${round}`,
    'DELETE FROM records WHERE ordinal = 2',
  ]) {
    await db.prepare(statement).run()
  }
}

/** Undoes an import, and starts to undo another. */
async function undoImports(DB: D1Database, organisationId: string) {
  const store = operatorStore(DB, organisationId)
  const findType = async (name: string) => (await loadCollection(name)).resource
  const [one, other] = await listImports(store, { limit: 2 })
  if (!one || !other) throw new Error('There are no imports.')
  const parts = { store, geography: env.GEOGRAPHY, findType }
  await undoImport(parts, one.id, { maxRecords: 10 })
  const { undo } = await readImport(store, one.id)
  if (undo) await claimUndo(store, other, undo, true)
}

async function mergeDuplicate(DB: D1Database, organisationId: string) {
  await putRecords(DB, organisationId, 'partners', [
    { id: 'duplicate', document: '{"partnerId":"duplicate"}' },
  ])
  const partner = { organisationId, kind: 'partners', id: 'partner-1' } as const
  await mergePeopleAsOperator({ DB, GEOGRAPHY: env.GEOGRAPHY }, partner, 'duplicate', {})
}

/** A record that is deleted again. */
const gone = { id: 'gone', document: '{}' }

const variants = ({ id, document }: { id: string; document: object }) =>
  ['', '-2', '-3'].map((suffix) => ({
    id: id + suffix,
    document: JSON.stringify(document).replaceAll(JSON.stringify(id), JSON.stringify(id + suffix)),
  }))

/** Sets a rule, and has it applied in part or whole. */
async function setRetention(DB: D1Database, organisationId: string, isDone: boolean) {
  const collection = isDone ? 'events' : 'case-notes'
  await setRule(administeredStore(DB, organisationId, by), {
    collection,
    field: 'date',
    age: '7 years',
  })
  const day = '2026-01-01'
  const rule = await nextRule(DB, day, '9999')
  const cursor = { value: '2001-01-01', ordinal: 7 }
  if (rule) await saveProgress(DB, rule, day, by, { removed: 1, kept: 1, cursor, isDone })
}

/** Sends what changes to receivers that take it, refuse it, want to wait, and want no more; another is being sent to. */
async function sendWebhooks(DB: D1Database, organisationId: string) {
  const storage = { ...env, DB }
  const store = administeredStore(DB, organisationId, by)
  const wanted = { collections: collectionNames, changes: changeNames }
  const add = (name: string) =>
    addWebhook(storage, store, { url: `https://${name}.oak.org.uk/`, ...wanted })
  for (const name of ['takes', 'refuses', 'waits', 'gone']) await add(name)
  const changed = { eventId: 'first', name: 'Changed' }
  await putRecords(DB, organisationId, 'events', [
    { id: 'first', document: JSON.stringify(changed) },
  ])
  const answers: Record<string, () => Response> = {
    takes: () => new Response('thanks'),
    refuses: () => new Response(null, { status: 400 }),
    waits: () => new Response(null, { status: 429, headers: { 'Retry-After': '3600' } }),
    gone: () => new Response(null, { status: 410 }),
  }
  const receivers = {
    ...defaultEnvironment,
    fetch: async (address: string) =>
      answers[new URL(address).hostname.split('.')[0] ?? '']?.() ?? Response.error(),
  }
  await (await deliver(storage, [organisationId], receivers)).done
  const { key } = await createKey(
    storage,
    organisationId,
    'Zapier',
    by,
    undefined,
    webhookPermissions,
  )
  const added = await requestWith({ DB }, '/webhooks', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://takes.oak.org.uk/', ...wanted }),
  })
  if (added.status !== 201) throw new Error(await added.text())
  const { id } = await add('another')
  await rotateSecret(storage, store, id)
  await putRecords(DB, organisationId, 'events', [{ id: 'third', document: '{}' }])
  await takeLease(DB, {
    id,
    organisationId,
    restrictions: null,
    token: 'somebody',
    now: Date.now(),
    window: 1,
  })
}

async function write(DB: D1Database, key: string) {
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'all' }
  const body = '{"events":[{"eventId":"first","name":"First"},{"eventId":"second"}]}'
  const written = await requestWith({ DB }, '/events', { method: 'PATCH', headers, body })
  const changed = await requestWith({ DB }, '/events/first', {
    method: 'PATCH',
    headers,
    body: '{"name":"The First"}',
  })
  const deleted = await requestWith({ DB }, '/events/second', { method: 'DELETE', headers })
  if (written.status !== 200 || changed.status !== 200 || deleted.status !== 204)
    throw new Error('Events were not written.')
}

async function create(DB: D1Database, key: string) {
  const answer = await requestWith({ DB }, '/members', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
    body: '{"Full Name":"Zoë"}',
  })
  if (answer.status !== 201) throw new Error(`A member was not created: ${await answer.text()}`)
}

/** Deletes the bookings with a sign-up. */
async function deleteBookings(DB: D1Database, id: string) {
  const { results } = await DB.prepare('SELECT booking_id AS id FROM sign_ups').all<{
    id: string
  }>()
  for (const booking of results)
    await deleteRecord(operatorStore(DB, id), {
      collection: 'bookings',
      id: booking.id,
      versions: undefined,
      cascade: false,
    })
}

/** Signs somebody up for an event with a question, and sends mail. */
async function writeSignUps(DB: D1Database) {
  const id = 'oak-trust'
  const [start, end] = ['2999-01-01T10:00:00.000Z', '2999-01-01T12:00:00.000Z']
  const event = { eventId: 'to-come', name: 'To come', start, end, bookable: true }
  await putRecords(DB, id, 'events', [{ id: 'to-come', document: JSON.stringify(event) }])
  await savePublicPages(
    administeredStore(DB, id, by),
    { name: '', fields: [], ...schemas.members },
    {
      enabled: true,
      settings: {
        signUpFields: [{ id: 'Full Name', required: true }],
        privacyNotice: 'https://oak.test/privacy',
        remindsDayBefore: true,
      },
      logo: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    },
  )
  const question = { id: 'diet', label: 'Diet', purpose: 'To cook', required: false }
  await saveEventQuestions(operatorStore(DB, id), 'to-come', [
    { ...question, deleteAfter: '2999-01-01' },
  ])
  const mail = { send: async () => {} }
  for (const name of ['Bob', 'Ada']) {
    const tasks: Promise<void>[] = []
    const context = {
      store: openPublicStore({ DB }, id),
      mail,
      geography: env.GEOGRAPHY,
      origin: '',
      network: '',
      runInBackground: (task: () => Promise<void>) => void tasks.push(task()),
    }
    await signUp(context, {
      eventId: 'to-come',
      isVolunteer: false,
      token: crypto.randomUUID(),
      consent: true,
      contact: { name, email: `${name.toLowerCase()}@oak.test` },
      attendees: [{ values: { 'Full Name': name }, questionAnswers: { diet: 'Vegan' } }],
    })
    await Promise.all(tasks)
    if (name === 'Bob') await deleteBookings(DB, id)
  }
  for (const statement of [
    `INSERT INTO attendance_marks SELECT organisation_id, booking_id, 'approved', 1 FROM sign_ups`,
    `UPDATE records SET document = json_set(document, '$.userStatus', 'waiting')
      WHERE collection = 'bookings' AND id IN (SELECT booking_id FROM sign_ups)`,
    `INSERT INTO sign_up_requests VALUES ('oak-trust', 'request', 'to-come', '{}', '2026-01-01', 1, '2026-01-01')`,
    `INSERT INTO mailings VALUES ('oak-trust', 'mailing', 'booked', 'to-come', '{}', 1, '2026-01-01', 'public page', '2999-01-01')`,
    `INSERT INTO mailing_messages VALUES ('oak-trust', 'mailing', 'ada@oak.test', '{}', 'queued', 1, '2026-01-01', '2026-01-01')`,
    `INSERT INTO unsubscribe_links VALUES ('oak-trust', 'digest', 'digest', '2026-01-01', '2026-01-02')`,
    `INSERT INTO known_details VALUES ('oak-trust', 'members', '2026-01', 'Email', 9, 12)`,
    `INSERT INTO form_links VALUES ('digest', 'oak-trust', 'form-1', 'members', 'member-1', '2026-01-01', '2026-01-01', '2026-01-01', '{}', '{}')`,
  ])
    await DB.prepare(statement).run()
}
