import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { demoFolder } from '../../cli/demo-files.ts'
import { importFiles } from '../../cli/import/import-files.ts'
import { assistantPermissions } from '../../src/access/permissions.ts'
import { assistantRestrictions } from '../../src/access/restrictions.ts'
import { createKey } from '../keys.ts'
import { demo } from './demo/records.ts'
import { localWorker } from './local-worker.ts'

const { url, env, organisationId } = await localWorker()
const { key } = await createKey(
  env,
  organisationId,
  'Claude',
  'a test',
  undefined,
  assistantPermissions,
  assistantRestrictions,
)

describe('the conformance suite of the specification', async () => {
  const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
  const proxied = await startProxy()
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  afterAll(() => rm(folder, { recursive: true }))

  // These checks call tools that only a server for trying out clients has.
  const inapplicable = [
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-missing-capability-http-400',
    'sep-2575-server-no-log-without-loglevel',
    'sep-2575-server-rejects-undeclared-capability',
  ]

  test.each([
    ['2026-07-28', 'server-stateless', inapplicable, 20],
    ['2026-07-28', 'http-header-validation', [], 14],
    ['2026-07-28', 'dns-rebinding-protection', [], 2],
    ['2026-07-28', 'tools-list', [], 4],
    ['2025-11-25', 'server-initialize', [], 2],
  ])('%s: %s', async (version, scenario, expectedFailures, minPassed) => {
    const output = join(folder, version, scenario)
    const options = ['server', '--url', proxied, '--scenario', scenario, '-o', output]
    // It exits with 1 if a check fails.
    await promisify(execFile)(process.execPath, [
      suite,
      ...options,
      '--spec-version',
      version,
    ]).catch(() => undefined)
    const [result = ''] = await readdir(output)
    const checks: { id: string; status: string }[] = JSON.parse(
      readFileSync(join(output, result, 'checks.json'), 'utf8'),
    )
    const idsOf = (status: string) =>
      checks.filter((check) => check.status === status).map(({ id }) => id)
    expect(idsOf('FAILURE').toSorted()).toEqual(expectedFailures)
    expect(idsOf('WARNING')).toEqual([])
    expect(idsOf('SUCCESS').length).toBeGreaterThanOrEqual(minPassed)
  })
})

/** Starts a proxy that adds the key, because the suite cannot send one. Returns its address for assistants. */
async function startProxy(): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers } = incoming
    const sent = { method, headers: { ...headers, 'x-api-key': key } }
    const request = forward(String(new URL('/mcp', url)), sent, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(request)
  })
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve))
  afterAll(() => proxy.close())
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return `http://localhost:${address.port}/mcp`
}

describe('the official client', async () => {
  await importDemo()
  // A year that the demo's bookings are about.
  const [from, to] = ['2026-01-01', '2027-01-01']
  const expected = countNaively(from, to)

  test.each(['auto', 'legacy'] as const)(
    'answers “bookings per event tag this year” (negotiation: %s)',
    async (mode) => {
      const client = new Client(
        { name: 'a test', version: '1.0.0' },
        { versionNegotiation: { mode } },
      )
      const requestInit = { headers: { Authorization: `Bearer ${key}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('count')
      const { content } = await client.callTool({
        name: 'count',
        arguments: {
          collection: 'bookings',
          by: 'event.tags',
          filter: `date ge ${from} and date lt ${to}`,
        },
      })
      await client.close()
      const { total, groups, missing } = dataOf(content)
      expect({ total, missing }).toEqual({ total: expected.total, missing: expected.missing })
      expect(new Map(groups.map(({ value, count }) => [value, count]))).toEqual(expected.byTag)
      expect(expected.byTag.size).toBeGreaterThan(3)
    },
  )
})

/** Imports what is counted. */
async function importDemo() {
  const { DB: db, GEOGRAPHY: geography } = env
  const destination = { db, geography, organisationId, progress: () => {} }
  const files = ['events.json', 'bookings.csv'].map((name) => join(demoFolder, name))
  for await (const { file, errors } of importFiles(files, destination))
    if (errors.length > 0) throw new Error(`${file} does not fit.`)
}

/** Counts the bookings of the demo's files by their events' tags. */
function countNaively(from: string, to: string) {
  const tags = new Map(demo.events.map((event) => [event.eventId, event.tags]))
  const bookings = demo.bookings.filter(({ date }) => date !== null && date >= from && date < to)
  const byTag = new Map<unknown, number>()
  let missing = 0
  for (const { eventId } of bookings) {
    const ofEvent = new Set(tags.get(eventId))
    if (ofEvent.size === 0) missing++
    for (const tag of ofEvent) byTag.set(tag, (byTag.get(tag) ?? 0) + 1)
  }
  return { total: bookings.length, missing, byTag }
}

type Counts = { total: number; missing: number; groups: { value: unknown; count: number }[] }

/** Returns the data between the marks of a result. */
function dataOf(content: readonly { type: string; text?: string }[]): Counts {
  return JSON.parse(/^\{.*\}$/m.exec(content[0]?.text ?? '')?.[0] ?? '{}')
}
