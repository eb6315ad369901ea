import type { Context } from 'hono'
import { credentialsOf } from '../auth/authenticate.ts'
import { findIdentityProblems } from '../auth/identity-settings.ts'
import { limitFailures } from '../auth/limits.ts'
import { readEdition } from '../geography/edition.ts'
import type { HttpEnv } from '../http/env.ts'
import { errorResponse } from '../http/errors.ts'
import { Hono } from '../http/hono.ts'
import { ApiError } from '../model/api-error.ts'
import type { Bindings } from '../platform/bindings.ts'
import { listDatabases } from '../store/databases.ts'
import {
  derivedTables,
  directoryTables,
  organisationsTable,
  organisationTables,
  packedTables,
} from '../store/organisation-tables.ts'

type HealthEnv = { Bindings: Bindings; Variables: HttpEnv['Variables'] }

/** The latest migration that this code needs: of each database with records, and of the postcodes. */
export const lastMigrations = {
  DB: '0043_set_up_tasks.sql',
  GEOGRAPHY: '0001_directory.sql',
} as const

/** The tables that this code needs. */
export const requiredTables = {
  DB: [
    ...[organisationsTable, ...organisationTables].map(({ name }) => name),
    ...packedTables,
    ...derivedTables,
    ...directoryTables,
  ],
  GEOGRAPHY: ['areas', 'combinations', 'editions', 'postcodes'],
} as const

/** `GET /healthz`: returns 200 while the Worker runs. `GET /readyz`: returns 503 unless KV and the databases respond, the databases have all migrations and tables, and the settings of the identity provider are valid; with `verbose` also sizes, for the operator. */
export const routes = new Hono<HealthEnv>()
  .get('/healthz', (c) => c.json({ status: 'ok' }))
  .get('/readyz', async (c) => {
    if (c.req.query('verbose') !== undefined) return reportToOperator(c)
    const message = await checkReadiness(c)
    return message
      ? errorResponse(c, 'UNAVAILABLE', message, { 'Retry-After': '10' })
      : c.json({ status: 'ready' })
  })

async function reportToOperator(c: Context<HealthEnv>): Promise<Response> {
  const { isOperatorToken, reportDatabases } = await import('./operator-report.ts')
  if (!(await isOperatorToken(c.env, credentialsOf(c.req).token ?? ''))) {
    await limitFailures(c, 'operator')
    throw new ApiError(
      'UNAUTHORIZED',
      'Send the OPERATOR_TOKEN of this deployment as Authorization: Bearer.',
    )
  }
  const [problems, databases, postcodeDirectory] = await Promise.all([
    findProblems(c.env),
    reportDatabases(c.env, Date.now()),
    // An unreachable database is one of the problems.
    readEdition(c.env.GEOGRAPHY).catch(() => null),
  ])
  const status = problems.length > 0 ? 'not ready' : 'ready'
  return c.json({ status, problems, postcodeDirectory, databases }, problems.length > 0 ? 503 : 200)
}

// Anyone can call it, so results are cached and each real check counts against the failure limit.
const cacheMs = 5000
const cachedResults = new WeakMap<Bindings, { message: string; until: number }>()

async function checkReadiness(c: Context<HealthEnv>): Promise<string> {
  const { env } = c
  const cached = cachedResults.get(env)
  if (cached && Date.now() < cached.until) return cached.message
  await limitFailures(c, 'readiness')
  const message = (await findProblems(env)).join(' ')
  cachedResults.set(env, { message, until: Date.now() + cacheMs })
  return message
}

/** Returns a message for each database without a migration or a table, for each part that is out of reach, and for each invalid setting. */
async function findProblems(env: Bindings): Promise<string[]> {
  const messages = await Promise.all([
    ...listDatabases(env).map(([name, db]) => checkDatabase(db, name, 'DB')),
    checkDatabase(env.GEOGRAPHY, 'GEOGRAPHY', 'GEOGRAPHY'),
    env.KEYS.get('readyz').then(noProblem, () => 'KEYS is out of reach.'),
  ])
  return [...messages.filter(Boolean), ...findIdentityProblems(env)]
}

/** Returns a message about a missing migration or table, or an empty text. */
async function checkDatabase(
  db: D1Database,
  name: string,
  schema: keyof typeof lastMigrations,
): Promise<string> {
  const lastMigration = lastMigrations[schema]
  try {
    const query = db
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM d1_migrations WHERE name = ?) AS isMigrated, (
          SELECT group_concat(value, ', ') FROM json_each(?)
          WHERE value NOT IN (SELECT name FROM sqlite_master WHERE type = 'table')
        ) AS missing`,
      )
      .bind(lastMigration, JSON.stringify(requiredTables[schema]))
    const row = await query.first<{ isMigrated: number; missing: string | null }>()
    if (!row?.isMigrated) return `${name} lacks the migration ${lastMigration}.`
    return row.missing === null ? '' : `${name} lacks tables: ${row.missing}.`
  } catch (error) {
    return String(error).includes('no such table')
      ? `${name} has no migrations.`
      : `${name} is out of reach.`
  }
}

const noProblem = () => ''
