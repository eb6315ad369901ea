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
  const sought = JSON.stringify(fold ? texts.map((text) => text.toLowerCase()) : texts)
  const held: string[] = []
  for (const database of [DB, ...(GEOGRAPHY ? [GEOGRAPHY] : [])]) {
    const columns = await columnsOf(database)
    const asked = columns.map(({ table, column }) => {
      const value = fold ? `lower("${column}")` : `"${column}"`
      const query = `SELECT item.value AS text FROM json_each(?1) AS item
        WHERE EXISTS (SELECT 1 FROM "${table}" WHERE instr(${value}, item.value) > 0)`
      return database.prepare(query).bind(sought)
    })
    const answers = await database.batch<{ text: string }>(asked)
    for (const [place, { table, column }] of columns.entries())
      for (const { text } of answers[place]?.results ?? []) held.push(`${table}.${column}: ${text}`)
  }
  const unseen = new Set<string>(JSON.parse(sought))
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

/** Every column that can hold a text, of every table there is. */
async function columnsOf(database: D1Database) {
  const { results } = await database
    .prepare(
      `SELECT tables.name AS "table", columns.name AS "column"
      FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT GLOB '_cf_*' AND columns.type <> 'INTEGER'`,
    )
    .all<{ table: string; column: string }>()
  return results
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
