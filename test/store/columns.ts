/** A column of a migrated table; `key` is its place in the primary key from 1, or 0. */
export type Column = { table: string; name: string; type: string; required: boolean; key: number }

/** Returns every column of our tables in the order of creation. */
export async function columnsOf(db: D1Database): Promise<Column[]> {
  const { results } = await db
    .prepare(
      `SELECT
        made.name AS "table", described.name, described.type,
        described."notnull" OR described.pk AS required, described.pk AS "key"
      FROM sqlite_master AS made CROSS JOIN pragma_table_info(made.name) AS described
      WHERE made.type = 'table' AND made.name NOT GLOB 'sqlite_*' AND made.name NOT GLOB '_cf_*'
        AND made.name NOT GLOB 'd1_*'
      ORDER BY made.rowid, described.cid`,
    )
    .all<Omit<Column, 'required'> & { required: number }>()
  return results.map((column) => ({ ...column, required: column.required === 1 }))
}
