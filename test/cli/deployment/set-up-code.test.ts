import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as connection from '../../../cli/deployment/remote.ts'
import { readAddress, reportSetUpCode } from '../../../cli/deployment/set-up-code.ts'
import { withBindings } from '../../../cli/state/bindings.ts'
import { CommandError } from '../../../cli/terminal/report.ts'
import { createOrganisation } from '../../../src/admin/organisations.ts'
import { migratedState } from '../migrated-state.ts'

const persistTo = await migratedState()
const command = 'npm run admin -- --remote --env staging set-up-code'
const address = 'https://data.example.org'

beforeEach(() => vi.stubEnv('CI', ''))

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** What the end of a deployment prints. */
async function report(environment = 'staging'): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await reportSetUpCode(environment, address)
  const lines = log.mock.calls.flat()
  log.mockClear()
  return lines.join('\n')
}

test('a deployment without an organisation prints a setup code, in CI only for a trial', async () => {
  await withBindings({ persistTo }, async (env) => {
    const connect = vi.spyOn(connection, 'connectRemote')
    connect.mockResolvedValue({ env, dispose: async () => {} })
    expect(await report()).toMatch(
      /^Setup code: ([a-z2-9]{4}-){6}[a-z2-9]{4}\nEnter it at https:\/\/data.example.org\/dashboard\/set-up\./,
    )
    vi.stubEnv('CI', 'true')
    expect(await report()).toBe(
      `For a service without organisations, this makes a setup code:\n  ${command}`,
    )
    expect(await report('trial')).toMatch(/^Setup code: /)
    vi.stubEnv('CI', '')
    await createOrganisation(env.DB, 'oak', 'Oak Trust')
    expect(await report()).toBe('')
    connect.mockRejectedValue(new CommandError('Cloudflare refused the connection.'))
    expect(await report()).toBe(
      `Cloudflare refused the connection.\nMake the setup code with:\n  ${command}`,
    )
  })
})

test.each([
  [['https://data.oak.workers.dev', 'schedule: * * * * *'], 'https://data.oak.workers.dev'],
  [['data.oak.workers.dev', 'data.example.org (custom domain)'], address],
  [['data.example.org/api/*', 'Producer for changes'], address],
  [['*.example.org/*'], ''],
])('the address of a Worker with %j is %s', (targets, expected) => {
  const lines = [{ type: 'wrangler-session' }, { type: 'deploy', targets }]
  expect(readAddress(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)).toBe(expected)
})
