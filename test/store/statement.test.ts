import { SQL, sql } from 'drizzle-orm/sql'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core/dialect'
import { expect, test } from 'vitest'
import { render } from '../../src/store/statement.ts'
import { organisations } from '../../src/store/tables.ts'

const dialect = new SQLiteAsyncDialect()

test.each([
  ['a value of each type', sql`SELECT ${'a'}, ${''}, ${1}, ${0}, ${true}, ${false}, ${null}`],
  ['nothing', sql`${undefined}${sql.empty()}`],
  ['nested queries', sql`SELECT * FROM (${sql`SELECT ${1} WHERE ${sql`${2} < ${3}`}`}) LIMIT ${4}`],
  ['names', sql`SELECT ${sql.identifier('a')} AS ${sql.identifier('a "b"')}`],
  ['a list of values', sql`id IN ${['a', 'b']}`],
  ['joined parts', sql.join([sql`a = ${'a'}`, sql`b = ${'b'}`], sql` AND `)],
  ['a table and a column', sql`SELECT ${organisations.name} FROM ${organisations}`],
  ['an alias', sql`SELECT ${sql`count(*)`.as('number')}`],
  ['an encoded value', new SQL([sql.param('2026', { mapToDriverValue: Number })])],
])('%s has the text and the parameters that Drizzle gives it', (_, query) => {
  const { sql: text, params } = dialect.sqlToQuery(query)
  const rendered: unknown[] = []
  expect(render(query, rendered)).toBe(text)
  expect(rendered).toEqual(params)
})
