import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { newWebhookKey } from '../src/webhooks/secret.ts'
import {
  bundleFolder,
  type Environment,
  environmentConfig,
  environments,
  nothing,
  queuesOf,
  type Storage,
  writeConfig,
} from './deployment/environment.ts'
import { provisioning, releasing, type Step } from './deployment/steps.ts'
import { run, secretsOf, storageOfAccount } from './deployment/wrangler.ts'
import { givenWebhookKey } from './state/webhook-key.ts'
import { Refusal } from './terminal/refusal.ts'

/** Settings of the Worker that this command takes from its own environment variables, where they are set. */
const settings = [
  'AUTH_ISSUER',
  'AUTH_AUDIENCE',
  'AUTH_JWKS',
  'AUTH_TRUSTED_EMAILS',
  'AUTH_CLIENT_ID',
  'AUTH_CLIENT_SECRET',
  'WEBHOOK_KEY',
]

/** What the secrets of webhooks are encrypted with. */
const madeSecret = 'WEBHOOK_KEY'

/** Settings that mean nothing without another. */
const needs = [
  ['AUTH_ISSUER', 'AUTH_AUDIENCE'],
  ['AUTH_AUDIENCE', 'AUTH_ISSUER'],
  ['AUTH_JWKS', 'AUTH_ISSUER'],
  ['AUTH_CLIENT_ID', 'AUTH_ISSUER'],
  ['AUTH_CLIENT_SECRET', 'AUTH_CLIENT_ID'],
] as const

const { env, dryRun } = new Command('npm run deploy --')
  .description('Make what an environment lacks, migrate its databases, and deploy the Worker.')
  .addOption(
    new Option('--env <name>', 'which environment').choices(environments).makeOptionMandatory(),
  )
  .option('--dry-run', 'say what would be done, and build the Worker, without an account')
  .parse()
  .opts<{ env: Environment; dryRun?: boolean }>()

try {
  refuseHalfAProvider()
  givenWebhookKey()
  await (dryRun ? rehearse(env) : deploy(env))
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function deploy(environment: Environment): Promise<void> {
  const queues = queuesOf(environmentConfig(environment, nothing))
  const before = await storageOfAccount(queues)
  const missing = provisioning(environment, before)
  await runAll(missing)
  const storage: Storage = missing.length > 0 ? await storageOfAccount(queues) : before
  const values = { ...givenSettings(), ...(await newSecrets(environment)) }
  const config = writeConfig(environment, storage)
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
  try {
    await runAll(releasing(environment, storage, config, secretsFile(folder, values)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function rehearse(environment: Environment): Promise<void> {
  const config = writeConfig(environment, nothing)
  const own = environmentConfig(environment, nothing)
  const given = Object.keys(givenSettings())
  say({ what: 'Find the databases there are', args: ['d1', 'list', '--json'] })
  say({ what: 'Find the KV namespaces there are', args: ['kv', 'namespace', 'list'] })
  for (const queue of queuesOf(own))
    say({ what: `Find the queue ${queue}`, args: ['queues', 'info', queue] })
  for (const step of provisioning(environment, nothing)) {
    say({ ...step, what: `${step.what}, if it is not there` })
  }
  say({
    what: `Find whether there is a ${madeSecret}, and make one if there is not`,
    args: ['secret', 'list', '--name', own.name],
  })
  for (const step of releasing(environment, nothing, config, '<file>')) say(step)
  console.log(`Settings taken from here: ${given.join(', ') || 'none'}.\n`)
  const built = bundleFolder(environment)
  await run(['deploy', '--dry-run', '--outdir', built, '--config', config])
}

async function runAll(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    say(step)
    await run(step.args)
  }
}

function say({ what, args }: Step): void {
  console.log(`${what}:\n  wrangler ${args.join(' ')}\n`)
}

// The Worker would answer every token with 500.
function refuseHalfAProvider(): void {
  for (const [name, needed] of needs) {
    if (process.env[name] && !process.env[needed]) {
      throw new Refusal(`${name} is set, and needs ${needed}: set both or neither.`)
    }
  }
}

function givenSettings(): Record<string, string | undefined> {
  const given = settings.filter((name) => process.env[name])
  return Object.fromEntries(given.map((name) => [name, process.env[name]]))
}

/** The secrets that a Worker must have and nobody has given: one that is there stays, since others are encrypted with it. */
async function newSecrets(environment: Environment): Promise<Record<string, string>> {
  if (process.env[madeSecret]) return {}
  const { name } = environmentConfig(environment, nothing)
  return (await secretsOf(name)).has(madeSecret) ? {} : { [madeSecret]: newWebhookKey() }
}

/** A file of the settings that are set, for wrangler alone to read; none when none is set. */
function secretsFile(
  folder: string,
  values: Record<string, string | undefined>,
): string | undefined {
  if (Object.keys(values).length === 0) return undefined
  const path = join(folder, 'settings.json')
  writeFileSync(path, JSON.stringify(values), { mode: 0o600 })
  return path
}
