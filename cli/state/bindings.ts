import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { getPlatformProxy } from 'wrangler'
import type { Bindings } from '../../src/platform/bindings.ts'
import { patient } from '../../src/platform/patient.ts'
import { environmentConfig, environments, root } from '../deployment/environment.ts'
import { storageOfAccount, wrangler } from '../deployment/wrangler.ts'
import { Refusal } from '../terminal/refusal.ts'

/** Which state a command works on: a local folder, or a deployed environment. */
export type Target = { persistTo?: string; remote?: boolean; env?: string }

const configPath = join(root, 'wrangler.toml')

/** Where wrangler keeps local state unless told otherwise. */
export const localState = join(root, '.wrangler/state')

/** Gives `work` the bindings of the target, its databases migrated if they are local, and closes them after. */
export async function withBindings<Result>(
  target: Target,
  work: (bindings: Bindings) => Promise<Result>,
): Promise<Result> {
  if (target.env && !target.remote) throw new Refusal('--env is for --remote.')
  const state = resolve(target.persistTo ?? localState)
  const proxy = await getPlatformProxy<Bindings>({
    configPath: target.remote ? await remoteConfig(target.env) : configPath,
    persist: { path: join(state, 'v3') },
  })
  try {
    if (target.remote) return await work(proxy.env)
    const { DB, GEOGRAPHY } = proxy.env
    const bindings = { ...proxy.env, DB: patient(DB), GEOGRAPHY: patient(GEOGRAPHY) }
    await migrate(bindings, state)
    return await work(bindings)
  } finally {
    await proxy.dispose()
  }
}

const databases = { DB: 'migrations', GEOGRAPHY: 'migrations-geography' } as const

async function migrate(bindings: Bindings, state: string): Promise<void> {
  for (const [binding, folder] of Object.entries(databases) as [keyof typeof databases, string][]) {
    const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.sql'))
    const applied = await appliedMigrations(bindings[binding])
    if (files.every((name) => applied.has(name))) continue
    const args = ['d1', 'migrations', 'apply', binding, '--local', '--persist-to', state]
    await runWrangler([...args, '--config', configPath])
  }
}

async function appliedMigrations(db: D1Database): Promise<Set<string>> {
  const kept = await db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").all()
  if (kept.results.length === 0) return new Set()
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
  return new Set(results.map(({ name }) => name))
}

/** Runs wrangler without questions; its output is shown only when it fails. */
async function runWrangler(args: string[]): Promise<void> {
  // Not execFileSync: the proxy's idle connection would be closed without this process noticing.
  await promisify(execFile)(process.execPath, [wrangler, ...args], {
    cwd: root,
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
  })
}

/** A configuration of the environment's databases and KV alone, reached where they are deployed. */
async function remoteConfig(env?: string): Promise<string> {
  const environment = environments.find((name) => name === env)
  if (!environment) throw new Refusal(`--remote needs --env: ${environments.join(' or ')}.`)
  const { name, compatibility_date, d1_databases, kv_namespaces } = environmentConfig(
    environment,
    await storageOfAccount(),
  )
  const remote = <Binding extends object>(binding: Binding) => ({ ...binding, remote: true })
  const path = join(root, '.wrangler/remote.json')
  mkdirSync(join(root, '.wrangler'), { recursive: true })
  writeFileSync(
    path,
    JSON.stringify({
      name,
      compatibility_date,
      d1_databases: d1_databases.map(remote),
      kv_namespaces: kv_namespaces.map(remote),
    }),
  )
  return path
}
