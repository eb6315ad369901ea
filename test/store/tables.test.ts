import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as tables from '../../src/store/tables.ts'
import { columnsOf } from './columns.ts'

test("Drizzle's tables are the migrated ones, column by column", async () => {
  const declared = Object.values(tables)
    .filter((table) => is(table, SQLiteTable))
    .map(getTableConfig)
    .flatMap(({ name: table, columns }) =>
      columns.map((column) => ({
        table,
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        required: column.notNull || column.primary,
      })),
    )
  const byTable = (columns: { table: string }[]) => Object.groupBy(columns, ({ table }) => table)
  expect(byTable(await columnsOf(env.DB))).toEqual(byTable(declared))
})
