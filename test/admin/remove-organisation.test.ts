import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { countContents, deleteOrganisation } from '../../src/admin/remove-organisation.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import { ImportRun } from '../../src/store/imports/import-run.ts'
import { saveMapping } from '../../src/store/imports/mappings.ts'
import { dismissPair, saveDuplicateCheck } from '../../src/store/people/duplicates.ts'
import { setRule } from '../../src/store/settings/retention.ts'
import { createSavedView } from '../../src/store/settings/saved-views.ts'
import {
  bookingLinks,
  eventQuestions,
  formLinks,
  publicPages,
  signUps,
} from '../../src/store/sign-up-tables.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { newOrganisation, request } from '../organisation.ts'
import { findText } from '../store/find-text.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { newReceivers, newWebhook } from '../webhooks/receivers.ts'

const nothing = () => {}

/** An organisation with data in every table. Its members contain `secret`. */
async function newFilledOrganisation(secret: string) {
  const organisation = await newOrganisation()
  const { id, key } = organisation
  await putEverything(organisation)
  const members = Array.from({ length: 1200 }, (_, index) => ({
    id: `m${index}`,
    document: { 'Full Name': secret, place: index },
  }))
  const pages = { organisationId: id, enabled: 1, settings: JSON.stringify({ text: secret }) }
  await drizzle(env.DB).insert(publicPages).values(pages)
  await drizzle(env.DB)
    .insert(signUps)
    .values({
      ...{ organisationId: id, bookingId: 'gone', eventId: 'event-1', personHash: secret },
      ...{ contact: '{}', answers: '{}', questionAnswers: '{}', deleteAfter: '2999-01-01' },
    })
  await drizzle(env.DB)
    .insert(bookingLinks)
    .values({ hash: secret, organisationId: id, bookingId: 'other', created: '' })
  await drizzle(env.DB)
    .insert(eventQuestions)
    .values({ organisationId: id, eventId: 'other', questions: '[]' })
  await drizzle(env.DB)
    .insert(formLinks)
    .values({ hash: `form ${secret}`, organisationId: id, formId: 'f', created: '', expires: '' })
  await newWebhook(newReceivers(), id)
  await organisation.put('members', members)
  await organisation.add(`ana@${id}.test`)
  await new ImportRun(operatorStore(env.DB, id), { collection: 'members', file: 'a.csv' }).finish({
    ...{ created: 1200, updated: 0 },
    ...{ unchanged: 0, rejected: 0 },
  })
  await saveMapping(env.DB, { organisationId: id, headings: 'digest' }, '{}')
  await createSavedView(operatorStore(env.DB, id), { page: 'reports', name: secret, query: '' })
  await dismissPair(operatorStore(env.DB, id), 'members', ['m1', 'm2'])
  await saveDuplicateCheck(operatorStore(env.DB, id), 'members', 1)
  const response = await request('/members', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': id },
    body: JSON.stringify({ 'Full Name': secret }),
  })
  expect(response.status).toBe(201)
  await flushKeyUse(env.DB, Date.now())
  const rule = { organisationId: id, collection: 'events', field: 'start', age: '7 years' }
  await setRule(env.DB, rule, 'a test')
  return organisation
}

const findAll = async (...texts: string[]) =>
  (await Promise.all(texts.map((text) => findText(env, text)))).flat()

test('of an organisation that is removed nothing is left, and another keeps all it has', async () => {
  const [secret, keptSecret] = [crypto.randomUUID(), crypto.randomUUID()]
  const [gone, other] = [
    await newFilledOrganisation(secret),
    await newFilledOrganisation(keptSecret),
  ]
  const storedResponses = await rows('SELECT id FROM idempotency_keys')
  expect(await countContents(env.DB, gone.id)).toMatchObject({
    collections: expect.arrayContaining([{ collection: 'members', records: 1202 }]),
    keys: 1,
    users: 1,
    webhooks: 1,
  })
  const before = await other.json('/members?limit=250&offset=900')
  await deleteOrganisation(env, gone.id, nothing)
  expect(await findAll(gone.id, secret)).toEqual([])
  expect(await countContents(env.DB, gone.id)).toBeUndefined()
  expect((await gone.get('/members')).status).toBe(401)
  expect(await rows('SELECT id FROM idempotency_keys')).toHaveLength(storedResponses.length - 1)
  expect(await rows('SELECT 1 FROM bitmaps WHERE term_id NOT IN (SELECT id FROM terms)')).toEqual(
    [],
  )
  expect(await other.json('/members?limit=250&offset=900')).toEqual(before)
  await expectOrganisationIndex(other.id)
  expect(Object.keys(everything).length).toBeGreaterThan(10)
})

test('a removal that was broken off leaves nobody in, and is finished by the next', async () => {
  const secret = crypto.randomUUID()
  const organisation = await newFilledOrganisation(secret)
  const broken = deleteOrganisation(env, organisation.id, (done) => {
    if (done > 0) throw new Error('broken off')
  })
  await expect(broken).rejects.toThrow('broken off')
  await expectOrganisationIndex(organisation.id)
  expect((await organisation.get('/members')).status).toBe(401)
  expect((await findAll(secret)).length).toBeGreaterThan(0)
  const done: number[] = []
  await deleteOrganisation(env, organisation.id, (number) => done.push(number))
  expect(done).toEqual([0, 500])
  expect(await findAll(organisation.id, secret)).toEqual([])
})
