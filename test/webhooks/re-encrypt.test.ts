import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runSchedule } from '../../src/schedule.ts'
import { listDatabases } from '../../src/store/databases.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { addWebhook, rotateSecret } from '../../src/webhooks/new-secret.ts'
import { checkWebhookKey, reEncryptSecrets } from '../../src/webhooks/re-encrypt.ts'
import { rotateAllSecrets } from '../../src/webhooks/rotate-all.ts'
import { generateWebhookKey } from '../../src/webhooks/secret.ts'
import { listAudit } from '../audit.ts'
import { failingDatabase } from '../faults/failing-database.ts'
import { newOrganisation } from '../organisation.ts'
import { holdClock, minute, newReceivers, newWebhook } from './receivers.ts'

holdClock()

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

const oldKey = env.WEBHOOK_KEY
const newKey = generateWebhookKey()
const both = { DB: env.DB, WEBHOOK_KEY: oldKey, WEBHOOK_KEY_NEXT: newKey }

// Other tests leave webhooks in the same databases.
afterEach(async () => {
  for (const [, DB] of listDatabases(env))
    await reEncryptSecrets({ DB, WEBHOOK_KEY: newKey, WEBHOOK_KEY_NEXT: oldKey }, Date.now())
})

const encryptedSecrets = async (id: string) =>
  env.DB.prepare('SELECT secret, previous_secret FROM webhooks WHERE id = ?').bind(id).first()

const unreadableWith = async (key: string, d1 = env.DB) =>
  (await checkWebhookKey(d1, key)).unreadable.map(({ id }) => id)

/** An organisation with a webhook in its day after a rotation, and a function that changes a record and delivers. */
async function newFollower() {
  const { run, bindings, ...world } = newReceivers()
  const organisation = await newOrganisation()
  const webhook = await newWebhook(world, organisation.id)
  const rotated = await rotateSecret(env, webhook.store, webhook.id)
  // The receiver verifies the signature of every secret.
  webhook.secrets.push(String(rotated?.secret))
  let count = 0
  const deliverWith = async (keys: { WEBHOOK_KEY: string; WEBHOOK_KEY_NEXT?: string }) => {
    Object.assign(bindings, { WEBHOOK_KEY_NEXT: undefined }, keys)
    await organisation.put('events', [{ id: 'e', document: { name: `Name ${++count}` } }])
    await run([organisation.id])
    return (await webhook.attempts()).map(({ status }) => status)
  }
  return { ...organisation, webhook, deliverWith, world }
}

test('messages are signed with both secrets before, during and after a change of WEBHOOK_KEY', async () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { webhook, deliverWith } = await newFollower()
  const { id } = webhook
  expect(await deliverWith({ WEBHOOK_KEY: oldKey })).toEqual([200])
  expect(await deliverWith(both)).toEqual([200, 200])
  await reEncryptSecrets(both, Date.now())
  expect(await deliverWith(both)).toEqual([200, 200, 200])
  expect(await unreadableWith(newKey)).not.toContain(id)
  expect(await unreadableWith(oldKey)).toContain(id)
  expect(await deliverWith({ WEBHOOK_KEY: newKey, WEBHOOK_KEY_NEXT: newKey })).toEqual([
    200, 200, 200, 200,
  ])
  expect(await deliverWith({ WEBHOOK_KEY: newKey })).toEqual([200, 200, 200, 200, 200])
  expect(webhook.arrived).toHaveLength(5)
  const lines = log.mock.calls.flat().join()
  expect(lines).toMatch(/^{"event":"webhook-secrets","reEncrypted":\d+,"unreadable":\d+}$/)
})

test('the schedule replaces the key in every database', async () => {
  for (const database of ['DB', 'DB_2'] as const) {
    const { id: organisationId, storage } = await newOrganisation(null, database)
    const settings = { url: 'https://hooks.test/', collections: ['events'], changes: ['created'] }
    const { id } = await addWebhook(
      storage,
      administeredStore(storage.DB, organisationId, 'a test'),
      settings,
    )
    await runSchedule({ ...env, WEBHOOK_KEY_NEXT: newKey, VERSION: undefined }, Date.now())
    expect(await unreadableWith(newKey, storage.DB)).not.toContain(id)
    expect(await unreadableWith(oldKey, storage.DB)).toContain(id)
  }
})

test('secrets of a new key are left, and secrets made during the change have it', async () => {
  const { webhook, world, id: organisationId } = await newFollower()
  await reEncryptSecrets(both, Date.now())
  const before = await encryptedSecrets(webhook.id)
  const late = await newWebhook(world, organisationId)
  const settings = { url: webhook.url, collections: ['events'], changes: ['created'] }
  const added = await addWebhook(both, webhook.store, settings)
  expect(await unreadableWith(newKey)).toContain(late.id)
  expect(await unreadableWith(newKey)).not.toContain(added.id)
  await reEncryptSecrets(both, Date.now())
  expect(await unreadableWith(newKey)).not.toContain(late.id)
  expect(await encryptedSecrets(webhook.id)).toEqual(before)
})

test('nothing is encrypted again by a wrong key, with one key, or soon after a deployment', async () => {
  const { webhook, deliverWith } = await newFollower()
  const before = await encryptedSecrets(webhook.id)
  const now = Date.now()
  const deployed = (minutes: number) => ({
    VERSION: { id: '', tag: '', timestamp: new Date(now - minutes * minute).toISOString() },
  })
  for (const keys of [
    { WEBHOOK_KEY: generateWebhookKey() },
    { WEBHOOK_KEY_NEXT: undefined },
    { WEBHOOK_KEY: undefined },
    deployed(14),
  ])
    await reEncryptSecrets({ ...both, ...keys }, now)
  expect(await encryptedSecrets(webhook.id)).toEqual(before)
  const wrong = { WEBHOOK_KEY: generateWebhookKey(), WEBHOOK_KEY_NEXT: newKey }
  expect(await deliverWith(wrong)).toEqual([null])
  await reEncryptSecrets({ ...both, ...deployed(15) }, now)
  expect(await unreadableWith(newKey)).not.toContain(webhook.id)
})

test('an interrupted run changes nothing by halves and can be repeated', async () => {
  const { webhook, deliverWith } = await newFollower()
  const before = await encryptedSecrets(webhook.id)
  const lost = failingDatabase('lost before', (call) => call > 0)
  await expect(reEncryptSecrets({ ...both, DB: lost.DB }, Date.now())).rejects.toThrow('D1_ERROR')
  expect(await encryptedSecrets(webhook.id)).toEqual(before)
  const unanswered = failingDatabase('lost after', (call) => call > 0)
  await expect(reEncryptSecrets({ ...both, DB: unanswered.DB }, Date.now())).rejects.toThrow()
  expect(await deliverWith(both)).toEqual([200])
  await reEncryptSecrets(both, Date.now())
  expect(await unreadableWith(newKey)).not.toContain(webhook.id)
})

test('a secret that is rotated while it is encrypted again stays the new one', async () => {
  const { webhook, deliverWith } = await newFollower()
  const { DB } = failingDatabase('lost before', async (call) => {
    if (call !== 1) return false
    const rotated = await rotateSecret(env, webhook.store, webhook.id)
    webhook.secrets.splice(0, 1)
    webhook.secrets.push(String(rotated?.secret))
    return false
  })
  await reEncryptSecrets({ ...both, DB }, Date.now())
  expect(await deliverWith(both)).toEqual([200])
})

test('webhooks of an organisation that moves, or is elsewhere, are not changed', async () => {
  for (const column of ['moving_to', 'database']) {
    const { webhook, id } = await newFollower()
    const set = (value: string | null) =>
      env.DB.prepare(`UPDATE organisations SET ${column} = ? WHERE id = ?`).bind(value, id).run()
    await set('DB_1')
    const before = await encryptedSecrets(webhook.id)
    await reEncryptSecrets(both, Date.now())
    expect(await encryptedSecrets(webhook.id)).toEqual(before)
    await set(null)
  }
})

test('after a key was lost, messages are sent as soon as the secrets are rotated', async () => {
  const { id, webhook, deliverWith } = await newFollower()
  expect(await deliverWith({ WEBHOOK_KEY: newKey })).toEqual([null])
  const storage = { DB: env.DB, WEBHOOK_KEY: newKey }
  const [rotated] = await rotateAllSecrets(storage, 'Ana', id)
  webhook.secrets.splice(0, 2, String(rotated?.secret))
  expect(await deliverWith({ WEBHOOK_KEY: newKey })).toEqual([200, null])
})

test('all secrets of an organisation are rotated at once, with an audit entry for each', async () => {
  const { id, webhook, deliverWith, world } = await newFollower()
  const [second, other] = [await newWebhook(world, id), await newFollower()]
  const before = await encryptedSecrets(other.webhook.id)
  const failing = failingDatabase('lost before', (call) => call > 0)
  await expect(rotateAllSecrets({ ...env, DB: failing.DB }, 'Ana', id)).rejects.toThrow('D1_ERROR')
  const rotated = await rotateAllSecrets(env, 'Ana', id)
  const expected = [webhook, second].map(({ id: webhookId, url }) => [id, webhookId, url])
  expect(
    rotated.map(({ organisationId, id, url }) => [organisationId, id, url]).toSorted(),
  ).toEqual(expected.toSorted())
  const entries = (await listAudit(env.DB, id)).filter(({ actor }) => actor === 'Ana')
  const entry = ['rotated the secret of webhook', 'hooks.charity.org.uk']
  expect(entries.map(({ action, target }) => [action, target])).toEqual([entry, entry])
  expect(await encryptedSecrets(other.webhook.id)).toEqual(before)
  // The one before stays valid for a day, the one before that does not.
  webhook.secrets.splice(0, 1)
  webhook.secrets.push(String(rotated.find((one) => one.id === webhook.id)?.secret))
  expect(await deliverWith({ WEBHOOK_KEY: oldKey })).toEqual([200])
})
