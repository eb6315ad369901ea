import { sql } from 'drizzle-orm/sql'
import {
  keyOriginsTable,
  organisationsTable,
  organisationTables,
} from '../../store/organisation-tables.ts'
import { statement } from '../../store/statement.ts'
import type { MovedTable } from './read-rows.ts'

/** The columns that a move does not copy, because each database has its own values. */
const otherColumns: Record<string, readonly string[]> = {
  records: ['row'],
  organisations: [
    ...['database', 'moving_to'],
    ...['records', 'document_bytes', 'measured', 'measuring'],
  ],
}

/** The tables of a database as a move copies them. `description` is the same for two databases with the same migrations. */
export type DatabaseTables = {
  moved: MovedTable[]
  organisations: MovedTable
  /** The tables that must be equal after the move; the index is compared differently. */
  compared: MovedTable[]
  description: string
}

/** Reads the columns, indexes and triggers of a database. */
export async function readTables(d1: D1Database): Promise<DatabaseTables> {
  const names = JSON.stringify([organisationsTable, ...organisationTables].map(({ name }) => name))
  const [columns, objects] = await d1.batch<{ table: string; name: string }>([
    statement(
      d1,
      sql`SELECT item.value AS "table", columns.name
        FROM json_each(${names}) AS item CROSS JOIN pragma_table_info(item.value) AS columns
        ORDER BY item.key, columns.cid`,
    ),
    statement(
      d1,
      sql`SELECT tbl_name AS "table", name FROM sqlite_master
        WHERE type IN ('index', 'trigger') AND name NOT GLOB 'moving *' ORDER BY 1, 2`,
    ),
  ])
  const byTable = Map.groupBy(columns?.results ?? [], ({ table }) => table)
  const copiedColumns = (table: string) =>
    (byTable.get(table) ?? [])
      .map(({ name }) => name)
      .filter((name) => !otherColumns[table]?.includes(name))
  const moved = organisationTables.map((table) => ({
    ...table,
    columns: copiedColumns(table.name),
  }))
  const organisations = { ...organisationsTable, columns: copiedColumns('organisations') }
  return {
    moved,
    organisations,
    compared: [organisations, ...moved, { ...keyOriginsTable, columns: keyOriginsTable.key }],
    description: JSON.stringify([columns?.results, objects?.results]),
  }
}
