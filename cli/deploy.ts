import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { generateWebhookKey } from '../src/webhooks/secret.ts'
import {
  type AccountStorage,
  buildEnvironmentConfig,
  bundleFolder,
  type Environment,
  emptyStorage,
  environments,
  listQueues,
  writeConfig,
} from './deployment/environment.ts'
import { provisioningSteps, releaseSteps, type Step } from './deployment/steps.ts'
import { listSecrets, readAccountStorage, runWrangler } from './deployment/wrangler.ts'
import { readWebhookKey } from './state/webhook-key.ts'
import { CommandError } from './terminal/report.ts'

/** The Worker's settings from environment variables. */
const settings = [
  'AUTH_ISSUER',
  'AUTH_AUDIENCE',
  'AUTH_JWKS',
  'AUTH_TRUSTED_EMAILS',
  'AUTH_CLIENT_ID',
  'AUTH_CLIENT_SECRET',
  'WEBHOOK_KEY',
  'WEBHOOK_KEY_NEXT',
  'MAIL_FROM',
  'MAIL_API_URL',
  'MAIL_API_KEY',
]

/** The secret that encrypts webhook secrets. */
const generatedSecret = 'WEBHOOK_KEY'

/** Settings with the setting that each requires. */
const settingDependencies = [
  ['AUTH_ISSUER', 'AUTH_AUDIENCE'],
  ['AUTH_AUDIENCE', 'AUTH_ISSUER'],
  ['AUTH_JWKS', 'AUTH_ISSUER'],
  ['AUTH_CLIENT_ID', 'AUTH_ISSUER'],
  ['AUTH_CLIENT_SECRET', 'AUTH_CLIENT_ID'],
  ['MAIL_API_URL', 'MAIL_API_KEY'],
  ['MAIL_API_KEY', 'MAIL_API_URL'],
  ['MAIL_API_URL', 'MAIL_FROM'],
] as const

const { env, dryRun } = new Command('npm run deploy --')
  .description(
    'Create missing resources of an environment, migrate its databases, and deploy the Worker.',
  )
  .addOption(
    new Option('--env <name>', 'which environment').choices(environments).makeOptionMandatory(),
  )
  .option('--dry-run', 'list the steps and build the Worker, without an account')
  .parse()
  .opts<{ env: Environment; dryRun?: boolean }>()

try {
  requireCompleteSettings()
  readWebhookKey()
  readWebhookKey('WEBHOOK_KEY_NEXT')
  await (dryRun ? dryRunDeploy(env) : deploy(env))
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function deploy(environment: Environment): Promise<void> {
  const queues = listQueues(buildEnvironmentConfig(environment, emptyStorage))
  const existing = await readAccountStorage(queues)
  const missing = provisioningSteps(environment, existing)
  await runAll(missing)
  const storage: AccountStorage = missing.length > 0 ? await readAccountStorage(queues) : existing
  const values = { ...readSettings(), ...(await newSecrets(environment)) }
  const config = writeConfig(environment, storage)
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
  try {
    await runAll(releaseSteps(environment, storage, config, secretsFile(folder, values)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function dryRunDeploy(environment: Environment): Promise<void> {
  const config = writeConfig(environment, emptyStorage)
  const own = buildEnvironmentConfig(environment, emptyStorage)
  const settingNames = Object.keys(readSettings())
  printStep({ description: 'List the databases', args: ['d1', 'list', '--json'] })
  printStep({ description: 'List the KV namespaces', args: ['kv', 'namespace', 'list'] })
  for (const queue of listQueues(own))
    printStep({ description: `Find the queue ${queue}`, args: ['queues', 'info', queue] })
  for (const step of provisioningSteps(environment, emptyStorage)) {
    printStep({ ...step, description: `${step.description}, if it is missing` })
  }
  printStep({
    description: `Look for ${generatedSecret}, and create it if it is missing`,
    args: ['secret', 'list', '--name', own.name],
  })
  for (const step of releaseSteps(environment, emptyStorage, config, '<file>')) printStep(step)
  console.log(`Settings from environment variables: ${settingNames.join(', ') || 'none'}.\n`)
  const bundle = bundleFolder(environment)
  await runWrangler(['deploy', '--dry-run', '--outdir', bundle, '--config', config])
}

async function runAll(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    printStep(step)
    await runWrangler(step.args)
  }
}

function printStep({ description, args }: Step): void {
  console.log(`${description}:\n  wrangler ${args.join(' ')}\n`)
}

// With incomplete settings, the Worker would answer every token with 500.
function requireCompleteSettings(): void {
  for (const [name, dependency] of settingDependencies) {
    if (process.env[name] && !process.env[dependency]) {
      throw new CommandError(`${name} needs ${dependency}: set both or neither.`)
    }
  }
}

function readSettings(): Record<string, string | undefined> {
  const names = settings.filter((name) => process.env[name])
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/** Returns the required secrets that do not exist yet. Never replaces an existing one, because it encrypts others. */
async function newSecrets(environment: Environment): Promise<Record<string, string>> {
  if (process.env[generatedSecret]) return {}
  const { name } = buildEnvironmentConfig(environment, emptyStorage)
  return (await listSecrets(name)).has(generatedSecret)
    ? {}
    : { [generatedSecret]: generateWebhookKey() }
}

/** Writes the settings to a file for wrangler that only the current user can read. Returns undefined without settings. */
function secretsFile(
  folder: string,
  values: Record<string, string | undefined>,
): string | undefined {
  if (Object.keys(values).length === 0) return undefined
  const path = join(folder, 'settings.json')
  writeFileSync(path, JSON.stringify(values), { mode: 0o600 })
  return path
}
