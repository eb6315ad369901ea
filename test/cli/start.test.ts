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
import { withBindings } from '../../cli/state/bindings.ts'
import { ensureLocalWebhookKey } from '../../cli/state/webhook-key.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { addWebhook } from '../../src/webhooks/webhooks.ts'
import { findFilesOthersCanAccess } from './file-modes.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
let service: ChildProcess | undefined

afterEach(stop)

/** Starts the service as the operator does; its port, what it printed until it answered, and the key and address in that. */
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
  const [, key = '', url = ''] = /curl -H 'x-api-key: (\S+)' '(\S+)'/.exec(output) ?? []
  return { port, output, key, url }
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

const ask = (url: string, key: string) => fetch(url, { headers: { 'x-api-key': key } })

test('a start serves the demo with the key it prints, and the next one finds it again', async () => {
  const first = await start()
  expect(first.url).toBe(`http://localhost:${first.port}/api/v1/members?limit=2`)
  const answer = await ask(first.url, first.key)
  expect(answer.status).toBe(200)
  const page = await answer.json()
  expect(page).toMatchObject({ members: [{}, {}], offset: 0, limit: 2 })
  expect((await ask(first.url, 'sk_another')).status).toBe(401)
  const docs = `http://localhost:${first.port}/docs`
  const [, greeting] = first.output.split('Ready on')
  expect(greeting).toContain(docs)
  expect(greeting).toContain(first.key)
  expect(first.output.split(first.key)).toHaveLength(3)
  expect((await fetch(docs)).status).toBe(200)
  const url = new URL('events?name=hidden-from-the-disk', first.url)
  expect((await ask(url.href, first.key)).status).toBe(200)
  await stop()
  expect(await filesWith('hidden-from-the-disk')).toEqual([])
  expect(await findFilesOthersCanAccess(folder)).toEqual([])

  // The log file of a wrangler without our setting.
  const record = join(folder, 'v3/observability/of-before.sqlite')
  await mkdir(dirname(record), { recursive: true })
  await writeFile(record, '?code=hidden-from-the-disk')
  expect(await filesWith('hidden-from-the-disk')).toEqual([record])
  const receiver = await webhookOfDemo()
  const second = await start()
  // The schedule delivers earlier changes, the queue later ones.
  await receiver.received('event.created')
  const headers = { 'x-api-key': second.key, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ 'Full Name': 'Ada Example' })
  const members = new URL('members', second.url)
  const created = await fetch(members, { method: 'POST', headers, body })
  expect(created.status).toBe(201)
  await receiver.received('member.created')
  receiver.close()
  expect(await filesWith('hidden-from-the-disk')).toEqual([])
  expect(second.key).toBe(first.key)
  expect(await (await ask(second.url, second.key)).json()).toEqual(page)
  const everyone = new URL('volunteers', second.url)
  expect(await (await ask(everyone.href, second.key)).json()).toMatchObject({ total: 20 })
})

/** A receiver on this machine, told of what changes in the demo: of an event to begin with. */
async function webhookOfDemo() {
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
  const { secret } = await withBindings({ persistTo: folder }, async ({ DB }) => {
    const organisationId = 'demo'
    const webhook = { url: `http://localhost:${port}/`, changes: ['created'] }
    const newWebhook = await addWebhook(
      { DB, WEBHOOK_KEY: key },
      { organisationId, by: 'a test' },
      { ...webhook, collections: ['members', 'events'] },
    )
    await putRecords(DB, organisationId, 'events', [{ id: 'told', document: '{}' }])
    return newWebhook
  })
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
