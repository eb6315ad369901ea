import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateWebhookKey } from '../../src/webhooks/secret.ts'
import { readBookmarks, reportBookmarks } from './bookmarks.ts'
import {
  type AccountStorage,
  buildEnvironmentConfig,
  bundleFolder,
  emptyStorage,
  generatedSecret,
  listQueues,
  readWranglerConfig,
  writeConfig,
} from './environment.ts'
import { describeExisting, type Region } from './region.ts'
import { readAddress, reportSetUpCode } from './set-up-code.ts'
import { readSettings } from './settings.ts'
import { allSteps, provisioningSteps, releaseSteps, type Step } from './steps.ts'
import { listSecrets, readAccountStorage, runWrangler } from './wrangler.ts'

/** Deploys an environment, with missing storage created in a region. Throws CommandError if a step fails. */
export async function deploy(environment: string, region: Region): Promise<void> {
  const settings = readSettings()
  const config = buildEnvironmentConfig(readWranglerConfig(), environment, emptyStorage)
  const queues = listQueues(config)
  const before = await readAccountStorage(queues)
  const existing = config.d1_databases
    .map(({ database_name }) => database_name)
    .filter((name) => before.databases.has(name))
  for (const name of existing)
    console.log(`${name} exists ${describeExisting(before.databases.get(name)?.jurisdiction)}.\n`)
  const missing = provisioningSteps(config, before, region)
  await runAll(missing)
  const storage: AccountStorage = missing.length > 0 ? await readAccountStorage(queues) : before
  const values = { ...settings, ...(settings.WEBHOOK_KEY ? {} : await newSecrets(config.name)) }
  const configFile = writeConfig(environment, storage)
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
  try {
    reportBookmarks(await readBookmarks(existing))
    const outputFile = join(folder, 'output.ndjson')
    process.env.WRANGLER_OUTPUT_FILE_PATH = outputFile
    await runAll(releaseSteps(config, configFile, secretsFile(folder, values)))
    const output = existsSync(outputFile) ? readFileSync(outputFile, 'utf8') : ''
    await reportSetUpCode(environment, readAddress(output))
  } finally {
    delete process.env.WRANGLER_OUTPUT_FILE_PATH
    rmSync(folder, { recursive: true })
  }
}

/** Prints the steps of a deployment and builds the Worker. Needs no account, so it lists the steps of an empty one. */
export async function planDeployment(environment: string, region: Region): Promise<void> {
  const settings = Object.keys(readSettings())
  const config = buildEnvironmentConfig(readWranglerConfig(), environment, emptyStorage)
  const configFile = writeConfig(environment, emptyStorage)
  for (const step of allSteps(config, configFile, region)) printStep(step)
  console.log(`Settings from environment variables: ${settings.join(', ') || 'none'}.\n`)
  const bundle = bundleFolder(environment)
  await runWrangler(['deploy', '--dry-run', '--outdir', bundle, '--config', configFile])
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

/** The required secrets that a Worker does not have yet. Never replaces an existing one, because it encrypts others. */
const newSecrets = async (worker: string): Promise<Record<string, string>> =>
  (await listSecrets(worker)).has(generatedSecret)
    ? {}
    : { [generatedSecret]: generateWebhookKey() }

/** Writes the settings to a file for wrangler that only the current user can read. Returns undefined without settings. */
function secretsFile(folder: string, values: Record<string, string>): string | undefined {
  if (Object.keys(values).length === 0) return undefined
  const path = join(folder, 'settings.json')
  writeFileSync(path, JSON.stringify(values), { mode: 0o600 })
  return path
}
