import { columnsOf } from './columns.ts'

/** SQL for the rows of a table that belong to an organisation. */
function ofOrganisation(table: string, columns: readonly string[]): string {
  if (columns.includes('organisation_id')) return 'organisation_id = ?1'
  if (columns.includes('webhook_id'))
    return 'webhook_id IN (SELECT id FROM webhooks WHERE organisation_id = ?1)'
  if (columns.includes('key_id'))
    return 'key_id IN (SELECT id FROM api_keys WHERE organisation_id = ?1)'
  if (columns.includes('term_id'))
    return 'term_id IN (SELECT id FROM terms WHERE organisation_id = ?1)'
  if (table === 'organisations') return 'id = ?1'
  throw new Error(`${table}: this test does not know which rows belong to an organisation.`)
}

// Sessions and the number of messages to an address belong to no organisation.
const notOfOrganisations = ['sessions', 'sent_mail']

/** Every row of an organisation in every table, as texts without the omitted columns, such as `records.row`. */
export async function readOrganisationRows(
  d1: D1Database,
  id: string,
  omitted: readonly string[] = [],
): Promise<Record<string, string[]>> {
  const tables = [...Map.groupBy(await columnsOf(d1), ({ table }) => table)].filter(
    ([table]) => !notOfOrganisations.includes(table),
  )
  const answers = await d1.batch<{ row: string }>(
    tables.map(([table, columns]) => {
      const names = columns.map(({ name }) => name)
      const values = names
        .filter((name) => !omitted.includes(`${table}.${name}`))
        .map((name) => `quote("${name}")`)
      return d1
        .prepare(
          `SELECT concat_ws(char(10), ${values}) AS row FROM "${table}"
          WHERE ${ofOrganisation(table, names)} ORDER BY 1`,
        )
        .bind(id)
    }),
  )
  return Object.fromEntries(
    tables.map(([table], index) => [table, answers[index]?.results.map(({ row }) => row) ?? []]),
  )
}
