import {
  createExecutionContext,
  createScheduledController,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { listAttempts } from '../../src/webhooks/list-webhooks.ts'
import { changeNames } from '../../src/webhooks/message.ts'
import { addWebhook, removeWebhook } from '../../src/webhooks/webhooks.ts'
import type { Host } from '../faults/network.ts'
import { newWriter } from '../resources/writing.ts'

/** A webhook that is sent to over the tests' network. */
async function newReceiver(organisationId: string, path: string, host: Partial<Host>) {
  const origin = `https://${crypto.randomUUID()}.charity.org.uk`
  const setting = { pages: {}, ...host }
  await fetch(origin, { method: 'PUT', body: JSON.stringify(setting) })
  const webhook = { url: origin + path, collections: collectionNames, changes: changeNames }
  const { id } = await addWebhook(env, { organisationId, by: 'a test' }, webhook)
  return {
    attempts: () => listAttempts(env.DB, id),
    requests: async () => (await fetch(origin, { method: 'POST' })).json<string[]>(),
    remove: () => removeWebhook(env.DB, { organisationId, id, by: 'a test' }),
  }
}

test('the queue delivers changes of the API and follows no redirects', async () => {
  const { id, send } = await newWriter()
  const good = await newReceiver(id, '/hook', { pages: { '/hook': 'thanks' } })
  const elsewhere = await newReceiver(id, '/none', {})
  const moved = await newReceiver(id, '/old', {
    redirects: { '/old': 'https://elsewhere.org.uk/' },
  })
  await send('PUT', '/events/e', { name: 'A' })
  const all = [good, elsewhere, moved]
  await vi.waitUntil(
    async () =>
      (await Promise.all(all.map((it) => it.attempts()))).every(({ length }) => length > 0),
    { timeout: 10_000 },
  )
  expect(await good.requests()).toEqual([expect.stringMatching(/^\/hook {"type":"event.created"/)])
  expect(await good.attempts()).toMatchObject([{ status: 200, response: '"thanks"' }])
  expect(await elsewhere.attempts()).toMatchObject([{ status: 404 }])
  expect(await moved.attempts()).toMatchObject([{ status: 308 }])
  for (const { remove } of all) await remove()
})

test('the schedule delivers changes without a queue message', async () => {
  const { id, put } = await newWriter()
  const { requests, remove } = await newReceiver(id, '/hook', { pages: { '/hook': '' } })
  await put('events', [{ id: 'e', document: {} }])
  const context = createExecutionContext()
  await worker.scheduled(createScheduledController(), env, context)
  await waitOnExecutionContext(context)
  expect(await requests()).toHaveLength(1)
  await remove()
})
