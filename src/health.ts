import { type Context, Hono } from 'hono'
import { countFailure } from './auth/limits.ts'
import type { HttpEnv } from './http/env.ts'
import { errorResponse } from './http/errors.ts'
import type { Bindings } from './platform/bindings.ts'
import { inTime } from './platform/in-time.ts'

type HealthEnv = { Bindings: Bindings; Variables: HttpEnv['Variables'] }

/** The last migration of each database, which the code here needs. */
export const lastMigrations = {
  DB: '0038_webhook_attempts_answered.sql',
  GEOGRAPHY: '0001_directory.sql',
} as const

/** `GET /healthz`: the Worker runs. `GET /readyz`: its databases and KV answer, and hold what the code needs; otherwise 503. */
export const routes = new Hono<HealthEnv>()
  .get('/healthz', (c) => c.json({ status: 'ok' }))
  .get('/readyz', async (c) => {
    const message = await faultsOf(c)
    return message
      ? errorResponse(c, 'UNAVAILABLE', message, { 'Retry-After': '10' })
      : c.json({ status: 'ready' })
  })

// Anyone may ask, so what was found is told for a while, and looking anew counts as a failure does.
const remembered = 5000
const found = new WeakMap<Bindings, { message: string; until: number }>()

async function faultsOf(c: Context<HealthEnv>): Promise<string> {
  const { env } = c
  const known = found.get(env)
  if (known && Date.now() < known.until) return known.message
  await countFailure(c, 'readiness')
  const faults = await Promise.all([
    migrationFault(env.DB, 'DB'),
    migrationFault(env.GEOGRAPHY, 'GEOGRAPHY'),
    inTime(env.KEYS.get('readyz')).then(noFault, () => 'KEYS is out of reach.'),
  ])
  const message = faults.filter(Boolean).join(' ')
  found.set(env, { message, until: Date.now() + remembered })
  return message
}

async function migrationFault(db: D1Database, name: keyof typeof lastMigrations): Promise<string> {
  try {
    const asked = db
      .prepare('SELECT 1 FROM d1_migrations WHERE name = ?')
      .bind(lastMigrations[name])
      .first()
    const last = await inTime(asked)
    return last ? '' : `${name} lacks the migration ${lastMigrations[name]}.`
  } catch (error) {
    return String(error).includes('no such table')
      ? `${name} has no migrations.`
      : `${name} is out of reach.`
  }
}

const noFault = () => ''
