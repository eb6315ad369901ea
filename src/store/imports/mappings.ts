import { sql } from 'drizzle-orm/sql'
import { type Selected, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { administration } from '../terms.ts'

/** The maximum number of mappings in an organisation. */
export const maxMappings = 200

const mappingColumns = { headings: text(sql`headings`), mapping: text(sql`mapping`) }

/** The mapping of the last file with headings of this digest, as JSON text. */
export async function findMapping(store: Store, headings: string): Promise<string | undefined> {
  const from = sql`FROM import_mappings WHERE ${ofOrganisation(store)} AND headings = ${headings}`
  return (await store.select({ rows: { columns: mappingColumns, from } })).rows[0]?.mapping
}

/** Lists an organisation's mappings, the last used first. */
export async function listMappings(store: Store): Promise<Selected<typeof mappingColumns>[]> {
  const from = sql`FROM import_mappings WHERE ${ofOrganisation(store)} ORDER BY last_used DESC`
  return (await store.select({ rows: { columns: mappingColumns, from } })).rows
}

/**
 * Saves the mapping for the next file with headings of this digest. Deletes all but the organisation's
 * last 200 mappings.
 */
export async function saveMapping(store: Store, headings: string, mapping: string): Promise<void> {
  await store.write(administration, [
    sql`INSERT INTO import_mappings (organisation_id, headings, mapping, last_used)
      VALUES (${store.organisationId}, ${headings}, ${mapping}, ${new Date().toISOString()})
      ON CONFLICT (organisation_id, headings)
      DO UPDATE SET mapping = excluded.mapping, last_used = excluded.last_used`,
    sql`DELETE FROM import_mappings WHERE ${ofOrganisation(store)} AND headings NOT IN (
      SELECT headings FROM import_mappings WHERE ${ofOrganisation(store)}
      ORDER BY last_used DESC LIMIT ${maxMappings}
    )`,
  ])
}
