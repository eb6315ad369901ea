import { targetOf } from '../../src/import/targets.ts'
import type { Kind, Schema } from '../../src/model/schema.ts'
import { addOrganisation } from '../../src/operator/organisations.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { parseSchema } from '../../src/records/schema.ts'
import { recordImport } from '../../src/store/imports.ts'
import { putRecords } from '../../src/store/put.ts'
import { putSchemas, schemasOf } from '../../src/store/schemas.ts'
import { servingEdition } from '../geography/edition.ts'
import { collections, organisation, schemas } from './demo.ts'
import { loadPostcodes } from './load-postcodes.ts'

const chunkRecords = 500

/** Loads the demo organisation, by the checks that an import goes through, and the few postcodes it needs unless a directory is loaded. */
export async function loadDemo({ DB: db, GEOGRAPHY: geography }: Bindings): Promise<void> {
  if (!(await servingEdition(geography))) await loadPostcodes(geography, 'demo')
  await addOrganisation(db, organisation.id, organisation.name)
  const parsed: Partial<Record<Kind, Schema>> = {
    members: parseSchema('members', schemas.members).data,
    volunteers: parseSchema('volunteers', schemas.volunteers).data,
    partners: parseSchema('partners', schemas.partners).data,
  }
  for (const [name, records] of Object.entries(collections())) {
    const target = await targetOf(name, organisation.id, parsed)
    const written = records.map((record) => {
      const checked = target?.check(record)
      if (!checked || 'faults' in checked) throw new Error(`The demo's ${name} do not fit.`)
      return checked.kept
    })
    for (let from = 0; from < written.length; from += chunkRecords) {
      const chunk = written.slice(from, from + chunkRecords)
      const enriched = target?.place ? await target.place(geography, chunk) : chunk
      await putRecords(db, organisation.id, name, enriched)
    }
    const [organisationId, collection] = [organisation.id, name]
    await recordImport(db, { organisationId, collection, records: written.length })
  }
  // Last, so that they tell a demo that is whole from one whose loading was broken off.
  await putSchemas(db, organisation.id, parsed)
}

/** Whether the demo organisation is there, loaded to the end. */
export async function isDemoLoaded(db: D1Database): Promise<boolean> {
  const { members } = await schemasOf(db, organisation.id)
  return members !== undefined
}
