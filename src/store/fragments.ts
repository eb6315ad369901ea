import { type SQL, sql } from 'drizzle-orm/sql'
import type { Filter } from '../model/filter.ts'

// SQL that several queries share.

type Organisation = { organisationId: string }

/** The condition that a row belongs to the organisation. `table` is needed where other tables are joined. */
export const ofOrganisation = ({ organisationId }: Organisation, table?: string): SQL =>
  table === undefined
    ? sql`organisation_id = ${organisationId}`
    : sql`${sql.identifier(table)}.organisation_id = ${organisationId}`

/** The condition that a row of `api_keys` is a key that works. */
export const isActiveKey = (now: string): SQL =>
  sql`revoked IS NULL AND (expires IS NULL OR expires > ${now})`

/** The condition that a row of `table` belongs to a collection of the organisation. */
export const ofCollection = (
  organisation: Organisation,
  collection: string | SQL,
  table = 'records',
): SQL =>
  sql`${ofOrganisation(organisation, table)} AND ${sql.identifier(table)}.collection = ${collection}`

/** The condition that a row of `table` is, or belongs to, one record. */
export const ofRecord = (
  organisation: Organisation,
  { collection, id }: { collection: string | SQL; id: string | SQL },
  table = 'records',
): SQL =>
  sql`${ofCollection(organisation, collection, table)} AND ${sql.identifier(table)}.id = ${id}`

/**
 * The condition that a row of `records` passes a filter. Compares with the document's JSON: D1 would count a row for
 * each value of json_each or json_tree.
 */
export function documentPasses({ field, values, excludes }: Filter): SQL {
  const quoted = (names: readonly string[]) =>
    names.map((name) => `.${JSON.stringify(name)}`).join('')
  // A field is either a name, which may contain dots, or a path.
  const paths = new Set([[field], field.split('.')].map((names) => `$${quoted(names)}`))
  const rowsOf = (texts: Iterable<string>) =>
    sql.join(
      [...texts].map((text) => sql`(${text})`),
      sql`, `,
    )
  return sql`${sql.raw(excludes ? 'NOT ' : '')}EXISTS (
    SELECT 1
    FROM (SELECT records.document -> column1 AS value FROM (VALUES ${rowsOf(paths)}))
    CROSS JOIN (VALUES ${rowsOf(values.map((value) => JSON.stringify(value)))}) AS text
    WHERE value = text.column1 OR value GLOB '[[]*'
      AND instr(',' || substr(value, 2, length(value) - 2) || ',', ',' || text.column1 || ',') > 0
  )`
}

export const recordExists = (organisation: Organisation, collection: string, id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM records WHERE ${ofRecord(organisation, { collection, id })})`

/** The version of the last change of a record that exists or is deleted; NULL if its history has none. */
export const lastChangeOf = (
  organisation: Organisation,
  record: { collection: string | SQL; id: SQL },
): SQL =>
  sql`(SELECT max(version) FROM history AS any_change WHERE ${ofRecord(organisation, record, 'any_change')})`

/** The document of a record; NULL if it does not exist. */
export const documentOf = (organisation: Organisation, collection: string, id: string): SQL =>
  sql`(SELECT document FROM records WHERE ${ofRecord(organisation, { collection, id })})`

/** A column of the organisation's own row. */
export const organisationColumn = ({ organisationId }: Organisation, column: string): SQL =>
  sql`(SELECT ${sql.identifier(column)} FROM organisations WHERE organisations.id = ${organisationId})`

/** The name of an author's key; NULL for other authors and deleted keys. `author` is JSON. */
export const keyNameOf = (organisation: Organisation, author: SQL): SQL => sql`(
  SELECT name || ' (' || prefix || '…)' FROM api_keys
  WHERE api_keys.id = ${author} ->> '$.id' AND ${ofOrganisation(organisation, 'api_keys')}
)`
