import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as tables from '../../src/store/sql/tables.ts'
import { columnsOf } from './columns.ts'

// What only triggers write, and what nothing reads any more: a migration never drops it.
const undeclared = ['words', 'name_words', 'postings', 'blocks', 'terms.loose']

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
  const migrated = (await columnsOf(env.DB)).filter(
    ({ table, name }) => !undeclared.includes(table) && !undeclared.includes(`${table}.${name}`),
  )
  expect(byTable(migrated)).toEqual(byTable(declared))
})
