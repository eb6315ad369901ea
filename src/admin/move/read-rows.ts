import { type SQL, sql } from 'drizzle-orm/sql'
import {
  columnList,
  isOfOrganisation,
  type OrganisationTable,
} from '../../store/organisation-tables.ts'
import { statement } from '../../store/statement.ts'

export type StoredValue = string | number | null

/** The columns of a table that a move copies. */
export type MovedTable = OrganisationTable & { columns: readonly string[] }

/** The values of a row's key columns. */
type RowKey = readonly StoredValue[]

const maxRows = 500
const maxBytes = 500_000

/**
 * Yields the rows of an organisation after a key, in chunks of at most 500 rows and 500 KB; a longer row is
 * a separate chunk. `expressions` replaces columns by SQL.
 */
export async function* readRows(
  d1: D1Database,
  table: MovedTable,
  organisationId: string,
  { after, expressions = {} }: { after?: RowKey; expressions?: Record<string, SQL> } = {},
): AsyncGenerator<StoredValue[][]> {
  const from = sql`FROM ${sql.identifier(table.name)} WHERE ${isOfOrganisation(table, organisationId)}`
  const key = columnList(table.key)
  const bytes = sql.join(
    table.columns.map((column) => sql`coalesce(octet_length(${sql.identifier(column)}), 0)`),
    sql` + `,
  )
  const columns = sql.join(
    table.columns.map((column) => expressions[column] ?? sql.identifier(column)),
    sql`, `,
  )
  const keyIndexes = table.key.map((column) => table.columns.indexOf(column))
  for (let last = after; ; ) {
    const rest = last ? sql`${from} AND (${key}) > (${list(last)})` : from
    const count = sql`SELECT max(1, count(*)) FROM (
      SELECT sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) AS total
      FROM (SELECT ${bytes} AS bytes ${rest} ORDER BY ${key} LIMIT ${sql.raw(String(maxRows))})
    ) WHERE total <= ${sql.raw(String(maxBytes))}`
    const query = sql`SELECT ${columns} ${rest} ORDER BY ${key} LIMIT (${count})`
    const rows = await statement(d1, query).raw<StoredValue[]>()
    const lastRow = rows.at(-1)
    if (!lastRow) return
    yield rows
    last = keyIndexes.map((index) => lastRow[index] ?? null)
  }
}

export async function readLastKey(
  d1: D1Database,
  table: OrganisationTable,
  organisationId: string,
): Promise<RowKey | undefined> {
  const descending = sql.join(
    table.key.map((column) => sql`${sql.identifier(column)} DESC`),
    sql`, `,
  )
  const query = sql`SELECT ${columnList(table.key)} FROM ${sql.identifier(table.name)}
    WHERE ${isOfOrganisation(table, organisationId)} ORDER BY ${descending} LIMIT 1`
  const [row] = await statement(d1, query).raw<StoredValue[]>()
  return row
}

export async function countRows(
  d1: D1Database,
  table: OrganisationTable,
  organisationId: string,
): Promise<number> {
  const query = sql`SELECT count(*) AS number FROM ${sql.identifier(table.name)}
    WHERE ${isOfOrganisation(table, organisationId)}`
  return (await statement(d1, query).first<number>('number')) ?? 0
}

const list = (values: readonly StoredValue[]) =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )
