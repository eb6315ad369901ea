import {
  createExecutionContext,
  createScheduledController,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { listAttempts } from '../../src/store/webhooks/list-webhooks.ts'
import { removeWebhook } from '../../src/store/webhooks/webhooks.ts'
import { changeNames } from '../../src/webhooks/message.ts'
import { addWebhook } from '../../src/webhooks/new-secret.ts'
import { errorOfD1 } from '../faults/d1-error.ts'
import { wrapDatabase } from '../faults/failing-database.ts'
import type { Host } from '../faults/network.ts'
import type { TestDatabase } from '../organisation.ts'
import { newWriter, type Writer } from '../resources/writing.ts'

/** A webhook that is sent to over the tests' network. */
async function newReceiver(
  { id: organisationId, storage }: Pick<Writer, 'id' | 'storage'>,
  path: string,
  host: Partial<Host>,
) {
  const origin = `https://${crypto.randomUUID()}.charity.org.uk`
  const setting = { pages: {}, ...host }
  await fetch(origin, { method: 'PUT', body: JSON.stringify(setting) })
  const webhook = { url: origin + path, collections: collectionNames, changes: changeNames }
  const store = administeredStore(storage.DB, organisationId, 'a test')
  const { id } = await addWebhook(storage, store, webhook)
  return {
    attempts: () => listAttempts(store, id),
    requests: async () => (await fetch(origin, { method: 'POST' })).json<string[]>(),
    remove: () => removeWebhook(store, id),
  }
}

test('the queue delivers changes of the API and follows no redirects', async () => {
  const organisation = await newWriter()
  const good = await newReceiver(organisation, '/hook', { pages: { '/hook': 'thanks' } })
  const elsewhere = await newReceiver(organisation, '/none', {})
  const moved = await newReceiver(organisation, '/old', {
    redirects: { '/old': 'https://elsewhere.org.uk/' },
  })
  await organisation.send('PUT', '/events/e', { name: 'A' })
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

/** Runs the schedule to its end. */
async function runScheduled(bindings = env) {
  const context = createExecutionContext()
  await worker.scheduled(createScheduledController(), bindings, context)
  await waitOnExecutionContext(context)
}

/** An organisation in a database with a change that its webhook has not sent. */
async function newDelivery(database?: TestDatabase) {
  const organisation = await newWriter(undefined, database)
  const receiver = await newReceiver(organisation, '/hook', { pages: { '/hook': '' } })
  await organisation.put('events', [{ id: 'e', document: {} }])
  return { ...organisation, ...receiver }
}

test('the schedule delivers changes in every database without a queue message', async () => {
  const deliveries = [await newDelivery(), await newDelivery('DB_1'), await newDelivery('DB_2')]
  await runScheduled()
  for (const { requests, remove } of deliveries) {
    expect(await requests()).toHaveLength(1)
    await remove()
  }
})

test('a database that fails delays no deliveries of another', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const [failing, other] = [await newDelivery('DB_1'), await newDelivery('DB_2')]
  const DB_1 = wrapDatabase(env.DB_1, () => Promise.reject(errorOfD1('a failure')))
  await runScheduled({ ...env, DB_1 })
  expect([await failing.requests(), await other.requests()]).toEqual([[], [expect.any(String)]])
  expect(log.mock.calls.join()).toContain('"event":"webhook","database":"DB_1"')
  log.mockRestore()
  for (const { remove } of [failing, other]) await remove()
})

test('a database sends nothing of an organisation that is moving or has left', async () => {
  const [moving, other] = [await newDelivery('DB_1'), await newDelivery('DB_1')]
  const set = (column: 'moving_to' | 'database', value: string | null) =>
    env.DB_1.prepare(`UPDATE organisations SET ${column} = ? WHERE id = ?`)
      .bind(value, moving.id)
      .run()
  await set('moving_to', 'DB_2')
  await runScheduled()
  expect([await moving.requests(), await other.requests()]).toEqual([[], [expect.any(String)]])
  await set('moving_to', null)
  await set('database', 'DB_2')
  await runScheduled()
  expect(await moving.requests()).toEqual([])
  await set('database', null)
  await runScheduled()
  expect(await moving.requests()).toHaveLength(1)
  for (const { remove } of [moving, other]) await remove()
})
