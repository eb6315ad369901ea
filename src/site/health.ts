import { type Context, Hono } from 'hono'
import { limitFailures } from '../auth/limits.ts'
import type { HttpEnv } from '../http/env.ts'
import { errorResponse } from '../http/errors.ts'
import type { Bindings } from '../platform/bindings.ts'
import { withTimeout } from '../platform/timeout.ts'

type HealthEnv = { Bindings: Bindings; Variables: HttpEnv['Variables'] }

/** The latest migration of each database that this code needs. */
export const lastMigrations = {
  DB: '0019_databases.sql',
  GEOGRAPHY: '0001_directory.sql',
} as const

/** `GET /healthz`: returns 200 while the Worker runs. `GET /readyz`: returns 503 unless KV and the databases respond and the databases have all migrations. */
export const routes = new Hono<HealthEnv>()
  .get('/healthz', (c) => c.json({ status: 'ok' }))
  .get('/readyz', async (c) => {
    const message = await checkReadiness(c)
    return message
      ? errorResponse(c, 'UNAVAILABLE', message, { 'Retry-After': '10' })
      : c.json({ status: 'ready' })
  })

// Anyone can call it, so results are cached and each real check counts against the failure limit.
const cacheMs = 5000
const cachedResults = new WeakMap<Bindings, { message: string; until: number }>()

async function checkReadiness(c: Context<HealthEnv>): Promise<string> {
  const { env } = c
  const cached = cachedResults.get(env)
  if (cached && Date.now() < cached.until) return cached.message
  await limitFailures(c, 'readiness')
  const errors = await Promise.all([
    checkMigration(env.DB, 'DB'),
    checkMigration(env.GEOGRAPHY, 'GEOGRAPHY'),
    withTimeout(env.KEYS.get('readyz')).then(noProblem, () => 'KEYS is out of reach.'),
  ])
  const message = errors.filter(Boolean).join(' ')
  cachedResults.set(env, { message, until: Date.now() + cacheMs })
  return message
}

async function checkMigration(db: D1Database, name: keyof typeof lastMigrations): Promise<string> {
  try {
    const query = db
      .prepare('SELECT 1 FROM d1_migrations WHERE name = ?')
      .bind(lastMigrations[name])
      .first()
    const row = await withTimeout(query)
    return row ? '' : `${name} lacks the migration ${lastMigrations[name]}.`
  } catch (error) {
    return String(error).includes('no such table')
      ? `${name} has no migrations.`
      : `${name} is out of reach.`
  }
}

const noProblem = () => ''
