import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as tables from '../../src/store/tables.ts'

test("Drizzle's tables are the migrated ones, column by column", async () => {
  const declared = Object.values(tables)
    .filter((table) => is(table, SQLiteTable))
    .map(getTableConfig)
    .map(({ name, columns }) => [
      name,
      columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        required: column.notNull || column.primary,
      })),
    ])
  expect(await migrated()).toEqual(Object.fromEntries(declared))
})

async function migrated() {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table'
    AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'`,
  ).all<{ name: string }>()
  const described = results.map(async ({ name }) => [
    name,
    (
      await env.DB.prepare(`PRAGMA table_info(${name})`).all<{
        name: string
        type: string
        notnull: number
        pk: number
      }>()
    ).results.map(({ name, type, notnull, pk }) => ({
      name,
      type,
      required: notnull === 1 || pk > 0,
    })),
  ])
  return Object.fromEntries(await Promise.all(described))
}
