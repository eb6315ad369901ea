import { createOrganisation } from '../../src/admin/organisations.ts'
import { loadTarget } from '../../src/import/targets.ts'
import type { Kind, Schema } from '../../src/model/properties/schema.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { putSchemas } from '../../src/store/settings/schemas.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { demoRecords, type Properties } from './demo-records.ts'

/** An organisation with its schemas and its records by collection, in order. */
export type Organisation = {
  id: string
  schemas: Record<Kind, Schema>
  records: Record<string, Properties[]>
}

/**
 * Organisations as alike as they can be: the demo's records under the same ids, less some that each
 * of them lacks, so that pages and totals differ, and every record bears its organisation's name.
 */
export const organisations = (): Promise<Organisation[]> =>
  Promise.all(['org-1', 'org-11', 'Org-1'].map(organisation))

/** An organisation without gaps, so that all references exist. */
export const whole = (id: string): Promise<Organisation> => organisation(id, Number.NaN)

async function organisation(id: string, place: number): Promise<Organisation> {
  const { schemas, records } = await demoRecords(id)
  for (const [name, all] of Object.entries(records)) {
    const own = all.filter((_, index) => index % 5 !== place)
    records[name] = own.map((record) => marked(record, id))
  }
  return { id, schemas, records }
}

function marked(record: Properties, organisationId: string): Properties {
  if ('managedBy' in record) return record
  const name = 'Full Name' in record ? 'Full Name' : 'Organisation Name'
  return { ...record, [name]: `${record[name]} of ${organisationId}` }
}

/** Keeps an organisation with all it was given, by the checks that an import goes through. */
export async function keep({ DB }: Pick<Bindings, 'DB'>, { id, schemas, records }: Organisation) {
  await createOrganisation(DB, id, id)
  await putSchemas(DB, id, schemas)
  for (const [name, given] of Object.entries(records)) {
    const target = await loadTarget(name, id, schemas)
    const written = given.map((record) => {
      const checked = target?.check(record)
      if (!checked || 'errors' in checked) throw new Error(`The demo's ${name} do not fit.`)
      return checked.value
    })
    await putRecords(DB, id, name, written)
  }
}
