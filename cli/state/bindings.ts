import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Databases } from '../../src/platform/bindings.ts'
import { withRetry } from '../../src/platform/retry.ts'
import {
  buildEnvironmentConfig,
  environments,
  loadMiniflare,
  loadWrangler,
  repositoryRoot,
} from '../deployment/environment.ts'
import { readAccountStorage } from '../deployment/wrangler.ts'
import { CommandError } from '../terminal/refusal.ts'
import { createStateWorker } from './database.ts'
import { protectState } from './protect.ts'

/** Which state a command works on: a local folder, or a deployed environment. */
export type StateTarget = { persistTo?: string; remote?: boolean; env?: string }

/** Where wrangler keeps local state unless told otherwise. */
export const localState = join(repositoryRoot, '.wrangler/state')

/** Gives `work` the databases and KV of the target, its databases migrated if they are local, and closes them after. */
export async function withBindings<Result>(
  target: StateTarget,
  work: (bindings: Databases) => Promise<Result>,
): Promise<Result> {
  if (target.env && !target.remote) throw new CommandError('--env is for --remote.')
  if (target.remote) {
    const configPath = await remoteConfig(target.env)
    const { env, dispose } = await loadWrangler().getPlatformProxy<Databases>({ configPath })
    return work(env).finally(dispose)
  }
  const { env, dispose } = await openState(resolve(target.persistTo ?? localState))
  try {
    await migrateDatabases(env)
    return await work(env)
  } finally {
    await dispose()
  }
}

/** The databases and KV of the local state in a folder, which are not migrated; until it is disposed of. */
export async function openState(state: string) {
  await protectState(state)
  const { script, databases } = createStateWorker()
  const { Miniflare, convertV4MiniflareOptions } = loadMiniflare()
  const worker = {
    modules: true,
    script,
    // Under the names of their bindings, as wrangler has them where wrangler.toml gives no ids.
    d1Databases: ['DB', 'GEOGRAPHY'],
    kvNamespaces: ['KEYS'],
  }
  const runtime = new Miniflare({
    ...convertV4MiniflareOptions(worker),
    resourcePersistencePath: join(state, 'v3'),
  })
  const { DB, GEOGRAPHY } = databases((url, init) => runtime.dispatchFetch(url, init))
  const { KEYS } = await runtime.getBindings<Databases>()
  const env: Databases = { DB: withRetry(DB), GEOGRAPHY: withRetry(GEOGRAPHY), KEYS }
  return { env, dispose: () => runtime.dispose() }
}

/** Applies the migrations that the databases do not have yet. */
export async function migrateDatabases({ DB, GEOGRAPHY }: Pick<Databases, 'DB' | 'GEOGRAPHY'>) {
  await migrate(DB, 'migrations/records')
  await migrate(GEOGRAPHY, 'migrations/geography')
}

/** Applies the migrations of a folder that a database does not have yet: as wrangler does, each file whole or not at all, but without a process of its own. */
export async function migrate(db: D1Database, folder: string): Promise<void> {
  const files = readdirSync(join(repositoryRoot, folder)).filter((name) => name.endsWith('.sql'))
  const applied = await appliedMigrations(db)
  if ([...applied].some((name) => !files.includes(name))) throw new CommandError(unknownMigration)
  for (const name of files.toSorted().filter((name) => !applied.has(name))) {
    const statements = loadWrangler().unstable_splitSqlQuery(
      readFileSync(join(repositoryRoot, folder, name), 'utf8'),
    )
    const record = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
    await db.batch([...statements.map((statement) => db.prepare(statement)), record])
  }
}

const unknownMigration =
  'Another version of the migrations made these databases: export the records with that version, or delete the folder.'

async function appliedMigrations(db: D1Database): Promise<Set<string>> {
  await db
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT UNIQUE,
        applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
      )`,
    )
    .run()
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
  return new Set(results.map(({ name }) => name))
}

/** A configuration of the environment's databases and KV alone, reached where they are deployed. */
async function remoteConfig(env?: string): Promise<string> {
  const environment = environments.find((name) => name === env)
  if (!environment) throw new CommandError(`--remote needs --env: ${environments.join(' or ')}.`)
  const { name, compatibility_date, d1_databases, kv_namespaces } = buildEnvironmentConfig(
    environment,
    await readAccountStorage(),
  )
  const remote = <Binding extends object>(binding: Binding) => ({ ...binding, remote: true })
  const path = join(repositoryRoot, '.wrangler/remote.json')
  mkdirSync(join(repositoryRoot, '.wrangler'), { recursive: true })
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
