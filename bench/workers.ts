import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { Miniflare, convertV4MiniflareOptions as options } from 'miniflare'
import { unstable_readConfig as readConfig } from 'wrangler'

const root = join(import.meta.dirname, '..')
type Limit = { name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }

const config = readConfig({ config: join(root, 'wrangler.toml') })

/** The text of a Worker in one file, as it is deployed. */
export function bundle(folder: string, entry: string): string {
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
  const args = ['deploy', entry, '--dry-run', '--minify', '--env', '', '--outdir', folder]
  execFileSync(process.execPath, [wrangler, ...args], {
    cwd: root,
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
    stdio: 'ignore',
  })
  return readFileSync(join(folder, `${basename(entry, '.ts')}.js`), 'utf8')
}

/** Our Worker and the floor's in one workerd, on one database kept in `folder`; `url` is ours, `floor` the floor's. Ours has `variables` beside those of wrangler.toml, and the inspector listens where it is given a port, 0 for any. */
export async function start(
  folder: string,
  { ours, floor: bare = nothing }: { ours: string; floor?: string },
  { variables, inspectorPort }: { variables?: Record<string, string>; inspectorPort?: number } = {},
) {
  const shared = {
    modules: true,
    compatibilityDate: config.compatibility_date,
    d1Databases: { DB: 'DB', GEOGRAPHY: 'GEOGRAPHY' },
  }
  const runtime = new Miniflare({
    ...options({
      workers: [
        {
          ...shared,
          name: 'ours',
          script: ours,
          kvNamespaces: { KEYS: 'KEYS' },
          ratelimits: Object.fromEntries(
            config.ratelimits.map((limit: Limit) => [limit.name, limit]),
          ),
          bindings: { ...(config.vars as Record<string, string>), ...variables },
          unsafeDirectSockets: [{}],
        },
        {
          ...shared,
          name: 'floor',
          script: bare,
          unsafeDirectSockets: [{}],
        },
      ],
    }),
    inspectorPort,
    resourcePersistencePath: folder,
  })
  await runtime.ready
  const url = await runtime.unsafeGetDirectURL('ours')
  const floor = await runtime.unsafeGetDirectURL('floor')
  return { runtime, url: `${url.origin}/api/v1`, floor: floor.origin }
}

/** Applies the migrations of a folder to an empty database. */
export async function migrate(db: D1Database, folder: string): Promise<void> {
  for (const { queries } of await readD1Migrations(folder)) {
    for (const query of queries) await db.prepare(query).run()
  }
}

const nothing = 'export default {}'

/** The path of an empty database where `start` will look for ours. */
export async function emptyDatabase(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const { runtime } = await start(folder, { ours: nothing })
  const db = await runtime.getD1Database('DB', 'ours')
  await db.prepare('CREATE TABLE ours (id INTEGER)').run()
  await runtime.dispose()
  const files = readdirSync(join(folder, 'd1'), { recursive: true, encoding: 'utf8' })
  return join(folder, 'd1', String(files.find((name) => /[0-9a-f]{64}\.sqlite$/.test(name))))
}
