import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { openTable } from '../../src/import/tables/open-table.ts'
import type { Table } from '../../src/import/tables/table.ts'
import { asksEvent, withEvent } from '../../src/import/tabular/booking-event.ts'
import type { Destination as TableDestination } from '../../src/import/tabular/destination.ts'
import { importTable, type Rules } from '../../src/import/tabular/import-table.ts'
import { kindOfFile, mappingToKeep } from '../../src/import/tabular/kind-of-file.ts'
import type { Mapping } from '../../src/import/tabular/mapping.ts'
import {
  type Inspected,
  inspect,
  missingHeadings,
  parsedMapping,
  rulesOf,
  withWishes,
} from '../../src/import/tabular/prepare.ts'
import type { Proposal, Wishes } from '../../src/import/tabular/propose.ts'
import { RestWriter } from '../../src/import/tabular/rest.ts'
import type { TableOutcome } from '../../src/import/tabular/table-outcome.ts'
import type { Fault } from '../../src/model/checked.ts'
import { Refusal } from '../terminal/refusal.ts'
import { type Destination, fileSource, mappingEnd } from './import-files.ts'
import type { Receiver } from './infer-destination.ts'

/** What may be said of files that are imported as they come. */
export type Inferring = {
  collection?: string
  sheet?: string
  dryRun?: boolean
  /** Where the mapping is, or is to be. */
  mapping?: string
  /** Where the rows go that are not imported; without it, all are imported or none. */
  faults?: string
  /** The event that all rows are bookings for. */
  event?: string
  wishes: Wishes
}

/** What came of a file: what it was taken for, unless a mapping said so, and what came of its rows. */
export type InferredFile = {
  file: string
  collection: string
  proposal?: Proposal
  because?: string
  /** The mapping that was used, and whether it was there already. */
  mapping: { file: string; isOld: boolean }
  /** How many fields were given to the schema, or would be. */
  addedFields: number
  hadSchema: boolean
  outcome: TableOutcome
  /** Whether rows were written. */
  written: boolean
}

/** Imports a file as it comes: by its mapping if there is one, else by what the file is taken for, which is then kept beside it. */
export async function inferFile(
  file: string,
  to: Receiver & Pick<Destination, 'progress'>,
  asked: Inferring,
): Promise<InferredFile> {
  const { organisationId } = to
  const schemas = await to.schemas()
  let asking: ReturnType<Receiver['forms']> | undefined
  const forms = () => (asking ??= to.forms())
  const mappingFile = asked.mapping ?? file.replace(/\.\w+$/, '') + mappingEnd
  const { table, proposal, because, mapping, isOld } = await understood(file, mappingFile, asked, {
    organisationId,
    schemas,
    forms,
  })
  const prepared = await rulesOf(mapping, organisationId, schemas, forms)
  if ('faults' in prepared) throw new Refusal(told(mappingFile, prepared.faults))
  const { schema } = prepared
  const rules = await forEvent(
    prepared.rules,
    to.destination(prepared.rules.target, schemas),
    asked,
  )
  if (schema) to.allows(schema, schemas[schema.kind])
  refuseMissing(table, mapping, mappingFile)
  if (!isOld) writeFileSync(mappingFile, `${JSON.stringify(mapping, undefined, 2)}\n`)
  const run = async (writes: boolean, faulty?: Faulty) => {
    const rows = proposal?.rows ?? 0
    const destination = to.destination(rules.target, schemas)
    const progress = (done: number) => to.progress(done, Math.max(rows, done))
    return importTable(file, table, rules, destination, {
      writes,
      progress,
      ...(faulty && { faulty }),
    })
  }
  const keepSchema = async () => {
    if (schema) await to.keepSchema(schema)
  }
  let written = false
  let outcome: TableOutcome
  if (asked.faults !== undefined && !asked.dryRun) {
    await keepSchema()
    outcome = await withRest(asked.faults, table.headings, (faulty) => run(true, faulty))
    written = true
  } else {
    outcome = await run(false)
    if (outcome.faulty === 0 && !asked.dryRun) {
      await keepSchema()
      outcome = await run(true)
      written = true
    }
  }
  // People of a schema that there was not are kept as it has them.
  const isChanged = schema !== undefined && Object.hasOwn(schemas, schema.kind)
  if (written) {
    await to.keepMapping(await kindOfFile(table.headings), mappingToKeep(mapping))
    await to.settle(new Set([mapping.collection, ...(isChanged ? ['schemas'] : [])]))
  }
  return {
    file,
    collection: mapping.collection,
    ...(proposal && { proposal }),
    ...(because !== undefined && { because }),
    mapping: { file: mappingFile, isOld },
    addedFields: isOld ? 0 : mapping.fields.length,
    hadSchema: Object.hasOwn(schemas, mapping.collection),
    outcome,
    written,
  }
}

/** The rules for bookings of the event that was named. */
async function forEvent(
  rules: Rules,
  to: TableDestination,
  { event }: Pick<Inferring, 'event'>,
): Promise<Rules> {
  if (event === undefined) return rules
  if (rules.mapping.collection !== 'bookings') throw new Refusal('--event is for bookings.')
  const mapping = await withEvent(to, rules.mapping, event)
  if (mapping) return { ...rules, mapping }
  throw new Refusal(`There is no event ${event}: import it first, or correct --event.`)
}

type Understood = Partial<Inspected> & { table: Table; mapping: Mapping; isOld: boolean }

async function understood(
  file: string,
  mappingFile: string,
  { collection, sheet, wishes }: Inferring,
  about: Pick<Parameters<typeof inspect>[1], 'organisationId' | 'schemas' | 'forms'>,
): Promise<Understood> {
  const source = fileSource(file)
  if (!existsSync(mappingFile)) {
    const inspected = await inspect(source, { ...about, collection, sheet, wishes })
    return { ...inspected, mapping: inspected.proposal.mapping, isOld: false }
  }
  const read = parsedMapping(readFileSync(mappingFile, 'utf8'))
  if ('faults' in read) throw new Refusal(told(mappingFile, read.faults))
  const mapping = withWishes(read.mapping, wishes)
  if (asksEvent(mapping) && mapping.same.eventId !== undefined) {
    throw new Refusal(
      `${mappingFile} names an event, and the next file may be for another: take eventId out of "same", and name it by --event.`,
    )
  }
  const said = wishes.form === undefined ? wishes.match && '--match' : '--form'
  if (said && mapping.collection === 'survey-responses') {
    throw new Refusal(`${mappingFile} says that already: edit it, or remove it for ${said}.`)
  }
  if (collection !== undefined && collection !== mapping.collection) {
    throw new Refusal(`${mappingFile} is for ${mapping.collection}: name another by --mapping.`)
  }
  const table = await openTable(source, sheet ?? mapping.sheet)
  return { table, mapping, isOld: true }
}

function refuseMissing(table: Table, mapping: Mapping, mappingFile: string): void {
  const missing = missingHeadings(table, mapping)
  if (missing.length === 0) return
  const named = missing.map((heading) => JSON.stringify(heading)).join(', ')
  throw new Refusal(
    `The file has no column ${named}, which ${mappingFile} names: correct the mapping, or remove it to have another made.`,
  )
}

type Faulty = NonNullable<Parameters<typeof importTable>[4]['faulty']>

async function withRest(
  path: string,
  headings: readonly string[],
  work: (faulty: Faulty) => Promise<TableOutcome>,
): Promise<TableOutcome> {
  // The rows are personal: only the user who asked for them may read them.
  const rest = createWriteStream(path, { mode: 0o600 })
  const writer = new RestWriter(headings)
  try {
    await once(rest, 'open')
    rest.write(writer.head)
    return await work(async (row, reasons, chosen) => {
      if (!rest.write(writer.row(row, reasons, chosen))) await once(rest, 'drain')
    })
  } finally {
    rest.end()
  }
}

const told = (file: string, faults: readonly Fault[]) =>
  faults
    .map(({ field, reason }) => [`${file}:`, field, reason].filter(Boolean).join(' '))
    .join('\n')
