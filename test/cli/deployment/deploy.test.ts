import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  type AccountStorage,
  buildEnvironmentConfig,
  bundleFolder,
  emptyStorage,
} from '../../../cli/deployment/environment.ts'
import { provisioningSteps, releaseSteps } from '../../../cli/deployment/steps.ts'
import { createLocalToken, readLocalJwks } from '../../../cli/state/local-tokens.ts'
import { localClaims } from '../../../src/auth/local.ts'
import { startDeployedWorker } from '../local-worker.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = await temporaryFolder()

const all: AccountStorage = {
  databases: new Map([
    ['records-production', 'database-1'],
    ['geography-production', 'database-2'],
  ]),
  namespaces: new Map([['organisation-data-platform-api-production-KEYS', 'namespace-1']]),
  queues: new Set(['changes-production', 'changes-failed-production']),
}

const lines = (steps: { args: string[] }[]) => steps.map(({ args }) => args.join(' '))

test('an empty account gets every database, namespace and queue, in the European Union', () => {
  expect(lines(provisioningSteps('production', emptyStorage))).toEqual([
    'd1 create records-production --jurisdiction eu --update-config=false',
    'd1 create geography-production --jurisdiction eu --update-config=false',
    'kv namespace create organisation-data-platform-api-production-KEYS --jurisdiction eu --update-config=false',
    'queues create changes-production --jurisdiction eu',
    'queues create changes-failed-production --jurisdiction eu',
  ])
})

test('a second deployment finds the existing resources', () => {
  const databases = new Map([['records-production', 'database-1']])
  expect(lines(provisioningSteps('production', { ...all, databases }))).toEqual([
    'd1 create geography-production --jurisdiction eu --update-config=false',
  ])
  expect(provisioningSteps('production', all)).toEqual([])
})

test('the storage of another environment is not taken for this one', () => {
  expect(provisioningSteps('staging', all)).toHaveLength(5)
})

test('every database is migrated before the code is deployed', () => {
  expect(lines(releaseSteps('production', all, 'c.json'))).toEqual([
    'd1 migrations apply DB --remote --config c.json',
    'd1 migrations apply GEOGRAPHY --remote --config c.json',
    'deploy --config c.json',
  ])
  expect(lines(releaseSteps('production', all, 'c.json', 's.json')).at(-1)).toBe(
    'deploy --config c.json --secrets-file s.json',
  )
})

test('the configuration deployed is the environment with the ids of its storage', () => {
  const config = buildEnvironmentConfig('production', all)
  expect(config).toMatchObject({
    name: 'organisation-data-platform-api-production',
    d1_databases: [
      { binding: 'DB', database_id: 'database-1' },
      { binding: 'GEOGRAPHY', database_id: 'database-2' },
    ],
    kv_namespaces: [{ binding: 'KEYS', id: 'namespace-1' }],
    observability: { redact_query_string: true },
    minify: true,
    keep_names: false,
    upload_source_maps: true,
    vars: { OWN_HOSTS: 'organisation-data-platform-api-production.*.workers.dev' },
    queues: { consumers: [{ dead_letter_queue: 'changes-failed-production' }] },
    triggers: { crons: ['* * * * *'] },
  })
  for (const { migrations_dir } of config.d1_databases)
    expect(existsSync(migrations_dir)).toBe(true)
  expect(config).not.toHaveProperty('env')
})

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
  })
  expect(stdout).toContain(`wrangler d1 create records-${name} --jurisdiction eu`)
  expect(stdout).toContain('create it if it is missing')
  expect(stdout).toContain(
    'Settings from environment variables: AUTH_ISSUER, AUTH_AUDIENCE, AUTH_TRUSTED_EMAILS',
  )
  expect(stdout).toContain('--dry-run: exiting now.')
  expect(stdout).toContain(`records-${name}`)
  expect(stdout).not.toContain(secret)
  const bundle = readFileSync(join(bundleFolder(name), 'index.js'))
  expect(gzipSync(bundle).length).toBeLessThanOrEqual(512 * 1024)
  expect(existsSync(join(bundleFolder(name), 'index.js.map'))).toBe(true)
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

test.each([
  ['AUTH_ISSUER', 'AUTH_AUDIENCE'],
  ['AUTH_JWKS', 'AUTH_ISSUER'],
])('%s without %s is refused before anything is done', async (name, needed) => {
  await expect(dryRun(['--env', 'staging', '--dry-run'], { [name]: 'x' })).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `${name} needs ${needed}: set both or neither.\n`,
  })
})

test.each(['WEBHOOK_KEY', 'WEBHOOK_KEY_NEXT'])(
  'a %s of 31 bytes is refused before anything is done',
  async (name) => {
    const rehearsed = dryRun(['--env', 'staging', '--dry-run'], {
      [name]: `${'A'.repeat(42)}==`,
    })
    await expect(rehearsed).rejects.toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: `${name} must be 32 random bytes in Base64, as openssl rand -base64 32 prints.\n`,
    })
  },
)

test('an environment that is not there is refused by name', async () => {
  await expect(dryRun(['--env', 'elsewhere', '--dry-run'])).rejects.toMatchObject({
    stderr: expect.stringContaining('staging, production'),
  })
})
