import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { deleteWebhooksOfEndedKeys } from '../../src/store/webhooks/webhooks.ts'
import { changeKey, createKey, revokeKey, rotateKey } from '../keys.ts'
import {
  advanceClock,
  day,
  holdClock,
  newReceivers,
  newWebhook,
  ok,
  status,
} from '../webhooks/receivers.ts'
import { newWriter, type Writer } from './writing.ts'

holdClock()

const permissions = ['read', 'manage-webhooks']

type Message = { type: string; data: { id: string; changed: string[] } }

/** An integration with a key that manages webhooks. */
async function newIntegration(
  { id: organisationId }: Pick<Writer, 'id'>,
  { receivers, write }: Pick<ReturnType<typeof newReceivers>, 'receivers' | 'write'>,
  restrictions: Restrictions = {},
  expires?: string,
) {
  const name = crypto.randomUUID()
  const { id, key } = await createKey(
    env,
    organisationId,
    name,
    'a test',
    expires,
    permissions,
    restrictions,
  )
  const url = `https://${name}.charity.org.uk/hook`
  const arrived: Message[] = []
  const subscription: { secret?: string; webhookId?: string } = {}
  let answer = ok
  receivers.set(url, async (request) => {
    const body = await request.clone().text()
    new Webhook(String(subscription.secret)).verify(body, Object.fromEntries(request.headers))
    const response = await answer(request)
    if (response.ok) arrived.push(JSON.parse(body))
    return response
  })
  return {
    keyOf: { organisationId, id, by: 'a test' },
    url,
    arrived,
    subscription,
    send: (method: string, path: string, body?: unknown) => write(key, method, path, body),
    async subscribe(collections: readonly string[], changes = ['created', 'updated', 'deleted']) {
      const response = await write(key, 'POST', '/webhooks', { url, collections, changes })
      expect(response.status).toBe(201)
      const { webhook } = await response.json<{ webhook: typeof subscription }>()
      return Object.assign(subscription, webhook)
    },
    answer(by: typeof answer) {
      answer = by
    },
    types: () => arrived.map(({ type, data }) => `${type} ${data.id}`),
  }
}

/** Sends writes with the organisation's key. Its messages wait until the test delivers them. */
const sender =
  ({ write }: Pick<ReturnType<typeof newReceivers>, 'write'>, { key }: Pick<Writer, 'key'>) =>
  async (method: string, path: string, body?: unknown) => {
    const response = await write(key, method, path, body)
    if (!response.ok) throw new Error(await response.text())
  }

test('a key adds a webhook, sees a sample and its list, receives signed messages and deletes it', async () => {
  const world = newReceivers()
  const organisation = await newWriter()
  const send = sender(world, organisation)
  const integration = await newIntegration(organisation, world)
  const sample = await integration.send('GET', '/webhooks/$sample?collection=events')
  expect(await sample.json()).toMatchObject({ type: 'event.created', data: { id: 'example' } })
  const { secret, webhookId } = await integration.subscribe(['events'], ['created'])
  expect(secret).toMatch(/^whsec_/)
  const listed = await integration.send('GET', '/webhooks')
  expect(await listed.json()).toEqual({
    webhooks: [
      {
        webhookId,
        url: integration.url,
        collections: ['events'],
        changes: ['created'],
        state: 'active',
        reason: null,
        created: expect.any(String),
        lastSuccess: null,
      },
    ],
  })
  await send('PUT', '/events/open-day', { name: 'Open day' })
  await send('PUT', '/funds/small', { name: 'Small grants', recipientType: 'individual' })
  await world.run([organisation.id])
  const [message] = integration.arrived
  expect(integration.types()).toEqual(['event.created open-day'])
  const latest = await integration.send('GET', '/webhooks/$sample?collection=events')
  expect(await latest.json()).toEqual(message)
  const path = `/webhooks/${webhookId}`
  expect((await integration.send('DELETE', path)).status).toBe(204)
  expect((await integration.send('DELETE', path)).status).toBe(404)
  await send('PUT', '/events/evening', { name: 'Open evening' })
  await world.run([organisation.id])
  expect(integration.arrived).toEqual([message])
})

test('a key lists and removes only its own webhooks', async () => {
  const world = newReceivers()
  const [organisation, stranger] = await Promise.all([newWriter(), newWriter()])
  const mine = await newIntegration(organisation, world)
  const others = [await newIntegration(organisation, world), await newIntegration(stranger, world)]
  const administrators = await newWebhook(world, organisation.id)
  const { webhookId } = await mine.subscribe(['events'])
  for (const other of others) {
    expect(await (await other.send('GET', '/webhooks')).json()).toEqual({ webhooks: [] })
    expect((await other.send('DELETE', `/webhooks/${webhookId}`)).status).toBe(404)
  }
  expect((await mine.send('DELETE', `/webhooks/${administrators.id}`)).status).toBe(404)
  const found = await (await mine.send('GET', '/webhooks')).json<{ webhooks: unknown[] }>()
  expect(found.webhooks).toMatchObject([{ webhookId }])
  expect(await administrators.shown()).toMatchObject({ keyId: null })
})

test('messages tell only what the key may read when they are sent', async () => {
  const world = newReceivers()
  const organisation = await newWriter()
  const send = sender(world, organisation)
  const all = await newIntegration(organisation, world)
  const restrictions = {
    privateNotes: false,
    hideFields: ['email', 'venue'],
    collections: ['members', 'case-notes', 'events'],
  } as const
  const restricted = await newIntegration(organisation, world, restrictions)
  const refused = await restricted.send('POST', '/webhooks', {
    url: restricted.url,
    collections: ['events', 'bookings'],
    changes: ['created'],
  })
  expect(refused.status).toBe(403)
  await restricted.subscribe(['members', 'case-notes', 'events'])
  await all.subscribe(['members', 'case-notes', 'events'])
  await send('PUT', '/members/ada', { 'Full Name': 'Ada', Email: 'ada@example.org' })
  const note = { content: 'A call', isPrivate: false }
  await send('PUT', '/case-notes/open', note)
  await send('PUT', '/case-notes/secret', { ...note, isPrivate: true })
  await send('PUT', '/events/walk', { name: 'Walk', venue: { name: 'Park' } })
  await world.run([organisation.id])
  await send('PUT', '/case-notes/open', { ...note, isPrivate: true })
  await send('PATCH', '/members/ada', { Email: 'ada@new.example.org' })
  await send('DELETE', '/case-notes/secret')
  await world.run([organisation.id])
  expect(restricted.types().toSorted()).toEqual([
    'caseNote.created open',
    'caseNote.deleted open',
    'event.created walk',
    'member.created ada',
    'member.updated ada',
  ])
  expect(all.types().toSorted()).toEqual([
    'caseNote.created open',
    'caseNote.created secret',
    'caseNote.deleted secret',
    'caseNote.updated open',
    'event.created walk',
    'member.created ada',
    'member.updated ada',
  ])
  expect(all.arrived.flatMap(({ data }) => data.changed)).toEqual(
    expect.arrayContaining(['Email', 'venue']),
  )
  const changed = restricted.arrived.flatMap(({ data }) => data.changed)
  expect(changed).toEqual(expect.arrayContaining(['Full Name', 'name']))
  expect(changed).not.toContain('Email')
  expect(changed).not.toContain('venue')
  const sample = await restricted.send('GET', '/webhooks/$sample?collection=case-notes')
  expect(await sample.json()).toMatchObject({ data: { id: 'example' } })
  const hidden = await restricted.send('GET', '/webhooks/$sample?collection=bookings')
  expect(hidden.status).toBe(403)
})

test('a message that waits is dropped when its key may no longer read the record', async () => {
  const world = newReceivers()
  const organisation = await newWriter()
  const integration = await newIntegration(organisation, world)
  await integration.subscribe(['case-notes', 'events', 'funds'])
  integration.answer(status(503))
  const note = { content: 'A call', isPrivate: true }
  await sender(world, organisation)('PUT', '/case-notes/secret', note)
  await sender(world, organisation)('PUT', '/funds/small', {
    name: 'Small grants',
    recipientType: 'individual',
  })
  await sender(world, organisation)('PUT', '/events/walk', { name: 'Walk' })
  for (let round = 0; round < 3; round++) {
    await world.run([organisation.id])
    advanceClock(day)
  }
  integration.answer(ok)
  await changeKey(env.DB, integration.keyOf, {
    permissions,
    restrictions: { privateNotes: false, collections: ['case-notes', 'events'] },
  })
  await world.run([organisation.id])
  expect(integration.types()).toEqual(['event.created walk'])
})

test('a webhook ends with its key, and moves to its replacement', async () => {
  const world = newReceivers()
  const organisation = await newWriter()
  const soon = new Date(Date.now() + day).toISOString()
  const [revoked, weakened, rotated] = [
    await newIntegration(organisation, world),
    await newIntegration(organisation, world),
    await newIntegration(organisation, world),
  ]
  const expired = await newIntegration(organisation, world, {}, soon)
  const all = [revoked, weakened, rotated, expired]
  for (const integration of all) await integration.subscribe(['events'])
  await revokeKey(env.DB, revoked.keyOf)
  await changeKey(env.DB, weakened.keyOf, { permissions: ['read'], restrictions: {} })
  const replacement = await rotateKey(env, rotated.keyOf, 0)
  advanceClock(2 * day)
  await sender(world, organisation)('PUT', '/events/walk', { name: 'Walk' })
  await world.run([organisation.id])
  expect(all.map(({ arrived }) => arrived.length)).toEqual([0, 0, 1, 0])
  const list = await world.write(String(replacement?.key), 'GET', '/webhooks')
  expect(await list.json()).toMatchObject({
    webhooks: [{ webhookId: rotated.subscription.webhookId }],
  })
  await deleteWebhooksOfEndedKeys(env.DB, Date.now())
  const ids = await env.DB.prepare('SELECT key_id AS id FROM webhooks WHERE organisation_id = ?')
    .bind(organisation.id)
    .all()
  expect(ids.results).toEqual(
    expect.arrayContaining([{ id: replacement?.id }, { id: weakened.keyOf.id }]),
  )
  expect(ids.results).toHaveLength(2)
})

const valid = {
  url: 'https://hooks.charity.org.uk/a',
  collections: ['events'],
  changes: ['created'],
}

test.for([
  ['url', { ...valid, url: 'http://hooks.charity.org.uk/a' }],
  ['url', { ...valid, url: 'https://10.0.0.1/' }],
  ['url', { ...valid, url: 'https://api.test/api/v1/webhooks' }],
  ['collections', { ...valid, collections: [] }],
  ['collections.0', { ...valid, collections: ['eventz'] }],
  ['changes', { url: valid.url, collections: ['events'] }],
  ['changes.0', { ...valid, changes: ['moved'] }],
  ['secret', { ...valid, secret: 'mine' }],
] as const)('a webhook with a wrong %s is refused, and nothing is added', async ([field, body]) => {
  const world = newReceivers()
  const organisation = await newWriter()
  const { send } = await newIntegration(organisation, world)
  const response = await send('POST', '/webhooks', body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    message: expect.stringMatching(`^${field}: must|^${field}: is`),
  })
  expect(await (await send('GET', '/webhooks')).json()).toEqual({ webhooks: [] })
})

test('keys without the permission are refused', async () => {
  const { readingKey, get } = await newWriter()
  const { write } = newReceivers()
  const requests: [string, string, unknown?][] = [
    ['GET', '/webhooks'],
    ['GET', '/webhooks/$sample?collection=events'],
    ['POST', '/webhooks', valid],
    ['DELETE', '/webhooks/unknown'],
  ]
  for (const [method, path, body] of requests) {
    const response = await write(readingKey, method, path, body)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('`manage-webhooks`')
  }
  expect((await get('/webhooks', { headers: {} })).status).toBe(401)
})
