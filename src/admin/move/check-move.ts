import { sql } from 'drizzle-orm/sql'
import { ApiError } from '../../model/api-error.ts'
import type { Database } from '../../store/databases.ts'
import { ofOrganisation } from '../../store/fragments.ts'
import { statement } from '../../store/statement.ts'
import { type DatabaseTables, readTables } from './database-tables.ts'
import type { OrganisationLocation } from './locations.ts'

/**
 * The tables of an organisation that can move, or continue to move, to another database. Throws 409 if
 * the databases have different tables, another organisation moves, or an import or its undo runs.
 */
export async function requireMovable(
  home: OrganisationLocation,
  target: Database,
  organisationId: string,
): Promise<DatabaseTables> {
  if (home.movingTo !== null && home.movingTo !== target.name)
    throw cannotMove(
      `${organisationId} is being moved to ${home.movingTo}. Repeat that, or move it to ${home.name} to end it.`,
    )
  const [tables, targetTables] = await Promise.all([readTables(home.d1), readTables(target.d1)])
  if (tables.description !== targetTables.description)
    throw cannotMove(`${home.name} and ${target.name} have different tables: migrate both first.`)
  if (home.movingTo !== null) return tables
  for (const { name, d1 } of [home, target]) {
    const other = await statement(
      d1,
      sql`SELECT id FROM organisations
        WHERE moving_to IS NOT NULL AND id <> ${organisationId} LIMIT 1`,
    ).first<string>('id')
    if (other !== null)
      throw cannotMove(`${name} has an unfinished move: finish that of ${other} first.`)
  }
  if (await isImporting(home.d1, organisationId))
    throw cannotMove(`An import of ${organisationId} is running, or its undo: wait for its end.`)
  return tables
}

/**
 * Whether an import or its undo is running. An import that was interrupted never ends: it counts only if the
 * organisation changed within a minute.
 */
async function isImporting(d1: D1Database, organisationId: string): Promise<boolean> {
  const query = sql`SELECT 1 FROM imports CROSS JOIN organisations ON organisations.id = organisation_id
    WHERE ${ofOrganisation({ organisationId })} AND (
      undo_lease > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      OR finished IS NULL AND ordinals IS NOT NULL
        AND at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 hour')
        AND changed > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 minute')
    ) LIMIT 1`
  return (await statement(d1, query).first()) !== null
}

const cannotMove = (message: string) => new ApiError('CONFLICT', message)
