import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { expect } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import { saveMapping } from '../../src/store/imports/mappings.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { cachePairCount, dismissPair } from '../../src/store/people/duplicates.ts'
import { setRule } from '../../src/store/settings/retention.ts'
import { createSavedView } from '../../src/store/settings/saved-views.ts'
import {
  bookingLinks,
  eventQuestions,
  formLinks,
  mailingMessages,
  mailings,
  publicPages,
  signUpRequests,
  signUps,
  unsubscribeLinks,
} from '../../src/store/sign-up-tables.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { putEverything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import { newOrganisation, request } from '../organisation.ts'
import { packColumns } from '../store/pack-columns.ts'
import { rows } from '../store/whole-index.ts'
import { newReceivers, newWebhook } from '../webhooks/receivers.ts'

/** An organisation with data in every table. Its members contain `secret`. */
export async function newFilledOrganisation(secret: string, memberCount = 1200) {
  const organisation = await newOrganisation()
  const { id, key } = organisation
  await putEverything(organisation)
  const members = Array.from({ length: memberCount }, (_, index) => ({
    id: `m${index}`,
    document: { 'Full Name': secret, place: index },
  }))
  const pages = { organisationId: id, enabled: 1, settings: JSON.stringify({ text: secret }) }
  await drizzle(env.DB).insert(publicPages).values(pages)
  await drizzle(env.DB).insert(signUps).values({
    organisationId: id,
    bookingId: 'gone',
    eventId: 'event-1',
    personHash: secret,
    contact: '{}',
    answers: '{}',
    questionAnswers: '{}',
    deleteAfter: '2999-01-01',
  })
  await drizzle(env.DB)
    .insert(signUpRequests)
    .values({
      organisationId: id,
      id: 'request',
      eventId: 'event-1',
      signUp: JSON.stringify({ text: secret }),
      created: '2026-01-01T00:00:00.000Z',
      attempts: 1,
      due: '2999-01-01T00:00:00.000Z',
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
  await drizzle(env.DB)
    .insert(mailings)
    .values({
      organisationId: id,
      id: 'mailing',
      purpose: 'event',
      recordId: 'event-1',
      content: JSON.stringify({ text: secret }),
      recipients: 1,
      created: '2026-01-01T00:00:00.000Z',
      createdBy: 'a test',
      deleteAfter: '2999-01-01',
    })
  await drizzle(env.DB).insert(mailingMessages).values({
    organisationId: id,
    mailingId: 'mailing',
    address: secret,
    recipient: '{}',
    state: 'sent',
    updated: '2026-01-01T00:00:00.000Z',
  })
  await drizzle(env.DB)
    .insert(unsubscribeLinks)
    .values({ organisationId: id, addressHash: 'digest', hash: secret, created: '2026-01-01' })
  const webhook = await newWebhook(newReceivers(), id)
  await organisation.put('members', members)
  await organisation.put('members', [{ id: 'm0', document: { 'Full Name': `${secret} King` } }])
  await rows("DELETE FROM records WHERE organisation_id = ? AND id = 'm5'", id)
  const message = "'members', 'm0', 'msg_1', 'member.updated', 1, '[]', '2025-01-01'"
  await rows(
    `INSERT INTO webhook_attempts (
      webhook_id, attempted, collection, record_id, message_id, type, version, changed, at, attempt, status, failure, duration_ms, response
    ) VALUES (?, '2025-01-01', ${message}, 1, 500, 'no', 7, 'busy')`,
    webhook.id,
  )
  await rows(
    `INSERT INTO webhook_outbox (
      webhook_id, collection, record_id, message_id, type, version, changed, at, attempts, first_attempt, due
    ) VALUES (?, ${message}, 1, '2025-01-01', '2999-01-01')`,
    webhook.id,
  )
  await rows("INSERT INTO attendance_marks VALUES (?, 'booking-1', 'expected', 1)", id)
  await rows("INSERT INTO known_details VALUES (?, 'members', '2025-01', 'Email', 9, 12)", id)
  const origins = { origins: ['https://www.example.org'] }
  await createKey(env, id, 'page', 'a test', undefined, undefined, origins)
  await organisation.add(`ana@${id}.test`)
  await new RunningImport(operatorStore(env.DB, id), {
    collection: 'members',
    source: { name: 'a.csv', size: 0 },
  }).finish({
    created: 1200,
    updated: 0,
    unchanged: 0,
    rejected: 0,
  })
  await saveMapping(operatorStore(env.DB, id), 'digest', '{}')
  await createSavedView(operatorStore(env.DB, id), { page: 'reports', name: secret, query: '' })
  await dismissPair(operatorStore(env.DB, id), 'members', ['m1', 'm2'])
  await cachePairCount(operatorStore(env.DB, id), 'members', 1)
  const response = await request('/members', {
    method: 'POST',
    headers: { 'x-api-key': key, 'Content-Type': 'application/json', 'Idempotency-Key': id },
    body: JSON.stringify({ 'Full Name': secret }),
  })
  expect(response.status).toBe(201)
  await flushKeyUse(env, Date.now())
  const rule = { collection: 'events', field: 'start', age: '7 years' }
  await setRule(administeredStore(env.DB, id, 'a test'), rule)
  await packColumns(env.DB, id)
  return organisation
}
