import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { prepareDemo } from '../../cli/prepare-demo.ts'
import { withBindings } from '../../cli/state/bindings.ts'
import { ensureLocalWebhookKey } from '../../cli/state/webhook-key.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { addWebhook } from '../../src/webhooks/new-secret.ts'
import { inspect, inspectEachLook, launchBrowser } from './dashboard/browser.ts'
import { findFilesOthersCanAccess } from './file-modes.ts'
import { migratedState } from './migrated-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await migratedState()
const port = await freePort()
const base = `http://localhost:${port}`
let service: ReturnType<typeof start> | undefined

afterAll(() => service?.end('SIGTERM'))

/** Starts the service of a repository as the operator does, and returns its output so far, the code it ends with, and a function that sends it a signal. */
function start(onPort: number, { repository = '.', state = folder, demo = true } = {}) {
  const options = ['--port', `${onPort}`, '--persist-to', state, '--allow-local-webhooks']
  if (!demo) options.push('--no-demo')
  const child = spawn(process.execPath, ['cli/start.ts', ...options], {
    cwd: repository,
    // A separate process group, as on a terminal, so that no child outlives it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const printed = new EventEmitter()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output.push(String(chunk))
      printed.emit('more')
    })
  const exited = once(child, 'exit').then(([code]) => code)
  return {
    output: () => output.join(''),
    exited,
    /** Waits until it has printed a text. */
    async hasPrinted(text: string) {
      while (!output.join('').includes(text)) await once(printed, 'more')
    },
    end(signal: NodeJS.Signals) {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, signal)
      return exited
    },
  }
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
    const prepare = () => prepareDemo(bindings, { state: folder, address: base })
    const first = await prepare()
    const again = await prepare()
    const receiver = await webhookOfDemo(bindings.DB)
    await forgetMigrations(bindings.GEOGRAPHY)
    return { first, again, receiver }
  })
  const [key = ''] = keysIn(first)
  expect(new Set([...keysIn(first), ...keysIn(again)]).size).toBe(1)

  // The log file of a wrangler without our setting.
  const record = join(folder, 'v3/observability/of-before.sqlite')
  await mkdir(dirname(record), { recursive: true })
  await writeFile(record, '?code=hidden-from-the-disk')
  expect(await filesWith('hidden-from-the-disk')).toEqual([record])

  service = start(port)
  await service.hasPrinted('/dashboard\n')
  const withoutToken = (text: string) => text.replace(/eyJ\S+/, 'a token')
  expect(withoutToken(service.output())).toBe(
    `Migrations applied to GEOGRAPHY: 0001_directory.sql\n\n${withoutToken(again.join('\n\n'))}\n\n`,
  )
  for (const text of [
    `${base}/docs`,
    key,
    `curl -H 'x-api-key: ${key}' '${base}/api/v1/members?limit=2'`,
  ])
    expect(service.output()).toContain(text)
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
})

test('a start that fails says why', async () => {
  const repository = await temporaryFolder()
  for (const name of ['cli', 'src', 'migrations', 'public', 'package.json', 'wrangler.toml'])
    await cp(name, join(repository, name), { recursive: true })
  for (const name of ['node_modules', 'demo']) await symlink(resolve(name), join(repository, name))
  await appendFile(join(repository, 'src/local.ts'), 'const = 1')
  const state = await migratedState()
  const [second, broken] = [
    start(port),
    start(await freePort(), { repository, state, demo: false }),
  ]
  expect(await Promise.all([second.exited, broken.exited])).toEqual([1, 1])
  expect(second.output()).toBe(
    `Port ${port} is in use by another program: choose another with --port.\n`,
  )
  expect(broken.output()).toMatch(
    /^The service could not start: Build failed with 1 error:\nsrc\/local.ts:\d+:6: ERROR: .+\n$/,
  )
})

test('the service prints errors, and ends quietly without personal data on the disk', async () => {
  if (!service) throw new Error('The service has not started.')
  const key = await withBindings({ persistTo: folder }, async ({ DB }) => {
    await DB.prepare('ALTER TABLE records RENAME TO hidden').run()
    const { key } = JSON.parse(readFileSync(join(folder, 'local-key.json'), 'utf8'))
    return key
  })
  const failed = await get(`${base}/api/v1/members`, key)
  expect(failed.status).toBe(500)
  const error = `"requestId":"${failed.headers.get('x-request-id')}"`
  await service.hasPrinted(error)
  await service.end('SIGINT')
  expect(service.output().split(error)[1]?.split('\n').slice(1)).toEqual([''])
  expect(await filesWith('hidden-from-the-disk')).toEqual([])
  expect(await findFilesOthersCanAccess(folder)).toEqual([])
})

test('a start without the demo leads from a setup code to a new organisation', async () => {
  const setUpPort = await freePort()
  const dashboard = `http://localhost:${setUpPort}/dashboard`
  const setUp = start(setUpPort, { state: await migratedState(), demo: false })
  const browser = await launchBrowser()
  onTestFinished(async () => {
    await browser.close()
    await setUp.end('SIGTERM')
  })
  await setUp.hasPrinted(`${dashboard}/set-up`)
  const [, code = ''] = /Setup code: (\S+)/.exec(setUp.output()) ?? []
  const page = await browser.newPage()
  await page.goto(`${dashboard}/set-up`)
  await page.getByLabel('Code').fill('abcd')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()
  await inspectEachLook(page, 'sign-in-code')
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await page.getByLabel('Name').fill('Larkwell Community Trust')
  await page.getByLabel('E-mail address').fill('marcus@larkwell.example')
  await page.getByLabel('Let the public see events').check()
  await page.getByRole('button', { name: 'Create and go on' }).click()
  await page.getByRole('link', { name: 'Privacy notice must be set' }).click()
  await inspectEachLook(page, 'set-up')
  await page.keyboard.type('https://larkwell.example/privacy')
  await page.getByLabel('Invented example data').check()
  await page.getByRole('button', { name: 'Create and go on' }).click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  await page.getByRole('link', { name: 'Amara Abara' }).waitFor()
  await inspectEachLook(page, 'example-data')
  await page.goto(`${dashboard}/larkwell-community-trust/settings/set-up`)
  await page.getByRole('button', { name: 'Mark as done Backups' }).click()
  await page.getByText('Marked as done: Backups.').waitFor()
  await inspect(page, 'not-set-up')
  await page.getByText('marcus@larkwell.example').waitFor()
  expect(setUp.output()).not.toMatch(/larkwell|"error"/)
})

/** Empties a database, so that its migrations are missing. */
async function forgetMigrations(db: D1Database) {
  const { results } = await db
    .prepare(
      `SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'`,
    )
    .all<{ type: string; name: string }>()
  await db.batch(results.map(({ type, name }) => db.prepare(`DROP ${type} ${name}`)))
}

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
  const key = await ensureLocalWebhookKey(folder)
  const organisationId = 'demo'
  const { secret } = await addWebhook(
    { WEBHOOK_KEY: key },
    administeredStore(DB, organisationId, 'a test'),
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
