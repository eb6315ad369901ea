import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadMiniflare, loadWrangler, repositoryRoot } from '../cli/deployment/environment.ts'
import { wranglerOptions, wranglerPath } from '../cli/deployment/wrangler.ts'
import { createStateWorker, requestDirectly } from '../cli/state/database.ts'
import type { Bindings, DatabaseName } from '../src/platform/bindings.ts'

type Limit = { name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }

const { Miniflare, convertV4MiniflareOptions: options } = loadMiniflare()
const config = loadWrangler().unstable_readConfig({ config: join(repositoryRoot, 'wrangler.toml') })

/** Returns the text of a Worker, bundled for deployment from the source in `root`. */
export function bundle(folder: string, entry: string, root = repositoryRoot): string {
  const args = ['deploy', entry, '--dry-run', '--minify', '--env', '', '--outdir', folder]
  const options = { ...wranglerOptions, cwd: root, stdio: 'ignore' } as const
  execFileSync(process.execPath, [wranglerPath, ...args], options)
  return readFileSync(join(folder, `${basename(entry, '.ts')}.js`), 'utf8')
}

/** Starts a Worker in its own workerd with `databases` and the postcodes in `folder`; returns its address and bindings. `variables` extend those of wrangler.toml; the inspector listens on the given port, 0 for any. */
export async function start(
  folder: string,
  script: string,
  {
    variables,
    inspectorPort,
    databases = ['DB'],
  }: {
    variables?: Record<string, string>
    inspectorPort?: number
    databases?: readonly DatabaseName[]
  } = {},
) {
  const state = createStateWorker()
  const bound = {
    modules: true,
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    d1Databases: Object.fromEntries([...databases, 'GEOGRAPHY'].map((name) => [name, name])),
  }
  const worker = {
    ...bound,
    name: 'ours',
    script,
    kvNamespaces: { KEYS: 'KEYS' },
    ratelimits: Object.fromEntries(config.ratelimits.map((limit: Limit) => [limit.name, limit])),
    bindings: { ...(config.vars as Record<string, string>), ...variables },
    unsafeDirectSockets: [{}],
  }
  const runtime = new Miniflare({
    ...options({
      workers: [
        worker,
        { ...bound, name: 'state', script: state.script, unsafeDirectSockets: [{}] },
      ],
    }),
    inspectorPort,
    resourcePersistencePath: folder,
  })
  await runtime.ready
  const { origin } = await runtime.unsafeGetDirectURL('ours')
  const ask = requestDirectly(await runtime.unsafeGetDirectURL('state'))
  const open = (name: string) => state.openDatabase(ask, name)
  const bindings = {
    ...(await runtime.getBindings<Bindings>('ours')),
    ...Object.fromEntries(databases.map((name) => [name, open(name)])),
    DB: open('DB'),
    GEOGRAPHY: open('GEOGRAPHY'),
  }
  return { runtime, url: `${origin}/api/v1`, bindings }
}

/** Records the migrations of a folder as applied, as wrangler does and `/readyz` checks. */
export async function recordMigrations(db: D1Database, folder: string): Promise<void> {
  await db.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)').run()
  await db
    .prepare('INSERT INTO d1_migrations (name) SELECT value FROM json_each(?)')
    .bind(JSON.stringify(readdirSync(folder)))
    .run()
}

/** Creates an empty database in the place where `start` opens ours; returns its path. */
export async function createEmptyDatabase(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const { runtime, bindings } = await start(folder, 'export default {}')
  await bindings.DB.prepare('CREATE TABLE ours (id INTEGER)').run()
  await runtime.dispose()
  const files = readdirSync(join(folder, 'd1'), { recursive: true, encoding: 'utf8' })
  return join(folder, 'd1', String(files.find((name) => /[0-9a-f]{64}\.sqlite$/.test(name))))
}
