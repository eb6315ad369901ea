import { collections, schemas } from '../cli/demo/demo.ts'
import { targetOf } from '../src/import/targets.ts'
import type { Kind, Schema } from '../src/model/schema.ts'
import { addOrganisation } from '../src/operator/organisations.ts'
import type { Bindings } from '../src/platform/bindings.ts'
import { parseSchema } from '../src/records/schema.ts'
import { putRecords } from '../src/store/put.ts'
import { putSchemas } from '../src/store/schemas.ts'

export type Properties = Readonly<Record<string, unknown>>

/** An organisation and what it was given: its schemas, and its records by collection, in order. */
export type Organisation = {
  id: string
  schemas: Record<Kind, Schema>
  records: Record<string, Properties[]>
}

const mostRecords = 300

/**
 * Organisations as alike as they can be: the demo's records under the same ids, less some that each
 * of them lacks, so that pages and totals differ, and every record bears its organisation's name.
 */
export const organisations = (): Organisation[] => ['org-1', 'org-11', 'Org-1'].map(organisation)

function organisation(id: string, place: number): Organisation {
  const records: Organisation['records'] = {}
  for (const [name, all] of Object.entries<Properties[]>(collections())) {
    const own = all.slice(0, mostRecords).filter((_, index) => index % 5 !== place)
    records[name] = own.map((record) => marked(record, id))
  }
  return {
    id,
    schemas: {
      members: schemaOf('members'),
      volunteers: schemaOf('volunteers'),
      partners: schemaOf('partners'),
    },
    records,
  }
}

function marked(record: Properties, organisationId: string): Properties {
  if ('managedBy' in record) return { ...record, managedBy: organisationId }
  const name = 'Full Name' in record ? 'Full Name' : 'Organisation Name'
  return { ...record, [name]: `${record[name]} of ${organisationId}` }
}

function schemaOf(kind: Kind): Schema {
  const { data } = parseSchema(kind, schemas[kind])
  if (!data) throw new Error(`The demo's schema of ${kind} does not fit.`)
  return data
}

/** Keeps an organisation with all it was given, by the checks that an import goes through. */
export async function keep({ DB }: Pick<Bindings, 'DB'>, { id, schemas, records }: Organisation) {
  await addOrganisation(DB, id, id)
  await putSchemas(DB, id, schemas)
  for (const [name, given] of Object.entries(records)) {
    const target = await targetOf(name, id, schemas)
    const written = given.map((record) => {
      const checked = target?.check(record)
      if (!checked || 'faults' in checked) throw new Error(`The demo's ${name} do not fit.`)
      return checked.kept
    })
    await putRecords(DB, id, name, written)
  }
}
