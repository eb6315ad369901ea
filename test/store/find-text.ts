// The maximum of one KV call.
const atOnce = 100

type Databases = { DB: D1Database; GEOGRAPHY?: D1Database; KEYS: KVNamespace }

/** Finds the columns that contain `text`, and KV if one of its names or values does. */
export async function findText(bindings: Databases, text: string): Promise<string[]> {
  return (await findTexts(bindings, [text])).map((location) =>
    location.slice(0, location.indexOf(': ')),
  )
}

/** Finds several texts and returns each with its column; `fold` ignores case. */
export async function findTexts(
  { DB, GEOGRAPHY, KEYS }: Databases,
  texts: readonly string[],
  { fold = false } = {},
): Promise<string[]> {
  const normalise = (text: string) => (fold ? text.toLowerCase() : text)
  const searchTexts = texts.map(normalise)
  const locations = new Set<string>()
  const collect = (location: string, value: string) => {
    const within = normalise(value)
    for (const text of searchTexts) if (within.includes(text)) locations.add(`${location}: ${text}`)
  }
  for (const database of [DB, ...(GEOGRAPHY ? [GEOGRAPHY] : [])]) {
    const tables = await tablesOf(database)
    const answers = await database.batch<Record<string, string | null>>(
      tables.map((table) => rowsWith(database, searchTexts, table, fold)),
    )
    for (const [at, { table }] of tables.entries()) {
      const values = answers[at]?.results.flatMap((row) => Object.entries(row)) ?? []
      for (const [column, value] of values) collect(`${table}.${column}`, value ?? '')
    }
  }
  for await (const entry of entriesOf(KEYS)) collect('KV', entry)
  return [...locations]
}

type Table = { table: string; columns: string[] }

/** Selects the rows of a table with any of the texts. Searches each row as one text, since searching column by column takes much longer. */
function rowsWith(
  database: D1Database,
  searchTexts: readonly string[],
  { table, columns }: Table,
  fold: boolean,
) {
  const names = columns.map((column) => `"${column}"`)
  const rowText = `concat_ws(char(10), ${names})`
  const conditions = searchTexts.map((_, index) => `instr(whole, ?${index + 1})`)
  // LIMIT -1 limits nothing but makes SQLite build each row's text once.
  const query = `SELECT ${names.map((name) => `CAST(${name} AS TEXT) AS ${name}`)}
    FROM (SELECT *, ${fold ? `lower(${rowText})` : rowText} AS whole FROM "${table}" LIMIT -1)
    WHERE ${conditions.join(' OR ')}`
  return database.prepare(query).bind(...searchTexts)
}

/** Every table with the columns that can hold text. */
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

/** The names and values in KV. */
export async function* entriesOf(kv: KVNamespace): AsyncGenerator<string> {
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
