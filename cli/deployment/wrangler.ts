import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Refusal } from '../terminal/refusal.ts'
import { root, type Storage } from './environment.ts'

/** Where wrangler's own program lies. */
export const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')

/** How wrangler is run: it asks nothing, since CI answers its questions with their defaults, and sends nothing. */
export const quietly = {
  cwd: root,
  env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
}

/** Runs wrangler in view of the operator; a Refusal when it fails. */
export async function run(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [wrangler, ...args], { ...quietly, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Refusal(`wrangler ${args.slice(0, 3).join(' ')} failed.`)
}

/** What the account has: the ids of its databases and KV namespaces by name, and those of some queues that are there. */
export async function storageOfAccount(queues: readonly string[] = []): Promise<Storage> {
  const databases = await listed<{ name: string; uuid: string }>(['d1', 'list', '--json'])
  const namespaces = await listed<{ title: string; id: string }>(['kv', 'namespace', 'list'])
  return {
    databases: new Map(databases.map(({ name, uuid }) => [name, uuid])),
    namespaces: new Map(namespaces.map(({ title, id }) => [title, id])),
    queues: new Set(await thereAmong(queues)),
  }
}

/** The names of the secrets that a Worker has; none when it is not there yet. */
export async function secretsOf(worker: string): Promise<Set<string>> {
  const listed = await answerTo(['secret', 'list', '--name', worker])
  const secrets: { name: string }[] = listed === undefined ? [] : JSON.parse(listed)
  return new Set(secrets.map(({ name }) => name))
}

async function thereAmong(queues: readonly string[]): Promise<string[]> {
  const there: string[] = []
  for (const queue of queues) {
    if ((await answerTo(['queues', 'info', queue])) !== undefined) there.push(queue)
  }
  return there
}

async function listed<Item>(args: string[]): Promise<Item[]> {
  return JSON.parse((await answerTo(args)) ?? '[]')
}

/** What wrangler prints; undefined when what it is asked about is not there. */
async function answerTo(args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [wrangler, ...args], quietly)
    return stdout
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
    if (/not found|does not exist/.test(stdout + stderr)) return undefined
    throw new Refusal(
      `wrangler ${args.join(' ')} failed: sign in with npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.`,
      { cause },
    )
  }
}
