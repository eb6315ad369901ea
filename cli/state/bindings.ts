import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type Databases,
  isDatabaseName,
  type RecordDatabases,
} from '../../src/platform/bindings.ts'
import { isBusyMessage, withRetry } from '../../src/platform/retry.ts'
import { limitBindings } from '../../src/platform/timeout.ts'
import { listDatabases } from '../../src/store/databases.ts'
import { loadMiniflare, loadWrangler, repositoryRoot } from '../deployment/environment.ts'
import { connectRemote } from '../deployment/remote.ts'
import { CommandError } from '../terminal/report.ts'
import { createStateWorker, requestDirectly } from './database.ts'
import { listLocalDatabases } from './local-databases.ts'
import { protectState } from './protect.ts'

/** The state for a command: a local folder or a deployed environment. */
export type StateTarget = { persistTo?: string; remote?: boolean; env?: string }

/** Wrangler's default folder for local state. */
export const localState = join(repositoryRoot, '.wrangler/state')

// Another process may write to the same files for longer than a request would wait.
const timeoutMs = 150_000

/** Runs `work` with the target's databases and KV and closes them afterwards. Migrates local databases first. */
export async function withBindings<Result>(
  target: StateTarget,
  work: (bindings: Databases) => Promise<Result>,
): Promise<Result> {
  if (target.env && !target.remote) throw new CommandError('--env needs --remote.')
  if (target.remote) {
    const { env, dispose } = await connectRemote(target.env)
    return refuseNewerDatabases(env)
      .then(() => work(limitBindings(env, timeoutMs)))
      .finally(dispose)
  }
  const { env, dispose } = await openState(resolve(target.persistTo ?? localState))
  try {
    await migrateDatabases(env)
    return await work(limitBindings(env, timeoutMs))
  } finally {
    await dispose()
  }
}

/** Opens the databases and KV of a local folder without migrating them. The caller must dispose of them. */
export async function openState(state: string) {
  await protectState(state)
  const { script, openDatabase } = createStateWorker()
  const names = listLocalDatabases()
  const { Miniflare, convertV4MiniflareOptions } = loadMiniflare()
  const worker = {
    modules: true,
    script,
    // Locally, wrangler uses the names of bindings as ids, as wrangler.toml says.
    d1Databases: names,
    kvNamespaces: ['KEYS'],
    unsafeDirectSockets: [{}],
  }
  const runtime = new Miniflare({
    ...convertV4MiniflareOptions(worker),
    resourcePersistencePath: join(state, 'v3'),
    // Statements that meet another process are retried: its locks are no failures.
    handleStructuredLogs: ({ message }) => {
      if (!isBusyMessage(message)) console.error(message)
    },
  })
  const { KEYS } = await runtime.getBindings<Databases>()
  const ask = requestDirectly(await runtime.unsafeGetDirectURL())
  const open = (name: string) => withRetry(openDatabase(ask, name))
  const env: Databases = {
    ...Object.fromEntries(names.filter(isDatabaseName).map((name) => [name, open(name)])),
    DB: open('DB'),
    GEOGRAPHY: open('GEOGRAPHY'),
    KEYS,
  }
  return { env, dispose: () => runtime.dispose() }
}

/** Applies missing migrations to the databases. Returns the names of the applied files by database. */
export async function migrateDatabases(
  env: RecordDatabases & Pick<Databases, 'GEOGRAPHY'>,
): Promise<Map<string, string[]>> {
  const applied = new Map<string, string[]>()
  for (const [name, d1] of listDatabases(env))
    applied.set(name, await migrate(d1, 'migrations/records'))
  return applied.set('GEOGRAPHY', await migrate(env.GEOGRAPHY, 'migrations/geography'))
}

/** Applies a folder's missing migrations to a database in this process and returns their names. Like wrangler, applies each file completely or not at all. */
export async function migrate(db: D1Database, folder: string): Promise<string[]> {
  const files = listMigrations(folder)
  const applied = await appliedMigrations(db)
  refuseUnknown(applied, files)
  const missing = files.toSorted().filter((name) => !applied.has(name))
  for (const name of missing) {
    const statements = loadWrangler().unstable_splitSqlQuery(
      readFileSync(join(repositoryRoot, folder, name), 'utf8'),
    )
    const record = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
    await db.batch([...statements.map((statement) => db.prepare(statement)), record])
  }
  return missing
}

/** Throws if a newer release has migrated the databases, because this one does not know what they hold. */
async function refuseNewerDatabases(
  env: RecordDatabases & Pick<Databases, 'GEOGRAPHY'>,
): Promise<void> {
  const databases = [
    ...listDatabases(env).map(([, d1]) => [d1, 'migrations/records'] as const),
    [env.GEOGRAPHY, 'migrations/geography'] as const,
  ]
  for (const [d1, folder] of databases)
    refuseUnknown(await readAppliedMigrations(d1), listMigrations(folder))
}

const listMigrations = (folder: string) =>
  readdirSync(join(repositoryRoot, folder)).filter((name) => name.endsWith('.sql'))

function refuseUnknown(applied: ReadonlySet<string>, files: readonly string[]): void {
  const unknown = [...applied].filter((name) => !files.includes(name))
  const [newer] = unknown.filter((name) => files.every((file) => file < name))
  if (newer !== undefined)
    throw new CommandError(
      `A newer release has migrated these databases (${newer}): use that release, or a later one.`,
    )
  if (unknown.length > 0) throw new CommandError(unknownMigration)
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
  return readAppliedMigrations(db)
}

async function readAppliedMigrations(db: D1Database): Promise<Set<string>> {
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>()
  return new Set(results.map(({ name }) => name))
}
