import { CasingCache } from 'drizzle-orm/casing'
import { Name, SQL, type SQLChunk, StringChunk, sql } from 'drizzle-orm/sql'

/** A collection of one organisation. */
export type Scope = { organisationId: string; collection: string }

/** How SQLite writes names, texts and parameters. Drizzle's own dialect brings its query builder along. */
const dialect = {
  casing: new CasingCache(),
  escapeName: (name: string) => `"${name.replaceAll('"', '""')}"`,
  escapeString: (text: string) => `'${text.replaceAll("'", "''")}'`,
  escapeParam: () => '?',
}

/** Prepares a query as a D1 statement with bound parameters. */
export function statement(d1: D1Database, query: SQL): D1PreparedStatement {
  const params: unknown[] = []
  return d1.prepare(render(query, params)).bind(...params)
}

/**
 * The text of a query; adds its parameters to `params`. Drizzle's own renderer tests each part of a query for a dozen
 * kinds, which would take a twentieth of the CPU of a small request, so this leaves only the rare kinds to it.
 */
export function render(query: SQL, params: unknown[]): string {
  let text = ''
  for (const part of query.queryChunks) {
    if (part instanceof StringChunk) text += part.value.join('')
    else if (part instanceof SQL) text += render(part, params)
    else if (part instanceof Name) text += dialect.escapeName(part.value)
    else if (isScalar(part)) {
      text += '?'
      params.push(part)
    } else {
      const rendered = new SQL([part]).toQuery(dialect)
      text += rendered.sql
      params.push(...rendered.params)
    }
  }
  return text
}

const isScalar = (part: SQLChunk) =>
  typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean'

export type Row = Record<string, string | number | null>

/** The rows to read: column names, a query, and a WITH clause that the head shares. */
export type Body = { columns: readonly string[]; rows: SQL; with?: SQL | undefined }

/** The parsed result of `headAndRows`. */
export type QueryResult = { head: Row; rows: Row[] }

/**
 * Combines a head and a body in one statement, because a statement costs D1 about as much as 100
 * rows. The first row is the head; without a row from `source`, its columns are NULL. With a body,
 * it is a JSON array in the first column, because each further column costs time in every row.
 */
export function headAndRows(head: Record<string, SQL>, body?: Body, source?: SQL) {
  const from = source ? sql`FROM (VALUES (1)) LEFT JOIN (${source}) AS source` : sql``
  if (!body) {
    const split = ([first = {}, ...rows]: Row[]): QueryResult => ({ head: first, rows })
    return { query: sql`SELECT ${nameColumns(head)} ${from}`, split }
  }
  const [column = '', ...others] = body.columns
  const first = list([
    as(sql`json_array(${list(Object.values(head))})`, column),
    ...others.map((name) => as(sql`NULL`, name)),
  ])
  return {
    query: sql`${body.with ?? sql``} SELECT ${first} ${from} UNION ALL SELECT * FROM (${body.rows})`,
    split: ([first = {}, ...rows]: Row[]): QueryResult => {
      const values: unknown[] = JSON.parse(String(first[column] ?? '[]'))
      const named = Object.keys(head).map((name, index) => [name, toValue(values[index])])
      return { head: Object.fromEntries(named), rows }
    },
  }
}

/** A value of the head as D1 returns a column: SQLite nests the results of its JSON functions. */
const toValue = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)

/** The columns of a SELECT by name. */
export const nameColumns = (columns: Readonly<Record<string, SQL>>): SQL =>
  list(Object.entries(columns).map(([name, value]) => as(value, name)))

const as = (value: SQL, name: string) => sql`${value} AS ${sql.identifier(name)}`

const list = (items: SQL[]) => sql.join(items, sql`, `)
