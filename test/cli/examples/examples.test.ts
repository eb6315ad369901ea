import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import vm from 'node:vm'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../../src/admin/keys.ts'
import { putSchemas } from '../../../src/store/settings/schemas.ts'
import { putRecords } from '../../../src/store/write/put.ts'
import { listAttempts } from '../../../src/webhooks/list-webhooks.ts'
import { resendMessage } from '../../../src/webhooks/resend.ts'
import { addWebhook, removeWebhook } from '../../../src/webhooks/webhooks.ts'
import { localWorker } from '../local-worker.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { newChangingOrganisation } from './changing-organisation.ts'
import { airbytePulls, dltPulls, dltRow, type Pull, runPull } from './connectors.ts'
import { readFileCopy, readSqliteCopy } from './copies.ts'
import { startCountingServer } from './counting-server.ts'

const run = promisify(execFile)

// More than two pages of 250.
const number = 501
const names = Array.from({ length: number }, (_, index) => `Member ${index + 1}`)

const worker = await localWorker()
let env: NodeJS.ProcessEnv & { API_URL: string; API_KEY: string }
let organisation: Awaited<ReturnType<typeof newChangingOrganisation>>
let requests: Awaited<ReturnType<typeof startCountingServer>>
const folder = await temporaryFolder()

beforeAll(async () => {
  const { env: bindings, organisationId, url } = worker
  const field = (id: string, type: 'text' | 'tags', order: number) => ({
    id,
    name: id,
    label: id,
    type,
    order,
  })
  const fields = [field('Full Name', 'text', 0), field('Interests', 'tags', 1)]
  await putSchemas(bindings.DB, organisationId, { members: { name: 'Member Schema', fields } })
  await putRecords(
    bindings.DB,
    organisationId,
    'members',
    names.map((name, index) => {
      const id = `m-${index + 1}`
      const interests = [['Tea', 'Maps'], ['=1+1'], ["'@x"], ['-']][index]
      const values = { 'Full Name': name, ...(interests && { Interests: interests }) }
      return { id, document: JSON.stringify({ memberId: id, ...values }) }
    }),
  )
  const { key } = await createKey(bindings, organisationId, 'examples', 'a test')
  env = { ...process.env, API_URL: `${url.origin}/api/v1`, API_KEY: key }
  organisation = await newChangingOrganisation(bindings, env.API_URL)
  requests = await startCountingServer(url.origin)
})

afterAll(() => requests?.close())

/** Every member once, in order, the first with a list. */
function expectMembers(rows: Record<string, unknown>[], interests: unknown) {
  expect(rows.map((row) => row['Full Name'])).toEqual(names)
  expect(rows[0]).toMatchObject({ memberId: 'm-1', Interests: interests })
}

test('TypeScript: types are made of the served document, the client compiles, and reads every page', async () => {
  const cwd = 'examples/typescript'
  const bin = 'node_modules'
  await rm(`${cwd}/api.d.ts`, { force: true })
  const generator = `${bin}/openapi-typescript/bin/cli.js`
  await run(process.execPath, [generator, `${env.API_URL}/openapi.json`, '-o', 'api.d.ts'], { cwd })
  await run(process.execPath, [`${bin}/typescript/bin/tsc`, '-p', '.'], { cwd })
  const { stdout } = await run(process.execPath, ['members.ts'], { cwd, env })
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expectMembers(rows, ['Tea', 'Maps'])
})

test.skipIf(!isThere('python3'))('Python: every page, as CSV', async () => {
  const { stdout } = await run('python3', ['examples/python/members.py'], { env })
  const { data: rows } = Papa.parse<Record<string, unknown>>(stdout, {
    header: true,
    skipEmptyLines: true,
  })
  expectMembers(rows, 'Tea; Maps')
  expect(rows.slice(1, 4).map(({ Interests }) => Interests)).toEqual(["'=1+1", "''@x", "'-"])
})

test.skipIf(!isThere('python3'))("Python: shows the API's error message", async () => {
  const refused = run('python3', ['examples/python/members.py'], {
    env: { ...env, API_KEY: 'sk_x' },
  })
  await expect(refused).rejects.toMatchObject({
    stderr: expect.stringContaining('401: x-api-key: must be a complete API key'),
  })
})

test.skipIf(!isThere('curl') || !isThere('jq'))(
  'curl: every page, a property for each field',
  async () => {
    const { stdout } = await run('examples/curl/members.sh', [], { env })
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expectMembers(rows, ['Tea', 'Maps'])
  },
)

test('Google Sheets: every page, a column for each field', async () => {
  const answers: Record<string, unknown> = {}
  for (const offset of [0, 250, 500]) {
    const path = `/members?limit=250&offset=${offset}`
    const answer = await fetch(env.API_URL + path, { headers: { 'x-api-key': env.API_KEY } })
    answers[path] = await answer.json()
  }
  const script = await readFile('examples/google-sheets/members.gs', 'utf8')
  const table = vm.runInNewContext(`${script}; membersTable`)((path: string) => answers[path])
  const [columns, ...rows] = table as string[][]
  expect(columns).toEqual(['memberId', 'Full Name', 'Interests'])
  expectMembers(
    rows.map((row) => Object.fromEntries(row.map((cell, index) => [columns?.[index], cell]))),
    'Tea; Maps',
  )
})

test.each(['members.pq', 'members-changed.pq'])(
  'Power Query: the address in %s is literal, so that the Power BI service can refresh it',
  async (file) => {
    const query = await readFile(`examples/power-query/${file}`, 'utf8')
    expect(query).toMatch(/Web\.Contents\(\s*"https?:\/\/[^"]+",\s*\[\s*RelativePath = /)
    expect(query).toContain('Prefer = "handling=strict"')
  },
)

test('Power Query: each member is in the partition of its last change, and every partition has the same columns', async () => {
  await organisation.age()
  const changed = await organisation.changeTwenty()
  const members = (await organisation.truth()).get('members')
  const old = await partition('1970-01-01T00:00:00Z', '2024-01-01T00:00:00Z')
  const recent = await partition('2024-01-01T00:00:00Z', '2100-01-01T00:00:00Z')
  const none = await partition('2100-01-01T00:00:00Z', '2101-01-01T00:00:00Z')
  const idsIn = (rows: string[][]) => rows.slice(1).map(([memberId]) => memberId)
  expect(idsIn(recent).sort()).toEqual(changed.members)
  expect([...idsIn(old), ...idsIn(recent)].sort()).toEqual([...(members?.keys() ?? [])].sort())
  expect([old[0], recent[0]]).toEqual([none[0], none[0]])
  expect(none).toHaveLength(1)
  expect(none[0]).toEqual(
    expect.arrayContaining(['memberId', 'Full Name', '$created', '$updated', '$version']),
  )
})

/** The rows of CSV that members-changed.pq asks for between two times. */
async function partition(rangeStart: string, rangeEnd: string): Promise<string[][]> {
  const text = await readFile('examples/power-query/members-changed.pq', 'utf8')
  const [, path] = /RelativePath = "([^"]+)"/.exec(text) ?? []
  const [, urls = ''] = /Query = \[(.*?)\]/s.exec(text) ?? []
  const parameters = [...urls.matchAll(/#"([^"]+)" = (?:"([^"]*)"|ToText\((\w+)\))/g)].map(
    ([, name = '', literal, parameter]) => [
      name,
      literal ?? (parameter === 'RangeStart' ? rangeStart : rangeEnd),
    ],
  )
  const address = `${env.API_URL}/${path}?${new URLSearchParams(parameters)}`
  const answer = await fetch(address, { headers: { 'x-api-key': organisation.key } })
  expect(answer.headers.get('Content-Type')).toContain('text/csv')
  return Papa.parse<string[]>(await answer.text(), { skipEmptyLines: true }).data
}

describe.each([
  {
    language: 'Python',
    missing: !isThere('python3'),
    sync: ['python3', 'examples/python/sync.py', `${folder}/copy.db`],
    copied: `${folder}/copy.db`,
    copy: () => readSqliteCopy(`${folder}/copy.db`),
  },
  {
    language: 'TypeScript',
    missing: false,
    sync: [process.execPath, 'examples/typescript/sync.ts', `${folder}/copy`],
    copied: `${folder}/copy/members.ndjson`,
    copy: () => readFileCopy(`${folder}/copy`),
  },
])('a copy kept in $language', ({ missing, sync: [program = '', ...args], copied, copy }) => {
  const sync = () => {
    const API_URL = `${requests.origin}/api/v1`
    return run(program, args, { env: { ...env, API_URL, API_KEY: organisation.key } })
  }

  /** The copy has the records that the API has, as it shows them. */
  async function expectTruth() {
    const had = await copy()
    for (const [collection, truth] of await organisation.truth()) {
      const records = had.get(collection)
      expect([...(records?.keys() ?? [])].sort(), collection).toEqual([...truth.keys()].sort())
      for (const [id, item] of truth) expect(records?.get(id)).toMatchObject(item)
    }
  }

  test.skipIf(missing)(
    'takes everything once, though it is cut off and put off, and twenty changes the next time with three requests',
    async () => {
      await requests.during(() => expect(sync()).rejects.toThrow(), { 3: 'cut' })
      const busy = { status: 429, retryAfter: '0' }
      await requests.during(sync, { 1: busy, 2: { ...busy, status: 503 } })
      await expectTruth()
      expect((await stat(copied)).mode & 0o077).toBe(0)

      await organisation.changeTwenty()
      const urls = await requests.during(sync)
      expect(urls.length).toBeLessThanOrEqual(3)
      await expectTruth()
    },
  )

  test.skipIf(missing)('starts again when deletions were forgotten', async () => {
    await organisation.changeTwenty()
    await organisation.forget()
    const [, ...anew] = await requests.during(sync)
    expect(anew.length).toBeGreaterThan(2)
    await expectTruth()
  })
})

describe.each([
  {
    language: 'TypeScript',
    missing: false,
    receiver: [process.execPath, 'examples/typescript/receiver.ts'],
  },
  {
    language: 'Python',
    missing: !isThere('python3'),
    receiver: ['python3', 'examples/python/receiver.py'],
  },
])('a receiver in $language', ({ language, missing, receiver: [program = '', ...args] }) => {
  test.skipIf(missing)('does not start without a secret', async () => {
    for (const secret of [undefined, '', 'whsec_', 'whsec_AAAA']) {
      // Where it starts all the same, it is stopped.
      const started = run(program, args, {
        env: { ...env, WEBHOOK_SECRET: secret, PORT: `${await freePort()}`, SEEN: '/dev/null' },
        timeout: 10_000,
      })
      await expect(started).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^WEBHOOK_SECRET must be the secret of the webhook/),
      })
    }
  })

  test.skipIf(missing)('accepts each signed message once and rejects all others', async () => {
    const port = await freePort()
    const { env: bindings, organisationId } = worker
    const url = `http://localhost:${port}/`
    const { key } = await createKey(bindings, organisationId, language, 'a test')
    const webhook = { url, collections: ['members'], changes: ['created'] }
    const actor = { organisationId, by: 'a test' }
    const { id, secret } = await addWebhook(bindings, actor, webhook)
    const receiver = spawn(program, args, {
      env: { ...env, WEBHOOK_SECRET: secret, PORT: `${port}`, SEEN: `${folder}/seen-${language}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      await once(receiver.stderr, 'data')
      const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
      const next = async () => JSON.parse((await lines.next()).value ?? '')
      const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
      const create = (name: string) =>
        fetch(`${env.API_URL}/members`, {
          ...{ method: 'POST', headers },
          body: JSON.stringify({ 'Full Name': name }),
        })
      await create('One')
      const first = await next()
      expect(first).toMatchObject({ type: 'member.created', data: { changed: ['Full Name'] } })
      const act = { ...actor, id }
      await expect.poll(() => listAttempts(bindings.DB, id)).toHaveLength(1)
      const [attempt] = await listAttempts(bindings.DB, id)
      expect(attempt?.status).toBe(204)
      // The same once more, and then another: the receiver prints the other alone.
      await resendMessage(bindings.DB, act, String(attempt?.messageId))
      await create('Two')
      expect((await next()).data.id).not.toBe(first.data.id)
      await expect.poll(() => listAttempts(bindings.DB, id)).toHaveLength(3)
      const forged = { method: 'POST', body: '{}', headers: { 'webhook-id': 'x' } }
      expect((await fetch(url, forged)).status).toBe(401)
    } finally {
      receiver.kill()
      await removeWebhook(bindings.DB, { ...actor, id })
    }
  })
})

describe.each([
  {
    tool: 'Airbyte',
    missing: false,
    pullsOf: () => airbytePulls({ api_url: env.API_URL, api_key: organisation.key }),
  },
  {
    tool: 'dlt',
    missing: !isThere('python3'),
    pullsOf: () => dltPulls({ ...env, API_KEY: organisation.key }),
  },
])('$tool', ({ missing, pullsOf }) => {
  test.skipIf(missing)('brings every record, and the next time what changed', async () => {
    await organisation.age()
    const [pulls, truth] = [await pullsOf(), await organisation.truth()]
    const latest = new Map<Pull, Record<string, unknown> | undefined>()
    for (const pull of pulls) {
      const rows = await runPull(pull, undefined)
      expect(idsOf(pull, rows), pull.name).toEqual([...(truth.get(pull.name)?.keys() ?? [])].sort())
      latest.set(pull, rows.at(-1))
    }
    expect(pulls.map(({ name }) => name)).toEqual([...truth.keys()])

    const changed = new Map(Object.entries(await organisation.changeTwenty()))
    for (const pull of pulls) {
      const last = latest.get(pull)
      const rows = await runPull(pull, String(last?.[pull.cursor.field]))
      const again = new Set([...(changed.get(pull.name) ?? []), String(last?.[pull.id])])
      expect(idsOf(pull, rows), pull.name).toEqual([...again].sort())
    }
  })
})

test('Airbyte: the columns are those of the records', async () => {
  const pulls = await airbytePulls({ api_url: env.API_URL, api_key: organisation.key })
  for (const pull of pulls) {
    const [row = {}] = await runPull(pull, undefined)
    // A profile is the member's, and each member of a list tells the schema.
    const { profile, schemaInfo, ...visible } = row
    expect(pull.columns.sort(), pull.name).toEqual(Object.keys(visible).sort())
  }
})

test.skipIf(!isThere('python3'))("dlt: people's fields are columns", async () => {
  const field = { key: 'Full Name', label: 'Name', value: 'Ada Example', type: 'text' }
  const member = { memberId: 'm-1', fields: [field], schemaInfo: {} }
  expect(await dltRow(member, env)).toEqual({
    memberId: 'm-1',
    'Full Name': 'Ada Example',
  })
})

const idsOf = (pull: Pull, rows: Record<string, unknown>[]) =>
  rows.map((row) => String(row[pull.id])).sort()

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
