import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../terminal/report.ts'
import { type AccountStorage, repositoryRoot } from './environment.ts'
import { parseWranglerError } from './wrangler-error.ts'

/** The path of wrangler's program. */
export const wranglerPath = join(repositoryRoot, 'node_modules/wrangler/bin/wrangler.js')

/** Options that prevent telemetry, and prompts that CI would answer with defaults. */
export const wranglerOptions = {
  cwd: repositoryRoot,
  get env() {
    return { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' }
  },
}

/** Runs wrangler with visible output. Throws CommandError if it fails. */
export async function runWrangler(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [wranglerPath, ...args], {
    ...wranglerOptions,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new CommandError(`wrangler ${args.slice(0, 3).join(' ')} failed.`)
}

/** An account's databases and KV namespaces by name, and which of the given queues exist. Throws CommandError with wrangler's reason if it fails. */
export async function readAccountStorage(queues: readonly string[] = []): Promise<AccountStorage> {
  const databases = await readJson<AccountDatabase[]>(['d1', 'list', '--json'])
  const namespaces = await readJson<{ title: string; id: string }[]>(['kv', 'namespace', 'list'])
  return {
    databases: new Map(
      databases.map(({ name, uuid, jurisdiction }) => [name, { id: uuid, jurisdiction }]),
    ),
    namespaces: new Map(namespaces.map(({ title, id }) => [title, id])),
    queues: new Set(await findExistingQueues(queues)),
  }
}

type AccountDatabase = { name: string; uuid: string; jurisdiction?: string | null }

/** The names of a Worker's secrets, or none if the Worker does not exist yet. */
export async function listSecrets(worker: string): Promise<Set<string>> {
  const secrets = await readJson<{ name: string }[]>(['secret', 'list', '--name', worker]).catch(
    ifMissing([]),
  )
  return new Set(secrets.map(({ name }) => name))
}

async function findExistingQueues(queues: readonly string[]): Promise<string[]> {
  const existing: string[] = []
  for (const queue of queues) {
    const output = await readOutput(['queues', 'info', queue]).catch(ifMissing(undefined))
    if (output !== undefined) existing.push(queue)
  }
  return existing
}

/** Wrangler's JSON output. Throws CommandError with wrangler's reason if it fails. */
export const readJson = async <Value>(args: readonly string[]): Promise<Value> =>
  JSON.parse(await readOutput(args))

async function readOutput(args: readonly string[]): Promise<string> {
  try {
    const program = [wranglerPath, ...args]
    const { stdout } = await promisify(execFile)(process.execPath, program, wranglerOptions)
    return stdout
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string }
    const command = `npx wrangler ${args.join(' ')}`
    throw new CommandError(`${command} failed. ${parseWranglerError(stderr)}`, { cause })
  }
}

/** A handler of failures that replaces the output for a Worker or queue that does not exist. */
const ifMissing =
  <Replacement>(replacement: Replacement) =>
  (error: unknown): Replacement => {
    if (error instanceof CommandError && /not found|does not exist/.test(error.message))
      return replacement
    throw error
  }
