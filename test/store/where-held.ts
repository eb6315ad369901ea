// As many as KV gives at once.
const atOnce = 100

type Databases = { DB: D1Database; GEOGRAPHY?: D1Database; KEYS: KVNamespace }

/** The columns of the databases that hold `text` somewhere, and KV if one of its names or values does. */
export async function whereHeld(bindings: Databases, text: string): Promise<string[]> {
  return (await whereAnyHeld(bindings, [text])).map((found) => found.slice(0, found.indexOf(': ')))
}

/** The same of several texts, each behind the place that holds it; `fold` makes no difference of upper and lower case. */
export async function whereAnyHeld(
  { DB, GEOGRAPHY, KEYS }: Databases,
  texts: readonly string[],
  { fold = false } = {},
): Promise<string[]> {
  const sought = fold ? texts.map((text) => text.toLowerCase()) : texts
  const held: string[] = []
  for (const database of [DB, ...(GEOGRAPHY ? [GEOGRAPHY] : [])]) {
    for (const { table, columns } of await holding(database, sought, fold)) {
      const folded = columns.map((column) => (fold ? `lower("${column}")` : `"${column}"`))
      const asked = folded.map((value) => textsIn(database, sought, value, table))
      const answers = await database.batch<{ text: string }>(asked)
      for (const [place, column] of columns.entries())
        for (const { text } of answers[place]?.results ?? [])
          held.push(`${table}.${column}: ${text}`)
    }
  }
  const unseen = new Set(sought)
  for await (const entry of entriesOf(KEYS)) {
    const text = fold ? entry.toLowerCase() : entry
    for (const one of unseen) {
      if (!text.includes(one)) continue
      held.push(`KV: ${one}`)
      unseen.delete(one)
    }
  }
  return held
}

type Table = { table: string; columns: string[] }

/** The tables with any of the texts, found by whole rows: to look through each column by itself takes much longer. */
async function holding(database: D1Database, sought: readonly string[], fold: boolean) {
  const tables = await tablesOf(database)
  const asked = tables.map(({ table, columns }) => {
    const row = `concat_ws(char(10), ${columns.map((column) => `"${column}"`).join()})`
    const rows = `SELECT ${fold ? `lower(${row})` : row} AS value FROM "${table}"`
    return textsIn(database, sought, 'value', 'rows', `WITH rows AS MATERIALIZED (${rows})`)
  })
  const answers = await database.batch(asked)
  return tables.filter((_, place) => answers[place]?.results.length)
}

const textsIn = (
  database: D1Database,
  sought: readonly string[],
  value: string,
  table: string,
  given = '',
) =>
  database
    .prepare(
      `${given} SELECT item.value AS text FROM json_each(?1) AS item
      WHERE EXISTS (SELECT 1 FROM "${table}" WHERE instr(${value}, item.value) > 0)`,
    )
    .bind(JSON.stringify(sought))

/** Every table there is, with the columns that can hold a text. */
async function tablesOf(database: D1Database): Promise<Table[]> {
  const { results } = await database
    .prepare(
      `SELECT tables.name AS "table", json_group_array(columns.name) AS columns
      FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT GLOB '_cf_*' AND columns.type <> 'INTEGER'
      GROUP BY tables.name`,
    )
    .all<{ table: string; columns: string }>()
  return results.map(({ table, columns }) => ({ table, columns: JSON.parse(columns) }))
}

/** The names and values in KV, which lists a thousand at a time. */
async function* entriesOf(kv: KVNamespace): AsyncGenerator<string> {
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ cursor })
    const names = page.keys.map(({ name }) => name)
    for (let from = 0; from < names.length; from += atOnce) {
      const values = await kv.get(names.slice(from, from + atOnce))
      for (const [name, value] of values) yield `${name} ${value}`
    }
    cursor = page.list_complete ? null : page.cursor
  } while (cursor)
}
