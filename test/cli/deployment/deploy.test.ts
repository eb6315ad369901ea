import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { CommanderError } from 'commander'
import { expect, test, vi } from 'vitest'
import { bundleFolder, readWranglerConfig } from '../../../cli/deployment/environment.ts'
import { deployProgram } from '../../../cli/deployment/program.ts'
import { createLocalToken, readLocalJwks } from '../../../cli/state/local-tokens.ts'
import { localClaims } from '../../../src/auth/local.ts'
import { generateWebhookKey } from '../../../src/webhooks/secret.ts'
import { startDeployedWorker } from '../local-worker.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = await temporaryFolder()

const dryRun = (args: string[], env: Record<string, string> = {}) => {
  const { CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID, ...otherVariables } = process.env
  return promisify(execFile)(process.execPath, ['cli/deploy.ts', ...args], {
    env: { ...otherVariables, ...env },
  })
}

test('a dry run needs no account and builds the Worker', async () => {
  const name = 'production'
  const secret = 'https://identity.test/hidden-from-the-plan'
  const { stdout } = await dryRun(['--env', name, '--dry-run'], {
    AUTH_ISSUER: secret,
    AUTH_AUDIENCE: 'this API',
    AUTH_TRUSTED_EMAILS: 'true',
    WEBHOOK_KEY_NEXT: generateWebhookKey(),
  })
  expect(stdout).toContain(`wrangler d1 create records-${name} --jurisdiction eu`)
  expect(stdout).toContain('create it if it is missing')
  expect(stdout).toContain(
    'Settings from environment variables: AUTH_ISSUER, AUTH_AUDIENCE, AUTH_TRUSTED_EMAILS, WEBHOOK_KEY_NEXT.',
  )
  expect(stdout).toContain('--dry-run: exiting now.')
  expect(stdout).toContain(`records-${name}`)
  expect(stdout).not.toContain(secret)
  const bundle = readFileSync(join(bundleFolder(name), 'index.js'))
  expect(gzipSync(bundle).length).toBeLessThanOrEqual(597 * 1024)
  expect(existsSync(join(bundleFolder(name), 'index.js.map'))).toBe(true)
})

test('Workers Builds builds and deploys a trial without arguments, from where the button has storage', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([scripts.build, scripts.deploy]).toEqual([
    'node cli/deploy.ts --env trial --dry-run',
    'node cli/deploy.ts',
  ])
  const { stdout } = await dryRun(['--dry-run'], { WORKERS_CI: '1', CI: 'true' })
  expect(stdout).toContain('wrangler d1 create records --update-config=false')
  expect(stdout).toContain('wrangler d1 migrations apply DB --remote')
  expect(stdout).toContain('Deploy organisation-data-platform-api:')
  expect(stdout).toContain('env.TRIAL ("true")')
  expect(stdout).toContain('(6000 requests/60s)')
  expect(stdout).toContain('--dry-run: exiting now.')
})

test('the deploy button asks for no secret, and describes only what wrangler.toml binds', () => {
  const asked = readFileSync('.dev.vars.example', 'utf8').split('\n')
  expect(asked.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  const { bindings } = JSON.parse(readFileSync('package.json', 'utf8')).cloudflare
  const { d1_databases, kv_namespaces, queues, vars } = readWranglerConfig()
  const bound = [d1_databases, kv_namespaces, queues?.producers].flatMap((list) => list ?? [])
  expect(Object.keys(bindings).toSorted()).toEqual(
    [...bound.map(({ binding }) => binding), ...Object.keys(vars ?? {})].toSorted(),
  )
})

test('a deployed Worker accepts no local token with any variables', async () => {
  const jwks = await readLocalJwks(folder)
  const headers = {
    Authorization: `Bearer ${await createLocalToken(folder, localClaims.administrator)}`,
  }
  const vars = { LOCAL_JWKS: jwks, localProvider: jwks, 'Symbol(local provider)': jwks }
  const worker = await startDeployedWorker(bundleFolder('production'), vars)
  const path = `/api/v1/events?organisationId=${worker.organisationId}`
  try {
    for (const url of [worker.url.href, 'https://data.example.org'])
      expect((await worker.fetch(new URL(path, url).href, { headers })).status).not.toBe(200)
  } finally {
    await worker.close()
  }
})

test('the deployed bundle contains no code for local tokens', () => {
  const code = readFileSync(join(bundleFolder('production'), 'index.js'), 'utf8')
  expect(code).toContain('x-api-key')
  for (const trace of ['LOCAL_JWKS', ...Object.values(localClaims)])
    expect(code).not.toContain(trace)
})

/** Runs a dry run that is refused in this process, and returns its message. */
async function refusal(args: string[], variables: Record<string, string> = {}): Promise<string> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  const output = vi.spyOn(console, 'log').mockReturnValue()
  let message = ''
  const append = (text: unknown) => {
    message += text
    return true
  }
  vi.spyOn(console, 'error').mockImplementation(append)
  vi.spyOn(process.stderr, 'write').mockImplementation(append)
  process.exitCode = 0
  const program = deployProgram().exitOverride()
  await program.parseAsync([...args, '--dry-run'], { from: 'user' }).catch((error) => {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode
  })
  expect([process.exitCode, output.mock.calls]).toEqual([1, []])
  process.exitCode = 0
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  return message
}

test.each([
  ['AUTH_ISSUER', 'AUTH_AUDIENCE'],
  ['AUTH_JWKS', 'AUTH_ISSUER'],
])('%s without %s is refused before anything is done', async (name, needed) => {
  expect(await refusal(['--env', 'staging'], { [name]: 'x' })).toBe(
    `${name} needs ${needed}: set both or neither.`,
  )
})

test.each([
  [{ AUTH_TRUSTED_EMAILS: 'yes' }, 'AUTH_TRUSTED_EMAILS must be true or false.'],
  [{ AUTH_JWKS: 'nope' }, 'AUTH_JWKS must be a JSON Web Key Set or an https:// address.'],
  [{ AUTH_ISSUER: 'http://identity.test' }, 'AUTH_ISSUER must be an https:// address.'],
  [
    { MAIL_API_URL: 'http://mail.test', MAIL_API_KEY: 'k', MAIL_FROM: 'us@oak.test' },
    'MAIL_API_URL must be an https:// address.',
  ],
])('%j is refused before anything is done', async (variables, message) => {
  const provider = { AUTH_ISSUER: 'https://identity.test', AUTH_AUDIENCE: 'this API' }
  expect(await refusal(['--env', 'staging'], { ...provider, ...variables })).toBe(message)
})

test.each(['WEBHOOK_KEY', 'WEBHOOK_KEY_NEXT'])(
  'a %s of 31 bytes is refused before anything is done',
  async (name) => {
    expect(await refusal(['--env', 'staging'], { [name]: `${'A'.repeat(42)}==` })).toBe(
      `${name} must be 32 random bytes in Base64, as openssl rand -base64 32 prints.`,
    )
  },
)

test('an unclear STORAGE_CONFIRMED is refused before anything is done', async () => {
  expect(await refusal(['--env', 'trial'], { STORAGE_CONFIRMED: 'yes' })).toBe(
    'STORAGE_CONFIRMED must be true or false.',
  )
})

test('a short OPERATOR_TOKEN is refused before anything is done', async () => {
  expect(await refusal(['--env', 'staging'], { OPERATOR_TOKEN: 'a'.repeat(31) })).toBe(
    'OPERATOR_TOKEN must have at least 32 characters.',
  )
})

test.each([
  ['', "required option '--env <name>' not specified"],
  ['--env elsewhere', 'no environment elsewhere. It has: trial, staging, production.'],
  ['--env toString', 'no environment toString. It has: trial, staging, production.'],
  ['--env staging --jurisdiction uk', 'Allowed choices are eu, fedramp, us, none.'],
  ['--env staging --location uk', 'Allowed choices are weur, eeur, apac, oc, wnam, enam.'],
  ['--env staging --location weur', '--location needs --jurisdiction none'],
  ['--env staging --verify-release oak/platform', 'Nothing was deployed. '],
  ['--env staging --verify-release oak', 'a repository on GitHub, such as owner/name.'],
])('the options %j are refused: %s', async (options, message) => {
  expect(await refusal(options.split(' ').filter(Boolean))).toContain(message)
})
