import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { exportSettings } from '../../src/admin/settings/export-settings.ts'
import { importSettings } from '../../src/admin/settings/import-settings.ts'
import { textSource } from '../../src/import/source/source.ts'
import { sha256 } from '../../src/platform/sha256.ts'
import { saveBooksAllDates, saveEventQuestions } from '../../src/sign-up/event-questions.ts'
import { readPublicPages, savePublicPages } from '../../src/sign-up/public-pages.ts'
import { saveMapping } from '../../src/store/imports/mappings.ts'
import { listKeys } from '../../src/store/settings/list-keys.ts'
import { setVersionDays } from '../../src/store/settings/organisation.ts'
import { setRule } from '../../src/store/settings/retention.ts'
import { createSavedView } from '../../src/store/settings/saved-views.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { pauseWebhook } from '../../src/store/webhooks/webhooks.ts'
import { addWebhook } from '../../src/webhooks/new-secret.ts'
import { changeKey, createKey, revokeKey } from '../keys.ts'
import { newOrganisation, type TestDatabase } from '../organisation.ts'

const by = 'Ana Administrator'
const fields = [
  { id: 'Full Name', name: 'Full Name', label: 'Full Name', type: 'text', order: 0 },
  { id: 'Joined', name: 'Joined', label: 'Joined', type: 'date', order: 1 },
]
const logo = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
const mapping = {
  collection: 'members',
  timeZone: 'Europe/London',
  id: { columns: ['No'], isMade: false },
  match: [],
  same: {},
  columns: [{ heading: 'Gender', field: 'gender', as: 'option', values: { female: 'Woman' } }],
  fields: [],
}
const question = {
  id: 'diet',
  label: 'What do you eat?',
  purpose: 'The kitchen.',
  required: false,
  deleteAfter: '2099-01-01',
}
const pageSettings = {
  signUpFields: [{ id: 'Full Name', required: true }],
  privacyNotice: 'https://www.example.org/privacy',
}

async function newReceiver(database: TestDatabase = 'DB') {
  const { storage, ...organisation } = await newOrganisation(fields, database)
  await organisation.put('events', [
    { id: 'e', document: { name: 'Lunch' } },
    { id: 'e-1', document: { name: 'Lunch', parentEventId: 'e' } },
  ])
  const { DB } = storage
  return { ...organisation, DB, store: operatorStore(DB, organisation.id) }
}

/** An organisation with every setting, keys, webhooks and users. */
async function newFilled() {
  const organisation = await newReceiver()
  const { id, store, act } = organisation
  await organisation.add('ana@people.test', 'admin')
  const administered = administeredStore(env.DB, id, by)
  await setVersionDays(administered, 60)
  for (const [collection, field] of [
    ['case-notes', 'date'],
    ['members', 'Joined'],
  ] as const)
    await setRule(administered, { collection, field, age: '7 years' })
  const schema = (await readSchemas(env.DB, id)).members ?? { name: '', fields: [] }
  const pages = { enabled: true, settings: pageSettings, logo }
  await savePublicPages(administered, schema, pages)
  await saveEventQuestions(store, 'e', [question])
  await saveBooksAllDates(store, 'e', true)
  await createSavedView(store, { page: 'records/members', name: 'Leeds', query: 'Town=Leeds' })
  const headings = await sha256('Gender')
  await saveMapping(operatorStore(env.DB, id), headings, JSON.stringify(mapping))
  const restrictions = { collections: ['members'], hideFields: ['email'] } as const
  await changeKey(env.DB, act, { permissions: ['read'], restrictions })
  const revoked = await createKey(env, id, 'Old', by)
  await revokeKey(env.DB, { ...act, id: revoked.id })
  const url = 'https://hooks.example.org/in/path-token?token=query-token'
  const webhook = await addWebhook(env, administered, {
    url,
    collections: ['events'],
    changes: ['created'],
  })
  await pauseWebhook(administered, webhook.id)
  return { ...organisation, secrets: [revoked.key, webhook.secret, 'path-token', 'query-token'] }
}

const read = async ({ DB, id }: { DB: D1Database; id: string }) =>
  (await exportSettings(DB, id)).settings

/** Imports the settings of another organisation, as a file. */
async function restore(
  { id, store, DB }: Awaited<ReturnType<typeof newReceiver>>,
  content: string | object,
  { exportedBy = id, dry = false } = {},
) {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const source = textSource('settings.json', text)
  const schemas = await readSchemas(DB, id)
  const receiver = { d1: DB, store, schemas, by: 'command line' }
  return importSettings(source, receiver, { exportedBy, dry })
}

test('settings are exported and restored, and the keys and webhooks to create again listed', async () => {
  const [filled, receiver] = [await newFilled(), await newReceiver('DB_1')]
  const exported = await read(filled)
  const before = await read(receiver)
  const options = { exportedBy: filled.id }
  const planned = await restore(receiver, exported, { ...options, dry: true })
  expect(await read(receiver)).toEqual(before)
  const result = await restore(receiver, exported, options)
  expect(result).toEqual(planned)
  expect(result).toMatchObject({
    records: 7,
    created: 7,
    updated: 0,
    unchanged: 0,
    errors: [],
    settings: {
      existing: [],
      leftOut: [],
      hasClosedPages: true,
      restored: [
        'previous versions for 60 days',
        'retention of members older than 7 years by Joined',
        'retention of case-notes older than 7 years by date',
        'public pages',
        'questions of event e',
        'saved view “Leeds” of records/members',
        expect.stringMatching(/^mapping of files of members \(\w{8}…\)$/),
      ],
      // A key of the same name exists.
      keys: [],
      webhooks: [
        {
          host: 'hooks.example.org',
          collections: ['events'],
          changes: ['created'],
          state: 'paused',
        },
      ],
    },
  })
  const again = await read(receiver)
  expect(again).toMatchObject({ eventQuestions: [{ eventId: 'e', booksAllDates: true }] })
  expect(again).toEqual({
    ...exported,
    managedBy: receiver.id,
    name: expect.any(String),
    keys: expect.anything(),
    webhooks: [],
    publicPages: expect.objectContaining({ enabled: false, logo: expect.any(String) }),
  })
  const site = await readPublicPages(receiver.store)
  expect(site).toMatchObject({ enabled: false, hasLogo: true, settings: pageSettings })
  const repeated = await restore(receiver, exported, options)
  expect(repeated.settings).toMatchObject({
    restored: [],
    leftOut: [],
    hasClosedPages: false,
    existing: result.settings?.restored.slice(1),
  })
  expect(await read(receiver)).toEqual(again)
})

test('an export has no secret, hash or prefix of a key or webhook, and no user', async () => {
  const { id, key, secrets } = await newFilled()
  const text = JSON.stringify(await exportSettings(env.DB, id))
  const { results } = await env.DB.prepare(
    `SELECT prefix, hash, id FROM api_keys WHERE organisation_id = ?1
      UNION ALL SELECT secret, id, url FROM webhooks WHERE organisation_id = ?1`,
  )
    .bind(id)
    .all<Record<string, string>>()
  expect(results).toHaveLength(3)
  const stored = results.flatMap((row) => Object.values(row))
  for (const secret of [key, ...secrets, ...stored, by, 'ana@people.test'])
    expect(text).not.toContain(secret)
  expect(JSON.parse(text).settings.keys).toMatchObject([
    { name: 'test', permissions: ['read'], state: 'active' },
    { name: 'Old', state: 'revoked' },
  ])
})

test('existing settings stay, and unsuitable ones are left out with the reason', async () => {
  const [filled, receiver] = [await newFilled(), await newReceiver()]
  const exported = await read(filled)
  const { id } = receiver
  await setVersionDays(administeredStore(env.DB, id, by), 7)
  await setRule(administeredStore(env.DB, id, by), {
    collection: 'members',
    field: 'Joined',
    age: '1 day',
  })
  const file = {
    ...exported,
    retention: [
      { collection: 'members', field: 'Joined', age: '7 years' },
      { collection: 'partners', field: 'Left', age: '7 years' },
    ],
    publicPages: { enabled: true, settings: { signUpFields: [{ id: 'Shoe', required: true }] } },
    eventQuestions: [
      { eventId: 'gone', questions: [question] },
      { eventId: 'e-1', questions: [question], booksAllDates: true },
    ],
  }
  const { settings } = await restore(receiver, file, { exportedBy: filled.id })
  expect(settings?.existing).toEqual([
    'previous versions for 60 days',
    'retention of members older than 7 years by Joined',
  ])
  expect(settings?.leftOut).toEqual([
    'retention of partners older than 7 years by Left: the partners have no date Left.',
    'public pages: signUpFields: has Shoe, which is not a field for members to fill in.',
    'questions of event gone: There is no event with this id.',
    'questions of event e-1: There is no series of dates with this id.',
  ])
  expect(settings?.hasClosedPages).toBe(false)
  expect(await read(receiver)).toMatchObject({
    versionDays: 7,
    retention: [{ age: '1 day' }],
  })
})

test('the errors of an edited file name its fields, and nothing is restored', async () => {
  const receiver = await newReceiver()
  const before = await read(receiver)
  const errors = async (change: string | object) => {
    const content =
      typeof change === 'string' ? change : { managedBy: receiver.id, versionDays: 9, ...change }
    const result = await restore(receiver, content)
    expect(result).toMatchObject({ rejected: 1, created: 0 })
    return result.errors.map(({ column, message }) => `${column} ${message}`.trim())
  }
  expect(await errors('{')).toEqual(['is not valid JSON.'])
  expect(await errors('[]')).toEqual(['is not a JSON object.'])
  expect(await errors({ managedBy: 'other' })).toEqual([`managedBy must be ${receiver.id}.`])
  expect(await errors({ colour: 'red' })).toEqual(['colour is not a property here.'])
  expect(await errors({ versionDays: 91 })).toEqual(['versionDays must be at most 90.'])
  const rule = { collection: 'members', field: 'Joined', age: 'old' }
  expect(await errors({ retention: [rule] })).toEqual([
    'retention.0.age must be a number of days, months or years, such as 7 years.',
  ])
  const pages = { enabled: true, settings: { colour: 'red' }, logo: btoa('GIF') }
  expect(await errors({ publicPages: pages })).toEqual([
    'publicPages.settings.colour must be a colour, such as #3366cc.',
    'publicPages.logo must be a PNG image.',
  ])
  const view = { page: 'settings', name: '', query: '' }
  expect(await errors({ savedViews: [view] })).toEqual([
    expect.stringMatching(/^savedViews.0.page must be one of: reports\/view, records\/members,/),
    'savedViews.0.name must not be empty.',
  ])
  const key = { name: 'x', permissions: ['read', 'assistant', 'write'], restrictions: {} }
  expect(await errors({ keys: [{ ...key, expires: null, state: 'active' }] })).toEqual([
    'keys.0.permissions must be read and assistant for an assistant: its key cannot write.',
  ])
  const webhook = { host: 'x/y', collections: ['events'], changes: ['sold'], state: 'active' }
  expect(await errors({ webhooks: [webhook] })).toEqual([
    'webhooks.0.host must be a host, such as hooks.example.org.',
    'webhooks.0.changes.0 must be one of: created, updated, deleted.',
  ])
  expect(await read(receiver)).toEqual(before)
  expect(await listKeys(operatorStore(env.DB, receiver.id))).toHaveLength(1)
})
