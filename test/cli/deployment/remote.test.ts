import { createServer } from 'node:http'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { emptyStorage } from '../../../cli/deployment/environment.ts'
import * as wrangler from '../../../cli/deployment/wrangler.ts'
import { parseWranglerError } from '../../../cli/deployment/wrangler-error.ts'
import { runAdmin } from '../in-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'

afterEach(() => vi.unstubAllEnvs())

const signIn =
  'Sign in with npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.'

const advice = `
  If you think this is a bug, please open an issue at: https://github.com/cloudflare/workers-sdk/issues/new/choose


🪵  Logs were written to "/home/ana/.config/.wrangler/logs/wrangler-2026-11-22_23-09-00_861.log"
`

// As wrangler 4.155.0 printed it.
const outputs: [string, string, string][] = [
  [
    'a missing permission',
    `\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mA request to the Cloudflare API (/accounts/def/d1/database) failed.\u001b[0m

  Authentication error [code: 10000]


\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1mA request to the Cloudflare API (/user/tokens/verify) failed.\u001b[0m

  Authentication error [code: 10000]



APIError: A request to the Cloudflare API (/user/tokens/verify) failed.
    at throwFetchError (/work/node_modules/wrangler/wrangler-dist/cli.js:63088:19)
`,
    `A request to the Cloudflare API (/accounts/def/d1/database) failed.\nAuthentication error [code: 10000]\n${signIn}`,
  ],
  [
    'a wrong account',
    `✘ [ERROR] A request to the Cloudflare API (/accounts/def/d1/database) failed.

  Could not route to /client/v4/accounts/def/d1/database, perhaps your object identifier is invalid? [code: 7003]
  ${advice}`,
    'A request to the Cloudflare API (/accounts/def/d1/database) failed.\nCould not route to /client/v4/accounts/def/d1/database, perhaps your object identifier is invalid? [code: 7003]',
  ],
  [
    'an outage',
    `✘ [ERROR] Received a malformed response from the API

  <html>bad gateway</html>
  GET /accounts/def/d1/database -> 502 Bad Gateway
  ${advice}`,
    'Received a malformed response from the API\n<html>bad gateway</html>\nGET /accounts/def/d1/database -> 502 Bad Gateway',
  ],
  [
    'no network',
    `✘ [ERROR] Unable to resolve Cloudflare's API hostname (api.cloudflare.com or dash.cloudflare.com).

  This is typically caused by:
    - No internet connection or network connectivity issues

  Please check your network connection and DNS settings.
${advice}`,
    "Unable to resolve Cloudflare's API hostname (api.cloudflare.com or dash.cloudflare.com).\nThis is typically caused by:\n- No internet connection or network connectivity issues\nPlease check your network connection and DNS settings.",
  ],
  ['a crash', 'Segmentation fault\n', 'It printed no reason.'],
]

test.each(outputs)('the reason for %s is shown', (_, output, reason) => {
  expect(parseWranglerError(output)).toBe(reason)
})

test('a long reason is cut, and the credentials in it are hidden', () => {
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'secret-of-the-operator')
  const reason = parseWranglerError(
    `✘ [ERROR] Refused: secret-of-the-operator\n${'x'.repeat(99)}\n${'y\n'.repeat(99)}`,
  )
  expect(reason.split('\n').slice(0, 2)).toEqual(['Refused: [hidden]', 'x'.repeat(99)])
  expect(reason.split('\n')).toHaveLength(8)
  expect(parseWranglerError(`[ERROR] ${'z'.repeat(9999)}`)).toHaveLength(800)
})

/** Answers every request to Cloudflare, and returns the API's address. */
async function serveCloudflare(status: number, body: object): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/client/v4`
}

/** Runs a command on a deployed environment with real wrangler, without the developer's own account. */
async function runRemote(variables: Record<string, string>) {
  for (const name of ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_API_KEY', 'CLOUDFLARE_EMAIL'])
    vi.stubEnv(name, undefined)
  for (const name of ['HOME', 'XDG_CONFIG_HOME']) vi.stubEnv(name, await temporaryFolder())
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  return runAdmin('--remote', '--env', 'staging', 'organisation', 'list')
}

test('a remote command without an account says how to sign in', async () => {
  const { status, stdout, stderr } = await runRemote({})
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^npx wrangler d1 list --json failed\. .*CLOUDFLARE_API_TOKEN/)
  expect(stderr).toContain(signIn)
})

test('a remote command with a malformed token says so, without the token', async () => {
  const rejected = {
    success: false,
    result: null,
    messages: [],
    errors: [
      {
        code: 6003,
        message: 'Invalid request headers',
        error_chain: [{ code: 6111, message: 'Invalid format for Authorization header' }],
      },
    ],
  }
  const { status, stderr } = await runRemote({
    CLOUDFLARE_API_TOKEN: 'not-a-token',
    CLOUDFLARE_ACCOUNT_ID: 'account',
    CLOUDFLARE_API_BASE_URL: await serveCloudflare(400, rejected),
  })
  expect([status, stderr]).toEqual([
    1,
    `npx wrangler d1 list --json failed. A request to the Cloudflare API (/accounts/account/d1/database) failed.\nInvalid request headers [code: 6003]\n- Invalid format for Authorization header [code: 6111]\n${signIn}\n`,
  ])
})

test('an environment that is not deployed is refused', async () => {
  vi.spyOn(wrangler, 'readAccountStorage').mockResolvedValue(emptyStorage)
  onTestFinished(() => void vi.restoreAllMocks())
  const { stderr } = await runAdmin('--remote', '--env', 'staging', 'organisation', 'list')
  expect(stderr).toBe(
    'The account has no records-staging, geography-staging, organisation-data-platform-api-staging-KEYS. Deploy first: npm run deploy -- --env staging\n',
  )
})

test('a connection that Cloudflare refuses is reported with its reason', async () => {
  vi.spyOn(wrangler, 'readAccountStorage').mockResolvedValue({
    databases: new Map(
      ['records-staging', 'geography-staging'].map((name) => [name, { id: name }]),
    ),
    namespaces: new Map([['organisation-data-platform-api-staging-KEYS', 'namespace']]),
    queues: new Set(),
  })
  onTestFinished(() => void vi.restoreAllMocks())
  vi.stubEnv('WRANGLER_LOG', 'none')
  const errors = [{ code: 10000, message: 'Authentication error' }]
  const { status, stdout, stderr } = await runRemote({
    CLOUDFLARE_API_TOKEN: 'a-token',
    CLOUDFLARE_ACCOUNT_ID: 'account',
    CLOUDFLARE_API_BASE_URL: await serveCloudflare(403, { success: false, errors, messages: [] }),
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Cloudflare refused the connection\. .*could not be authenticated/)
  expect(stderr).toContain('The token may be invalid or lack the required permissions')
})

test('an import into a trial needs the confirmation of the operator', async () => {
  const trialImport = () =>
    runAdmin('--remote', '--env', 'trial', 'import', 'oak', 'nothing.csv', '--dry-run')
  expect((await trialImport()).stderr).toBe(
    "A trial's data may be stored outside the European Union: to import all the same, set STORAGE_CONFIRMED=true.\n",
  )
  vi.stubEnv('STORAGE_CONFIRMED', 'true')
  vi.spyOn(wrangler, 'readAccountStorage').mockResolvedValue(emptyStorage)
  onTestFinished(() => void vi.restoreAllMocks())
  expect((await trialImport()).stderr).toContain('The account has no records, geography,')
})

test.each([
  [[], '--remote needs --env: trial, staging or production.'],
  [
    ['--env', 'elsewhere'],
    'wrangler.toml has no environment elsewhere. It has: trial, staging, production.',
  ],
])('--remote with %j is refused', async (env, message) => {
  expect((await runAdmin('--remote', ...env, 'organisation', 'list')).stderr).toBe(`${message}\n`)
})
