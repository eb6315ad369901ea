import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { logWarning } from '../../src/platform/log.ts'
import { warnOfSize } from '../../src/store/sizes.ts'
import { isInstalled } from './examples/served.ts'
import { localState } from './local-state.ts'
import { temporaryFolder } from './temporary-folder.ts'

const page = readFileSync('docs/operating.md', 'utf8')
const [, section = ''] = page.split('\n## Logs and alerts\n')
const [text = ''] = section.split('\n## ')
const [tail = '', definition = '', alerts = '', sizes = ''] = [
  ...text.matchAll(/```sh\n(.*?)```/gs),
].map(([, code = '']) => code)

const folder = await temporaryFolder()

const lines: string[] = []

function watchLog() {
  for (const name of ['warn', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((line: string) => void lines.push(line))
}

afterEach(() => {
  lines.length = 0
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const limit: RateLimit = { limit: async () => ({ success: true }) }
const settings = {
  RATE_LIMIT_POLICY: '',
  LIMIT_BY_CREDENTIAL: limit,
  LIMIT_FAILURES_BY_ADDRESS: limit,
  KEYS: { get: async () => null },
}

const fail = () => {
  throw new Error('D1_ERROR: no such table')
}

/** Sends a request with an unknown key from an address. */
const send = (path: string, address: string, bindings: object = {}) =>
  app.request(
    path,
    { headers: { 'x-api-key': generateApiKey(), 'CF-Connecting-IP': address } },
    { ...settings, DB: { prepare: fail }, ...bindings },
  )

const isMoving = () => {
  throw new Error('D1_ERROR: organisation_moving: SQLITE_CONSTRAINT')
}

const none = { prepare: () => ({ bind: () => ({ first: async () => null }) }) }

/** Writes lines of every kind to the log: failures, refusals, slow requests, a large database, a disabled webhook, and a planned move. */
async function writeLines() {
  watchLog()
  vi.useFakeTimers({ toFake: ['Date'] })
  await send('/api/v1/members/m1', '198.51.100.7')
  for (let count = 0; count < 50; count++) await send('/api/v1/events', '203.0.113.9', { DB: none })
  for (let count = 0; count < 49; count++) await send('/api/v1/events', '203.0.113.1', { DB: none })
  const get = async () => {
    vi.setSystemTime(Date.now() + 1000)
    return null
  }
  for (let count = 0; count < 20; count++)
    await send('/api/v1/funds', `192.0.2.${count}`, { DB: none, KEYS: { get } })
  await send('/api/v1/bookings', '198.51.100.8', { DB: { prepare: isMoving } })
  warnOfSize('DB_1', 8_000_000_000, 0)
  logWarning('webhook-disabled', { organisation: 'oak-trust', webhook: 'w1', reason: 'Gone.' })
  vi.useRealTimers()
}

const cloudflare = `#!/bin/sh\nexec '${process.execPath}' '${resolve('test/cli/workers-logs-api.ts')}' "$@"\n`

/** Runs commands of the page, with a program in place of curl, and returns their output. */
function runPage(commands: string, curl: string, variables: Record<string, string> = {}) {
  writeFileSync(join(folder, 'curl'), curl, { mode: 0o755 })
  return execFileSync('sh', ['-c', commands], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, ...variables },
  })
}

describe.skipIf(!isInstalled('jq'))('the guide for operators', () => {
  test('each alert finds its lines, and no others', async () => {
    await writeLines()
    const LINES = join(folder, 'lines')
    writeFileSync(LINES, lines.join('\n'))
    const own = definition.replace(
      'CLOUDFLARE_ACCOUNT_ID=... CLOUDFLARE_API_TOKEN=...',
      'CLOUDFLARE_ACCOUNT_ID=account CLOUDFLARE_API_TOKEN=token',
    )
    expect(
      runPage(own + alerts, cloudflare, { LINES })
        .trim()
        .split('\n'),
    ).toEqual([
      '1 × /api/v1/members/:memberId',
      '50 × 203.0.113.9/32',
      '20 × /api/v1/funds',
      '1 × DB_1',
      '1 × w1',
    ])
  })

  test('the filter of the tail shows the lines of requests', async () => {
    await writeLines()
    // An invocation as `wrangler tail --format json` prints it.
    const invocation = { outcome: 'ok', logs: [{ level: 'warn', message: [lines[1], 'other', 7] }] }
    const filter = tail.slice(tail.indexOf('|') + 1)
    writeFileSync(join(folder, 'tail'), `${JSON.stringify(invocation, null, 2)}\n`)
    expect(runPage(`cat '${join(folder, 'tail')}' | ${filter}`, '')).toBe(`${lines[1]}\n`)
  })

  test('the report of sizes shows databases with disabled webhooks', async () => {
    const OPERATOR_TOKEN = 'an-operator-token-of-40-characters-12345'
    const bindings = await localState()
    await bindings.DB.batch([
      bindings.DB.prepare(
        `INSERT OR IGNORE INTO organisations (id, name, created) VALUES ('of-hooks', 'Oak', '')`,
      ),
      bindings.DB.prepare(
        `INSERT INTO webhooks (id, organisation_id, url, collections, changes, secret, created, created_by, state, cursor, notified)
        VALUES ('w1', 'of-hooks', 'https://hooks.example.org/', 'events', 'created', 's', '', 'a test', 'disabled', 1, 1)`,
      ),
    ])
    const response = await app.request(
      '/readyz?verbose',
      { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } },
      { ...bindings, OPERATOR_TOKEN },
    )
    const report = join(folder, 'report')
    writeFileSync(report, await response.text())
    await bindings.DB.prepare(`DELETE FROM webhooks WHERE id = 'w1'`).run()
    const output = runPage(sizes, `#!/bin/sh\ncat '${report}'\n`, { OPERATOR_TOKEN })
    expect(JSON.parse(output)).toEqual({
      database: 'DB',
      percentOfMaxSize: expect.any(Number),
      disabledWebhooks: 1,
    })
  })
})
