import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test } from 'vitest'
import { prepareDemo } from '../../cli/prepare-demo.ts'
import { withBindings } from '../../cli/state/bindings.ts'
import { ensureLocalWebhookKey } from '../../cli/state/webhook-key.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { addWebhook } from '../../src/webhooks/webhooks.ts'
import { findFilesOthersCanAccess } from './file-modes.ts'
import { migratedState } from './migrated-state.ts'

const folder = await migratedState()
let service: ChildProcess | undefined

afterEach(stop)

/** Starts the service as the operator does; its port, and what it printed until it answered. */
async function start() {
  const port = await freePort()
  // A separate process group, so that no child outlives it.
  const options = ['--port', `${port}`, '--persist-to', folder, '--allow-local-webhooks']
  service = spawn(process.execPath, ['cli/start.ts', ...options], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    service?.on('exit', () => reject(new Error(output)))
    service?.stdout?.on('data', (chunk) => {
      output += chunk
      if (output.includes('/dashboard\n')) resolve()
    })
  })
  return { port, output }
}

async function stop() {
  if (!service?.pid || service.exitCode !== null) return
  const exited = once(service, 'exit')
  process.kill(-service.pid, 'SIGTERM')
  await exited
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

const get = (url: string, key: string) => fetch(url, { headers: { 'x-api-key': key } })

test('a start serves the demo of an earlier one with its key, and delivers changes', async () => {
  const { first, again, receiver } = await withBindings({ persistTo: folder }, async (bindings) => {
    const prepare = () => prepareDemo(bindings, { state: folder, address: 'http://localhost' })
    return {
      first: keysIn(await prepare()),
      again: keysIn(await prepare()),
      receiver: await webhookOfDemo(bindings.DB),
    }
  })
  const [key = ''] = first
  expect([again, new Set(first).size]).toEqual([first, 1])

  // The log file of a wrangler without our setting.
  const record = join(folder, 'v3/observability/of-before.sqlite')
  await mkdir(dirname(record), { recursive: true })
  await writeFile(record, '?code=hidden-from-the-disk')
  expect(await filesWith('hidden-from-the-disk')).toEqual([record])

  const { port, output } = await start()
  const [, greeting = ''] = output.split('Ready on')
  const base = `http://localhost:${port}`
  for (const text of [
    `${base}/docs`,
    key,
    `curl -H 'x-api-key: ${key}' '${base}/api/v1/members?limit=2'`,
  ])
    expect(greeting).toContain(text)
  expect(output.split(key)).toHaveLength(3)
  // The schedule delivers earlier changes, the queue later ones.
  await receiver.received('event.created')
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ 'Full Name': 'Ada Example' })
  const created = await fetch(`${base}/api/v1/members`, { method: 'POST', headers, body })
  expect(created.status).toBe(201)
  await receiver.received('member.created')
  receiver.close()
  const page = await get(`${base}/api/v1/members?limit=2`, key)
  expect(await page.json()).toMatchObject({ members: [{}, {}], offset: 0, limit: 2 })
  expect(await (await get(`${base}/api/v1/volunteers`, key)).json()).toMatchObject({ total: 20 })
  expect((await get(`${base}/api/v1/members`, 'sk_another')).status).toBe(401)
  expect((await fetch(`${base}/docs`)).status).toBe(200)
  const filtered = await get(`${base}/api/v1/events?name=hidden-from-the-disk`, key)
  expect(filtered.status).toBe(200)
  await stop()
  expect(await filesWith('hidden-from-the-disk')).toEqual([])
  expect(await findFilesOthersCanAccess(folder)).toEqual([])
})

/** The keys in printed lines. */
const keysIn = (lines: readonly string[]) => lines.join().match(/sk_\w+/g) ?? []

/** A receiver on this machine, told of what changes in the demo: of an event to begin with. */
async function webhookOfDemo(DB: D1Database) {
  const types: string[] = []
  const received = new EventEmitter()
  const server = createHttpServer(async (request, answer) => {
    const message = new Webhook(secret).verify(
      await text(request),
      request.headers as Record<string, string>,
    )
    types.push((message as { type: string }).type)
    received.emit('told')
    answer.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { key } = await ensureLocalWebhookKey(folder)
  const organisationId = 'demo'
  const { secret } = await addWebhook(
    { DB, WEBHOOK_KEY: key },
    { organisationId, by: 'a test' },
    {
      url: `http://localhost:${port}/`,
      changes: ['created'],
      collections: ['members', 'events'],
    },
  )
  await putRecords(DB, organisationId, 'events', [{ id: 'told', document: '{}' }])
  return {
    async received(type: string) {
      while (!types.includes(type)) await once(received, 'told')
    },
    close: () => server.close(),
  }
}

/** The files of the state that hold a text. */
async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name))
  return paths.filter((path) => readFileSync(path).includes(text))
}
