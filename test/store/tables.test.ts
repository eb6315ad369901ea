import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as accessTables from '../../src/store/access-tables.ts'
import * as signUpTables from '../../src/store/sign-up-tables.ts'
import * as tables from '../../src/store/tables.ts'
import * as webhookTables from '../../src/store/webhook-tables.ts'
import { columnsOf } from './columns.ts'

// Only triggers write these.
const undeclared = ['bitmaps', 'name_words', 'event_versions']

test("Drizzle's tables have the columns and primary keys of the migrated database", async () => {
  const declared = Object.values({ ...tables, ...accessTables, ...signUpTables, ...webhookTables })
    .filter((table) => is(table, SQLiteTable))
    .map(getTableConfig)
    .flatMap(({ name: table, columns, primaryKeys: [key] }) =>
      columns.map((column) => ({
        table,
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        required: column.notNull || column.primary,
        key: column.primary ? 1 : (key?.columns.indexOf(column) ?? -1) + 1,
      })),
    )
  const byTable = (columns: { table: string }[]) => Object.groupBy(columns, ({ table }) => table)
  const migrated = (await columnsOf(env.DB)).filter(({ table }) => !undeclared.includes(table))
  expect(byTable(migrated)).toEqual(byTable(declared))
})
