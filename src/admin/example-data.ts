import { createDestination } from '../import/destination/destination.ts'
import { importRecords } from '../import/import-records.ts'
import { parseSchemasFile } from '../import/import-schemas.ts'
import { type Source, textSource } from '../import/source/source.ts'
import { loadTarget } from '../import/targets/load-target.ts'
import type { Bindings } from '../platform/bindings.ts'
import { fillAllPeople } from '../records/fill-people.ts'
import { type ImportCounts, RunningImport } from '../store/imports/running-import.ts'
import { putSchemas } from '../store/settings/schemas.ts'
import type { Store } from '../store/store.ts'
import { moveDates } from './move-dates.ts'

/** The file of the example data in the list of imports. */
const exampleDataFile = 'Example data'

/** The demo's files of records, in the order of their import. */
const recordFiles = [
  'members.csv',
  'volunteers.csv',
  'partners.csv',
  'events.json',
  'bookings.csv',
  'forms.json',
  'survey-responses.ndjson',
  'case-notes.ndjson',
  'funds.json',
  'grant-applications.json',
  'disbursements.csv',
]

/**
 * Loads the demo's invented records into a new organisation of this database, with their dates moved to `day`. They are
 * one import, whose undo removes them; the fields of people stay. Returns its number. Throws if a file is missing or has errors.
 */
export async function loadExampleData(
  { ASSETS, DB, GEOGRAPHY: geography }: Pick<Bindings, 'ASSETS' | 'DB' | 'GEOGRAPHY'>,
  store: Store,
  day = new Date().toISOString().slice(0, 10),
): Promise<number> {
  const { organisationId } = store
  const schemas = await parseSchemasFile(await readExampleFile(ASSETS, 'schemas.json', day))
  await putSchemas(DB, organisationId, schemas)
  const run = new RunningImport(store, {
    collection: 'members',
    source: { name: exampleDataFile, size: 0 },
    through: 'import',
  })
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, rejected: 0 }
  for (const name of recordFiles) {
    const collection = name.replace(/\..*/, '')
    const target = await loadTarget(collection, organisationId, schemas)
    if (!target) throw new Error(`There is no collection for the example data's ${name}.`)
    const destination = createDestination({ store, geography }, collection, run)
    const file = await readExampleFile(ASSETS, name, day)
    const result = await importRecords(file, target, destination)
    if (result.errors.length > 0) throw new Error(`The example data's ${name} has errors.`)
    counts.created += result.created
    counts.updated += result.updated
  }
  const changes = await run.source()
  await fillAllPeople({ store, geography, source: changes })
  await run.finish(counts)
  return Number(changes.import)
}

/** A file of the demo, which the deployment serves as a static asset, with its dates moved. */
async function readExampleFile(assets: Fetcher, name: string, day: string): Promise<Source> {
  const response = await assets.fetch(`https://assets.local/assets/example-data/${name}`)
  if (!response.ok) throw new Error(`The example data's ${name} is missing: run npm ci.`)
  return textSource(name, moveDates(day, await response.text()))
}
