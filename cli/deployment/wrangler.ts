import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../terminal/report.ts'
import { type AccountStorage, repositoryRoot } from './environment.ts'

/** The path of wrangler's program. */
export const wranglerPath = join(repositoryRoot, 'node_modules/wrangler/bin/wrangler.js')

/** Options that prevent telemetry, and prompts that CI would answer with defaults. */
export const wranglerOptions = {
  cwd: repositoryRoot,
  env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
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

/** Returns the ids of an account's databases and KV namespaces by name, and which of the given queues exist. */
export async function readAccountStorage(queues: readonly string[] = []): Promise<AccountStorage> {
  const databases = await listItems<{ name: string; uuid: string }>(['d1', 'list', '--json'])
  const namespaces = await listItems<{ title: string; id: string }>(['kv', 'namespace', 'list'])
  return {
    databases: new Map(databases.map(({ name, uuid }) => [name, uuid])),
    namespaces: new Map(namespaces.map(({ title, id }) => [title, id])),
    queues: new Set(await findExistingQueues(queues)),
  }
}

/** Returns the names of a Worker's secrets, or none if the Worker does not exist yet. */
export async function listSecrets(worker: string): Promise<Set<string>> {
  const output = await readOutput(['secret', 'list', '--name', worker])
  const secrets: { name: string }[] = output === undefined ? [] : JSON.parse(output)
  return new Set(secrets.map(({ name }) => name))
}

async function findExistingQueues(queues: readonly string[]): Promise<string[]> {
  const existing: string[] = []
  for (const queue of queues) {
    if ((await readOutput(['queues', 'info', queue])) !== undefined) existing.push(queue)
  }
  return existing
}

async function listItems<Item>(args: string[]): Promise<Item[]> {
  return JSON.parse((await readOutput(args)) ?? '[]')
}

/** Returns wrangler's output, or undefined if the resource does not exist. */
async function readOutput(args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [wranglerPath, ...args],
      wranglerOptions,
    )
    return stdout
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
    if (/not found|does not exist/.test(stdout + stderr)) return undefined
    throw new CommandError(
      `wrangler ${args.join(' ')} failed: sign in with npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.`,
      { cause },
    )
  }
}
