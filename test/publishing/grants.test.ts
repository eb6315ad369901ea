import { env } from 'cloudflare:workers'
import { dereference, type Schema, validate } from '@cfworker/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { app } from '../../src/app.ts'
import { threeSixtyGiving } from '../../src/import/adapters/import-grants.ts'
import { textSource } from '../../src/import/source/source.ts'
import { saveGrantPublishing } from '../../src/publishing/settings.ts'
import sample from '../cli/fixtures/360giving-sample.json'
import { newSignedIn } from '../dashboard/signed-in.ts'
import { everything } from '../examples/everything.ts'
import { newWriter } from '../resources/writing.ts'
import packageSchema from './360giving/360-giving-package-schema.json'
import grantSchema from './360giving/360-giving-schema.json'

const origin = 'https://data.test'

type Grant = Record<string, unknown> & { id: string }

// The package names the grant's schema by another patch version than the schema has.
const reference = packageSchema.properties.grants.items.$ref
const schemas = dereference({ ...grantSchema, $id: reference } as Schema)
dereference(packageSchema as Schema, schemas)

const defaults = { isOn: true, prefix: '360G-oak', funder: 'GB-CHC-1234567', hasDescriptions: true }

/** An organisation that publishes its grants. */
async function newPublisher(settings: object = {}) {
  const organisation = await newWriter(null)
  const { id } = organisation
  const store = operatorStore(env.DB, id)
  await saveGrantPublishing(store, { ...defaults, ...settings })
  const visit = (path: string, headers: Record<string, string> = {}) =>
    app.request(
      `${origin}/o/${id}/${path}`,
      { headers: { 'CF-Connecting-IP': crypto.randomUUID(), ...headers } },
      env,
    )
  const read = async () => {
    const response = await visit('grants.json')
    expect(response.status).toBe(200)
    return response.json<{ grants: Grant[] }>()
  }
  const application = (values: object) => ({
    ...everything['grant-applications']?.document,
    ...values,
  })
  return {
    ...organisation,
    store,
    visit,
    read,
    /** Stores applications, each with the properties of one that is ready. */
    putApplications: (...values: ({ applicationId: string } & Record<string, unknown>)[]) =>
      organisation.put(
        'grant-applications',
        values.map((value) => ({
          id: value.applicationId,
          document: application({ ...ready, ...value }),
        })),
      ),
  }
}

const ready = {
  managedBy: 'oak',
  recipient: {
    ...{ name: 'The Well', type: 'organisation', organisationId: 'org-9' },
    ...{ registeredId: '1234567', registrationType: 'charity', postcode: '', address: '' },
    ...{ email: 'well@example.org', phone: '', country: '' },
  },
}

const judge = (value: unknown) =>
  validate(value, packageSchema as Schema, '2020-12', schemas).errors

test('an organisation that does not publish answers as one that does not exist', async () => {
  const { store, visit } = await newPublisher()
  await saveGrantPublishing(store, { ...defaults, isOn: false })
  for (const file of ['grants.json', 'grants.csv', 'grants.xlsx']) {
    const off = await visit(file)
    const unknown = await app.request(`${origin}/o/nobody/${file}`, {}, env)
    expect([off.status, await off.text()]).toEqual([404, await unknown.text()])
    expect(unknown.status).toBe(404)
  }
  const error = saveGrantPublishing(store, { isOn: true, prefix: 'oak' })
  await expect(error).rejects.toThrow('prefix: must be your prefix of 360Giving')
  await expect(saveGrantPublishing(store, { isOn: true })).rejects.toThrow(
    'prefix: must be set while grants are published.',
  )
})

test('a grant is published in the form of the standard, in three formats', async () => {
  const { id, visit, read, put, putApplications } = await newPublisher()
  await put('funds', [
    { id: 'warm', document: { fundId: 'warm', name: 'Warm Rooms', identifier: 'W' } },
  ])
  await putApplications({ applicationId: 'a', fundId: 'warm', title: '=Soup', amountDisbursed: 1 })
  const payments = [
    ['one', 1000.1, 'PAID'],
    ['two', 0.2, 'PAID'],
    ['three', 7, 'PENDING'],
  ] as const
  await put(
    'disbursements',
    payments.map(([id, amount, status]) => ({
      id,
      document: {
        ...{ disbursementId: id, grantId: 'a', amount, currency: 'GBP', status },
        dates: { scheduled: null, processed: '2026-11-02T10:14:00.000Z' },
      },
    })),
  )
  const published = await read()
  expect(judge(published)).toEqual([])
  expect(published).toMatchObject({
    version: '1.4',
    license: 'https://creativecommons.org/licenses/by/4.0/',
    downloadURL: `${origin}/o/${id}/grants.json`,
    publisher: { identifier: 'GB-CHC-1234567' },
    grants: [
      {
        id: '360G-oak-a',
        title: '=Soup',
        amountAwarded: 4500.25,
        amountDisbursed: 1000.3,
        awardDate: '2025-04-01',
        recipientOrganization: [
          { id: 'GB-CHC-1234567', name: 'The Well', charityNumber: '1234567' },
        ],
        grantProgramme: [{ code: 'W', title: 'Warm Rooms' }],
        disbursementTransaction: [
          { id: 'one', transactionDate: '2026-11-02', currency: 'GBP', value: 1000.1 },
          { id: 'two', transactionDate: '2026-11-02', currency: 'GBP', value: 0.2 },
        ],
      },
    ],
  })
  const csv = await visit('grants.csv')
  expect(csv.headers.get('Content-Type')).toContain('text/csv')
  const [head, row] = (await csv.text()).replace('\uFEFF', '').split('\r\n')
  expect(head).toContain('Identifier,Title,Description,Currency,Amount Applied For')
  expect(row).toContain("360G-oak-a,'=Soup,A warm place to be,GBP,5000,4500.25,1000.3,2025-04-01")
  const workbook = await visit('grants.xlsx')
  const bytes = new Uint8Array(await workbook.arrayBuffer())
  expect([workbook.status, String.fromCharCode(...bytes.slice(0, 2))]).toEqual([200, 'PK'])
})

test('published data may be stored and read by other websites, and has an ETag that follows changes', async () => {
  const { store, visit, putApplications } = await newPublisher()
  await putApplications({ applicationId: 'a' })
  const first = await visit('grants.json')
  const etag = first.headers.get('ETag') ?? ''
  await first.text()
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=600',
  })
  expect(first.headers.has('Vary')).toBe(false)
  const again = await visit('grants.json', { 'If-None-Match': etag })
  expect([again.status, again.headers.get('ETag'), again.headers.get('Cache-Control')]).toEqual([
    304,
    etag,
    'public, max-age=600',
  ])
  const kept = await visit('grants.json')
  expect([kept.headers.get('ETag'), (await kept.text()).length]).toEqual([etag, expect.any(Number)])
  await putApplications({ applicationId: 'b' })
  const changed = await visit('grants.json', { 'If-None-Match': etag })
  expect([changed.status, (await changed.json<{ grants: Grant[] }>()).grants.length]).toEqual([
    200, 2,
  ])
  const second = changed.headers.get('ETag') ?? ''
  await saveGrantPublishing(store, { ...defaults, prefix: '360G-elm' })
  const renamed = await visit('grants.json', { 'If-None-Match': second })
  expect(await renamed.text()).toContain('360G-elm-a')
})

/** A text that must not become public. */
const secret = 'Xylophonia'

/** Adds the secret to every text of a document besides the properties with these paths. */
function plant(value: unknown, isPublic: (path: string) => boolean, path = ''): unknown {
  if (typeof value === 'string' && !isPublic(path)) return `${value}${secret}`
  if (Array.isArray(value)) return value.map((item) => plant(item, isPublic, path))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      plant(part, isPublic, path === '' ? name : `${path}.${name}`),
    ]),
  )
}

test('nothing is published but what the standard asks for, and nothing about an individual', async () => {
  const { visit, put, putApplications } = await newPublisher({
    hasDescriptions: false,
    hasIndividuals: true,
  })
  const structural =
    /^(?:bankAccount\.(?:accountNumber|sortCode)|applicationId|currency|status|managedBy|external\..*|created|updated|dates\..*|.*[dD]ate.*|.*At|.*deadline)$/
  const shown = /^(?:title|recipient\.(?:name|type|organisationId|registeredId|registrationType))$/
  const document = { ...everything['grant-applications']?.document, ...ready }
  const organisation = plant(document, (path) => structural.test(path) || shown.test(path))
  const individual = plant(document, (path) => structural.test(path))
  await putApplications(
    { ...Object(organisation), applicationId: 'a' },
    {
      ...Object(individual),
      applicationId: `person-${secret}`,
      recipient: { ...Object(individual).recipient, type: 'individual' },
    },
  )
  const payment = plant(
    everything.disbursements?.document,
    (path) => structural.test(path) || path === 'disbursementId',
  )
  await put('disbursements', [
    {
      id: 'd',
      document: { ...Object(payment), disbursementId: 'd', grantId: 'a', status: 'PAID' },
    },
    {
      id: 'e',
      document: {
        ...Object(payment),
        disbursementId: `e-${secret}`,
        grantId: `person-${secret}`,
        status: 'PAID',
      },
    },
  ])
  const { grants } = await (await visit('grants.json')).json<{ grants: Grant[] }>()
  expect(grants).toMatchObject([
    { id: '360G-oak-a' },
    {
      title: 'Grant to an individual',
      recipientIndividual: { name: 'Individual Recipient' },
    },
  ])
  expect(JSON.stringify(grants)).not.toContain(secret)
  expect(await (await visit('grants.csv')).text()).not.toContain(secret)
})

const statuses = ['applied', 'rejected', 'approved', 'fully_paid', 'completed']

test('what a follower reads equals what is public now, while grants change', async () => {
  const change = fc.oneof(
    fc.record({
      action: fc.constant('put' as const),
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      status: fc.constantFrom(...statuses),
      fundId: fc.constantFrom('warm', 'cold'),
      awarded: fc.constantFrom('2025-04-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z', null),
      type: fc.constantFrom('organisation', 'individual', ''),
      number: fc.constantFrom('1234567', '12', ''),
      amount: fc.constantFrom(10, 0, null),
    }),
    fc.record({ action: fc.constant('delete' as const), id: fc.constantFrom('a', 'b', 'c', 'd') }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const { send, visit, read, putApplications } = await newPublisher({
        funds: ['warm'],
        from: '2025-01-01',
      })
      const expected = new Map<string, boolean>()
      let etag = ''
      let followed: string[] = []
      for (const { id, ...next } of changes) {
        if (next.action === 'delete') {
          if (expected.delete(id)) await send('DELETE', `/grant-applications/${id}`)
        } else {
          const { status, fundId, awarded, type, number, amount } = next
          await putApplications({
            applicationId: id,
            status,
            fundId,
            amountAwarded: amount,
            dates: { ...Object(everything['grant-applications']?.document).dates, awarded },
            recipient: { ...ready.recipient, type, registeredId: number },
          })
          const isAwarded = ['approved', 'fully_paid', 'completed'].includes(status)
          const isSelected = fundId === 'warm' && awarded === '2025-04-01T00:00:00.000Z'
          const isComplete = number !== '12' && amount === 10
          expected.set(id, isAwarded && isSelected && isComplete && type !== 'individual')
        }
        const response = await visit('grants.json', { 'If-None-Match': etag })
        etag = response.headers.get('ETag') ?? ''
        if (response.status === 200) {
          const { grants } = await response.json<{ grants: Grant[] }>()
          followed = grants.map(({ id }) => id)
        }
        const current = [...expected].flatMap(([id, isPublic]) =>
          isPublic ? [`360G-oak-${id}`] : [],
        )
        expect(followed.toSorted()).toEqual(current.toSorted())
      }
      const { grants } = await read()
      if (grants.length > 0) expect(judge(await read())).toEqual([])
    }),
    { numRuns: 15 },
  )
})

test('published grants that are imported and published again are the same', async () => {
  const text = JSON.stringify(sample)
  const exportOf = async (json: string) => {
    const publisher = await newPublisher({ funder: 'GB-CHC-327114', hasIndividuals: true })
    const source = textSource('grants.json', json)
    const destination = {
      store: publisher.store,
      geography: env.GEOGRAPHY,
      organisationId: publisher.id,
    }
    await threeSixtyGiving.import(source, destination)
    return publisher.read()
  }
  const first = await exportOf(text)
  expect(judge(first)).toEqual([])
  expect(first.grants.length).toBeGreaterThan(10)
  const second = await exportOf(JSON.stringify(first))
  // Each organisation is the funder of what it publishes, at its own time.
  const comparable = ({ dateModified: _, fundingOrganization: _funder, ...grant }: Grant) => grant
  const byId = (one: Grant, other: Grant) => (one.id < other.id ? -1 : 1)
  expect(second.grants.toSorted(byId).map(comparable)).toEqual(
    first.grants.toSorted(byId).map(comparable),
  )
})

test('the page says what is missing, and publishes what is ready', async () => {
  const editor = await newSignedIn('editor')
  expect((await editor.visit('/publish-grants')).status).toBe(403)
  const { id, html, submit, put } = await newSignedIn('admin')
  const application = { ...everything['grant-applications']?.document, ...ready }
  await put('grant-applications', [
    { id: 'a', document: { ...application, applicationId: 'a' } },
    { id: 'b', document: { ...application, applicationId: 'b', title: 'Soup', amountAwarded: 0 } },
  ])
  const page = await html('/publish-grants')
  expect(page).toContain('Not public yet')
  expect(page).toContain('1 grant has no amount')
  expect(page).toContain(`/dashboard/${id}/records/grant-applications/b">Soup</a>`)
  const refused = await submit('/publish-grants', { isOn: 'on', prefix: 'oak' })
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('must be your prefix of 360Giving'),
  ])
  await submit('/publish-grants', { isOn: 'on', prefix: '360G-oak', funder: 'GB-CHC-1234567' })
  expect(await html('/publish-grants')).toContain(`${origin}/o/${id}/grants.json`)
  const published = await app.request(`${origin}/o/${id}/grants.json`, {}, env)
  expect((await published.json<{ grants: Grant[] }>()).grants.map(({ id }) => id)).toEqual([
    '360G-oak-a',
  ])
})
