import { type SQL, sql } from 'drizzle-orm'

/** A row of an answer of the database. */
export type Row = Record<string, string | number | null>

/** What a read selects below its head: the names of the columns, the rows, and a WITH clause that they and the head need. */
export type Body = { columns: readonly string[]; rows: SQL; with?: SQL }

/**
 * One statement, so one round trip, and what its answer says: its first row holds the head, the
 * others what the body selects. A statement costs D1 about as much as 100 rows, hence not a batch;
 * a column costs at every row, hence the head lies in the body's own.
 */
export function headAndRows(head: Record<string, SQL>, body?: Body) {
  const names = Object.keys(head)
  const columns = [...(body?.columns ?? []), ...names.slice(body?.columns.length ?? 0)]
  const values = Object.values(head)
  const first = sql`SELECT ${list(
    columns.map((column, place) => sql`${values[place] ?? sql`NULL`} AS ${sql.identifier(column)}`),
  )}`
  return { query: body ? below(first, body, columns.length) : first, split }

  function split([first = {}, ...rows]: Row[]): { head: Row; rows: Row[] } {
    const found = names.map((name, place) => [name, first[columns[place] ?? name] ?? null])
    return { head: Object.fromEntries(found), rows }
  }
}

function below(first: SQL, body: Body, width: number): SQL {
  const nothing = Array.from({ length: width - body.columns.length }, () => sql`NULL`)
  return sql`${body.with ?? sql``} ${first}
    UNION ALL SELECT ${list([sql`*`, ...nothing])} FROM (${body.rows})`
}

const list = (items: SQL[]) => sql.join(items, sql`, `)
