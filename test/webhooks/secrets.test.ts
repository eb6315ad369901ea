import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { resendMessage, resendSince } from '../../src/store/webhooks/resend.ts'
import {
  maxWebhooks,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
} from '../../src/store/webhooks/webhooks.ts'
import { rotateSecret } from '../../src/webhooks/new-secret.ts'
import { generateSecret, generateWebhookKey } from '../../src/webhooks/secret.ts'
import { sendTestMessage } from '../../src/webhooks/test-message.ts'
import { listAudit } from '../audit.ts'
import { newOrganisation } from '../organisation.ts'
import { findText } from '../store/find-text.ts'
import { advanceClock, day, holdClock, newReceivers, newWebhook } from './receivers.ts'

holdClock()

test('no secret of a webhook is at rest, and none is read with another key', async () => {
  const { run, bindings, ...world } = newReceivers()
  const { id, put } = await newOrganisation()
  const { secret, attempts, arrived } = await newWebhook(world, id)
  for (const part of [secret, secret.slice(6), secret.slice(6, 20)])
    expect(await findText(env, part)).toEqual([])
  await put('events', [{ id: 'e', document: {} }])
  Object.assign(bindings, { WEBHOOK_KEY: generateWebhookKey() })
  await run([id])
  expect(arrived).toEqual([])
  expect(await attempts()).toMatchObject([
    { status: null, failure: expect.stringContaining('the secret cannot be decrypted') },
  ])
})

test('for a day after a rotation messages bear two signatures, and then the new one', async () => {
  const { run, ...world } = newReceivers()
  const { id, put } = await newOrganisation()
  const { store, id: webhookId, secrets, attempts } = await newWebhook(world, id)
  const secret = await rotateSecret(env, store, webhookId)
  // The receiver takes what every one of these has signed.
  secrets.push(String(secret?.secret))
  await put('events', [{ id: 'e', document: {} }])
  await run([id])
  secrets.shift()
  advanceClock(day)
  await put('events', [{ id: 'e', document: { name: 'A' } }])
  await run([id])
  secrets.push(generateSecret())
  await put('events', [{ id: 'e', document: { name: 'B' } }])
  await run([id])
  expect((await attempts()).map(({ status }) => status)).toEqual([null, 200, 200])
})

test("nobody acts on another organisation's webhook", async () => {
  const world = newReceivers()
  const [{ id }, other] = [await newOrganisation(), await newOrganisation()]
  const webhook = await newWebhook(world, id)
  const store = administeredStore(env.DB, other.id, 'a test')
  const before = await webhook.shown()
  expect(
    await Promise.all([
      ...[pauseWebhook, resumeWebhook, removeWebhook].map((acting) => acting(store, webhook.id)),
      rotateSecret(env, store, webhook.id),
      sendTestMessage(store, webhook.id),
      resendMessage(store, webhook.id, 'msg'),
      resendSince(store, webhook.id, '2020-01-01T00:00:00.000Z'),
    ]),
  ).toEqual([false, false, false, undefined, undefined, false, false])
  expect(await webhook.shown()).toEqual(before)
})

test("the audit log names only the host of a webhook's address", async () => {
  const { id } = await newOrganisation()
  const { store, id: webhookId, shown } = await newWebhook(newReceivers(), id)
  await rotateSecret(env, store, webhookId)
  await pauseWebhook(store, webhookId)
  await resumeWebhook(store, webhookId)
  expect(await shown()).toMatchObject({ state: 'active' })
  await removeWebhook(store, webhookId)
  const acts = (await listAudit(env.DB, id)).map(({ action, target }) => `${action} ${target}`)
  const host = 'hooks.charity.org.uk'
  expect(acts.slice(0, 5)).toEqual(
    ['removed', 'resumed', 'paused', 'rotated the secret of', 'added'].map(
      (done) => `${done} webhook ${host}`,
    ),
  )
})

test('an organisation has a number of webhooks at most', async () => {
  const { id } = await newOrganisation()
  const world = newReceivers()
  for (let secret = 0; secret < maxWebhooks; secret++) await newWebhook(world, id)
  await expect(newWebhook(world, id)).rejects.toThrow('at most 20 webhooks')
})
