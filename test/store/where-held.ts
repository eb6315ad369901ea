/** The columns of the database that hold `text` somewhere, and KV if one of its names or values does. */
export async function whereHeld(
  { DB, KEYS }: { DB: D1Database; KEYS: KVNamespace },
  text: string,
): Promise<string[]> {
  const held: string[] = []
  const { results: tables } = await DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'`,
  ).all<{ name: string }>()
  for (const { name: table } of tables) {
    const { results: columns } = await DB.prepare(
      `SELECT name FROM pragma_table_info('${table}') WHERE type <> 'INTEGER'`,
    ).all<{ name: string }>()
    if (columns.length === 0) continue
    const counts = columns.map(({ name }) => `sum(instr("${name}", ?1) > 0) AS "${name}"`)
    const found = await DB.prepare(`SELECT ${counts} FROM "${table}"`).bind(text).first()
    held.push(...columns.filter(({ name }) => found?.[name]).map(({ name }) => `${table}.${name}`))
  }
  for await (const entry of entriesOf(KEYS)) if (entry.includes(text)) return [...held, 'KV']
  return held
}

/** The names and values in KV, which lists a thousand at a time. */
async function* entriesOf(kv: KVNamespace): AsyncGenerator<string> {
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await kv.list({ cursor })
    for (const { name } of page.keys) yield `${name} ${await kv.get(name)}`
    cursor = page.list_complete ? null : page.cursor
  } while (cursor)
}
