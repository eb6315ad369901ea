import { type Context, Hono } from 'hono'
import type { Env } from './env.ts'
import { errorResponse } from './http/errors.ts'
import { inTime } from './store/in-time.ts'

/** The last migration of each database, which the code here needs. */
export const lastMigrations = {
  DB: '0015_collections.sql',
  GEOGRAPHY: '0001_directory.sql',
} as const

/** `GET /healthz`: the Worker runs. `GET /readyz`: its databases and KV answer, and hold what the code needs; otherwise 503. */
export const health = new Hono<Env>()
  .get('/healthz', (c) => c.json({ status: 'ok' }))
  .get('/readyz', async (c) => {
    const { env } = c
    const faults = await Promise.all([
      migrationFault(env.DB, 'DB'),
      migrationFault(env.GEOGRAPHY, 'GEOGRAPHY'),
      inTime(env.KEYS.get('readyz')).then(noFault, () => 'KEYS is out of reach.'),
    ])
    const message = faults.filter(Boolean).join(' ')
    return message ? notReady(c, message) : c.json({ status: 'ready' })
  })

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

const notReady = (c: Context<Env>, message: string) =>
  errorResponse(c, 'UNAVAILABLE', message, { 'Retry-After': '10' })
