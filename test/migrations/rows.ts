import { columnsOf } from '../store/columns.ts'

type Row = Record<string, string | number | null>

/** The rows of every table of a database, by the name of the table. */
export type Content = Map<string, Row[]>

/** The same with each row as a text. */
export type Texts = Map<string, Set<string>>

/** Triggers write these tables, and the schedule the last two, which have ids of terms. */
const index = [
  ...['terms', 'bitmaps', 'name_words', 'key_origins', 'event_versions'],
  ...['packed_columns', 'packed_organisations'],
]

const mostRows = 4000

/** The columns of every table that is written by hand, in the order in which the tables were made. */
export async function tablesOf(db: D1Database): Promise<Map<string, string[]>> {
  const columns = await columnsOf(db)
  const tables = Map.groupBy(columns, ({ table }) => table)
  for (const table of index) tables.delete(table)
  return new Map([...tables].map(([table, columns]) => [table, columns.map(({ name }) => name)]))
}

/** What these columns of these tables hold. */
export async function read(db: D1Database, tables: Map<string, string[]>): Promise<Content> {
  const read = [...tables].map(async ([table, columns]) => {
    const names = columns.map(quoted).join(', ')
    const { results } = await db.prepare(`SELECT ${names} FROM ${quoted(table)}`).all<Row>()
    return [table, results] as const
  })
  return new Map(await Promise.all(read))
}

/** Writes of `content` what a database has tables and columns for. */
export async function write(db: D1Database, content: Content): Promise<void> {
  for (const [table, columns] of await tablesOf(db)) {
    const rows = content.get(table) ?? []
    for (let from = 0; from < rows.length; from += mostRows) {
      await db
        .prepare(
          `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')})
          SELECT ${columns.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?)`,
        )
        .bind(JSON.stringify(rows.slice(from, from + mostRows)))
        .run()
    }
  }
}

/** What these columns of these tables hold, each row as the text of a JSON array, which SQLite writes far faster than rows are read one value at a time. */
export async function readAsTexts(db: D1Database, tables: Map<string, string[]>): Promise<Texts> {
  const read = [...tables].map(async ([table, columns]) => {
    const names = columns.map(quoted).join(', ')
    const { results } = await db
      .prepare(`SELECT json_array(${names}) AS row FROM ${quoted(table)}`)
      .all<{ row: string }>()
    return [table, new Set(results.map(({ row }) => row))] as const
  })
  return new Map(await Promise.all(read))
}

/** The rows of each table that one content has and another lacks. */
export const lacking = (texts: Texts, other: Texts): [table: string, row: string][] =>
  [...texts].flatMap(([table, rows]) =>
    [...rows.difference(other.get(table) ?? new Set())].map((row): [string, string] => [
      table,
      row,
    ]),
  )

const quoted = (name: string) => `"${name}"`
