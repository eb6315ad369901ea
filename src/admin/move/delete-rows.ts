import { sql } from 'drizzle-orm/sql'
import { ofOrganisation } from '../../store/fragments.ts'
import {
  columnList,
  isOfOrganisation,
  type OrganisationTable,
  organisationTables,
  packedTables,
} from '../../store/organisation-tables.ts'
import { statement } from '../../store/statement.ts'
import { countRows } from './read-rows.ts'

const maxRecords = 500
const maxRows = 5000

/**
 * Deletes an organisation's rows in a database, except its row in `organisations`, in chunks of less than a
 * second each. Reports the number of deleted records. An interrupted deletion can be repeated.
 */
export async function deleteRows(
  d1: D1Database,
  organisationId: string,
  onProgress: (done: number, total: number) => void,
  tables: readonly OrganisationTable[] = organisationTables,
): Promise<void> {
  // In reverse order, public pages, webhooks and keys go before the records.
  for (const table of tables.toReversed()) {
    if (table.name === 'records') await deleteRecords(d1, table, organisationId, onProgress)
    else {
      const chunk = statement(d1, deleteChunk(table, organisationId, maxRows))
      // The changes include those of triggers.
      while ((await chunk.run()).meta.changes >= maxRows);
    }
  }
  // Without records, a collection's term remains: it has the last ordinal.
  for (const table of ['terms', 'event_versions', ...packedTables])
    await statement(
      d1,
      sql`DELETE FROM ${sql.identifier(table)} WHERE ${ofOrganisation({ organisationId })}`,
    ).run()
}

/** Deletes an organisation's records. Triggers update the index and add deletions to the change feed; each chunk removes those too. */
async function deleteRecords(
  d1: D1Database,
  table: OrganisationTable,
  organisationId: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const total = await countRows(d1, table, organisationId)
  for (let done = 0; done < total; done += maxRecords) {
    await d1.batch([
      statement(d1, deleteChunk(table, organisationId, maxRecords)),
      statement(d1, sql`DELETE FROM deletions WHERE ${ofOrganisation({ organisationId })}`),
    ])
    onProgress(Math.min(done + maxRecords, total), total)
  }
}

function deleteChunk(table: OrganisationTable, organisationId: string, limit: number) {
  const [name, key] = [sql.identifier(table.name), columnList(table.key)]
  const isOwn = isOfOrganisation(table, organisationId)
  return sql`DELETE FROM ${name} WHERE ${isOwn} AND (${key}) IN (
    SELECT ${key} FROM ${name} WHERE ${isOwn} LIMIT ${limit}
  )`
}
