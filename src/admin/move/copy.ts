import { type SQL, sql } from 'drizzle-orm/sql'
import { ofOrganisation } from '../../store/fragments.ts'
import { columnList } from '../../store/organisation-tables.ts'
import { statement } from '../../store/statement.ts'
import type { DatabaseTables } from './database-tables.ts'
import { type MovedTable, readLastKey, readRows, type StoredValue } from './read-rows.ts'

// D1 accepts parameters of 2 MB, and a character has up to three bytes.
const maxJsonLength = 600_000

/** Keys in a copy are masked until the organisation is there, so that each works in one database. */
const mask = 'moving '

const keyHash = sql`${sql.raw(`'${mask}'`)} || hash`

/** The columns of a table that differ between an organisation and its copy, as SQL. */
export const copiedExpressions = (table: string): Record<string, SQL> =>
  table === 'api_keys' ? { hash: keyHash } : {}

/** SQL that stops an organisation's keys in a database. */
export const maskKeys = (organisationId: string): SQL =>
  sql`UPDATE api_keys SET hash = ${keyHash} WHERE ${ofOrganisation({ organisationId })}`

/** SQL that lets an organisation's keys work in a database. */
export const unmaskKeys = (organisationId: string): SQL =>
  sql`UPDATE api_keys SET hash = substr(hash, ${mask.length + 1})
    WHERE ${ofOrganisation({ organisationId })} AND substr(hash, 1, ${mask.length}) = ${mask}`

/** Copies the rows of an organisation that come after the copy's last row. */
export async function copyTable(
  [source, target]: readonly [D1Database, D1Database],
  table: MovedTable,
  organisationId: string,
  onRows: (count: number) => void,
): Promise<void> {
  const after = await readLastKey(target, table, organisationId)
  const expressions = copiedExpressions(table.name)
  const insert = prepareInsert(target, table, organisationId)
  const chunks = readRows(source, table, organisationId, { expressions, ...(after && { after }) })
  for await (const rows of chunks) {
    const json = JSON.stringify(rows)
    if (json.length <= maxJsonLength) await insert.many(json).run()
    else await target.batch(rows.map((row) => insert.one(row)))
    onRows(rows.length)
  }
}

/** The SQL condition that a database has an unfinished copy of an organisation: a second, slower process must not change a finished one. */
const isUnfinished = (organisationId: string) =>
  sql`EXISTS (SELECT 1 FROM organisations WHERE id = ${organisationId} AND moving_to IS NOT NULL)`

/** Statements that insert rows unless they exist. One statement for many rows takes a quarter of the time. */
function prepareInsert(d1: D1Database, { name, columns }: MovedTable, organisationId: string) {
  const into = sql`INSERT INTO ${sql.identifier(name)} (${columnList(columns)})`
  const rest = sql`WHERE ${isUnfinished(organisationId)} ON CONFLICT DO NOTHING`
  const values = sql.raw(columns.map((_, index) => `value ->> ${index}`).join(', '))
  return {
    many: (json: string) =>
      statement(d1, sql`${into} SELECT ${values} FROM json_each(${json}) ${rest}`),
    one: (row: readonly StoredValue[]) =>
      statement(
        d1,
        sql`${into} SELECT ${sql.join(
          row.map((value) => sql`${value}`),
          sql`, `,
        )} ${rest}`,
      ),
  }
}

/**
 * Copies what triggers changed while rows were inserted: the organisation's own row, and the last ordinals of
 * collections, which are never used again.
 */
export async function copyState(
  [source, target]: readonly [D1Database, D1Database],
  { organisations }: DatabaseTables,
  organisationId: string,
): Promise<void> {
  const columns = organisations.columns.filter((name) => name !== 'id')
  const [values = []] = await statement(
    source,
    sql`SELECT ${columnList(columns)} FROM organisations WHERE id = ${organisationId}`,
  ).raw<StoredValue[]>()
  const ordinals = await statement(
    source,
    sql`SELECT collection, last FROM terms
      WHERE ${ofOrganisation({ organisationId })} AND field = '' AND value = x''`,
  ).raw<[collection: string, last: number]>()
  const assignments = columns.map(
    (name, index) => sql`${sql.identifier(name)} = ${values[index] ?? null}`,
  )
  const statements = [
    sql`UPDATE organisations SET ${sql.join(assignments, sql`, `)}
      WHERE id = ${organisationId} AND moving_to IS NOT NULL`,
    ...ordinals.map(
      ([collection, last]) =>
        sql`INSERT INTO terms (organisation_id, collection, field, value, count, last)
          SELECT ${organisationId}, ${collection}, '', x'', 0, ${last}
          WHERE ${isUnfinished(organisationId)}
          ON CONFLICT (organisation_id, collection, field, value) DO UPDATE SET last = excluded.last`,
    ),
  ]
  await target.batch(statements.map((query) => statement(target, query)))
}
