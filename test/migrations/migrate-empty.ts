import { applyD1Migrations, type D1Migration } from 'cloudflare:test'

/** SQL that creates each table, index, trigger and view unless it exists. */
type Schema = readonly string[]

const schemas = new Map<readonly D1Migration[], Schema>()

/**
 * Gives an empty database the schema of these migrations. They take long, so only the first database runs them;
 * the others copy its schema. Like `applyD1Migrations`, it leaves a migrated database as it is.
 */
export async function migrateEmpty(database: D1Database, migrations: D1Migration[]): Promise<void> {
  const schema = schemas.get(migrations)
  if (schema) {
    await database.batch([
      ...schema.map((sql) => database.prepare(sql)),
      ...migrations.map(({ name }) =>
        database.prepare('INSERT OR IGNORE INTO d1_migrations (name) VALUES (?)').bind(name),
      ),
    ])
    return
  }
  await applyD1Migrations(database, migrations)
  schemas.set(migrations, await readSchema(database))
}

async function readSchema(database: D1Database): Promise<Schema> {
  const { results } = await database
    .prepare(
      `SELECT sql FROM sqlite_master
      WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' ORDER BY rowid`,
    )
    .all<{ sql: string }>()
  return results.map(({ sql }) => sql.replace(/^CREATE (UNIQUE INDEX|\w+) /, '$&IF NOT EXISTS '))
}

/** Whether a database has migrations. */
export const isMigrated = async (database: D1Database): Promise<boolean> =>
  (await database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first()) !==
  null
