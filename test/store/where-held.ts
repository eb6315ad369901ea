const atOnce = 50

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
  for (const database of [DB, GEOGRAPHY]) {
    for (const [table, column] of database ? await columnsOf(database) : []) {
      const value = fold ? `lower("${column}")` : `"${column}"`
      const { results = [] } =
        (await database
          ?.prepare(
            `SELECT item.value AS text FROM json_each(?1) AS item
            WHERE EXISTS (SELECT 1 FROM "${table}" WHERE instr(${value}, item.value) > 0)`,
          )
          .bind(sought)
          .all<{ text: string }>()) ?? {}
      held.push(...results.map(({ text }) => `${table}.${column}: ${text}`))
    }
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
async function columnsOf(database: D1Database): Promise<[table: string, column: string][]> {
  const { results } = await database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'`)
    .all<{ name: string }>()
  const columns: [string, string][] = []
  for (const { name: table } of results) {
    const found = await database
      .prepare(`SELECT name FROM pragma_table_info('${table}') WHERE type <> 'INTEGER'`)
      .all<{ name: string }>()
    for (const { name } of found.results) columns.push([table, name])
  }
  return columns
}

/** The names and values in KV, which lists a thousand at a time. */
async function* entriesOf(kv: KVNamespace): AsyncGenerator<string> {
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ cursor })
    const names = page.keys.map(({ name }) => name)
    for (let from = 0; from < names.length; from += atOnce) {
      const part = names.slice(from, from + atOnce)
      yield* await Promise.all(part.map(async (name) => `${name} ${await kv.get(name)}`))
    }
    cursor = page.list_complete ? null : page.cursor
  } while (cursor)
}
