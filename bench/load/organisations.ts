import { createOrganisation } from '../../src/admin/organisations.ts'
import { loadTarget } from '../../src/import/targets/load-target.ts'
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
 * Returns similar organisations: the demo's records under the same ids. Each lacks other records, so
 * that pages and totals differ, and every record contains its organisation's name.
 */
export const createOrganisations = (): Promise<Organisation[]> =>
  Promise.all(['org-1', 'org-11', 'Org-1'].map(createOrganisationWithGaps))

/** Returns an organisation with all records, so that all references exist. */
export const createCompleteOrganisation = (id: string): Promise<Organisation> =>
  createOrganisationWithGaps(id, Number.NaN)

async function createOrganisationWithGaps(id: string, gap: number): Promise<Organisation> {
  const { schemas, records } = await demoRecords(id)
  for (const [name, all] of Object.entries(records)) {
    const present = all.filter((_, index) => index % 5 !== gap)
    records[name] = present.map((record) => addOrganisationName(record, id))
  }
  return { id, schemas, records }
}

function addOrganisationName(record: Properties, organisationId: string): Properties {
  if ('managedBy' in record) return record
  const name = 'Full Name' in record ? 'Full Name' : 'Organisation Name'
  return { ...record, [name]: `${record[name]} of ${organisationId}` }
}

/** Stores an organisation with its schemas and records, validated as by an import. */
export async function storeOrganisation(
  { DB }: Pick<Bindings, 'DB'>,
  { id, schemas, records }: Organisation,
) {
  await createOrganisation(DB, id, id)
  await putSchemas(DB, id, schemas)
  for (const [name, values] of Object.entries(records)) {
    const target = await loadTarget(name, id, schemas)
    const stored = values.map((record) => {
      const checked = target?.check(record)
      if (!checked || 'errors' in checked) throw new Error(`The demo's ${name} are invalid.`)
      return checked.value
    })
    await putRecords(DB, id, name, stored)
  }
}
