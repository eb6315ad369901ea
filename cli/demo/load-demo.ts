import { parseSchema, type Schema } from '../../src/people/schema.ts'
import { addOrganisation } from '../../src/store/organisations.ts'
import { putSchemas, schemasOf } from '../../src/store/schemas.ts'
import type { Kind } from '../../src/store/store.ts'
import { putRecords } from '../../src/store/write.ts'
import { targetOf } from '../import/targets.ts'
import { collections, organisation, schemas } from './demo.ts'

const chunkRecords = 500

/** Loads the demo organisation, by the checks that an import goes through. */
export async function loadDemo(db: D1Database): Promise<void> {
  await addOrganisation(db, organisation.id, organisation.name)
  const parsed: Partial<Record<Kind, Schema>> = {
    members: parseSchema('members', schemas.members).data,
    volunteers: parseSchema('volunteers', schemas.volunteers).data,
    partners: parseSchema('partners', schemas.partners).data,
  }
  for (const [name, records] of Object.entries(collections())) {
    const target = targetOf(name, organisation.id, parsed)
    const written = records.map((record) => {
      const checked = target?.check(record)
      if (!checked || 'faults' in checked) throw new Error(`The demo's ${name} do not fit.`)
      return checked.kept
    })
    for (let from = 0; from < written.length; from += chunkRecords) {
      await putRecords(db, organisation.id, name, written.slice(from, from + chunkRecords))
    }
  }
  // Last, so that they tell a demo that is whole from one whose loading was broken off.
  await putSchemas(db, organisation.id, parsed)
}

/** Whether the demo organisation is there, loaded to the end. */
export async function isDemoLoaded(db: D1Database): Promise<boolean> {
  const { members } = await schemasOf(db, organisation.id)
  return members !== undefined
}
