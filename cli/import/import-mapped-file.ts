import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setEvent } from '../../src/import/candidates/set-event.ts'
import { buildTableRules, type TableRules } from '../../src/import/candidates/table-rules.ts'
import type { RecordDestination } from '../../src/import/destination/destination.ts'
import { importTable } from '../../src/import/import-table.ts'
import {
  applyMappingOptions,
  findMissingHeadings,
  type Inspection,
  inspectFile,
  parseMapping,
} from '../../src/import/mapping/inspect-file.ts'
import type { Mapping } from '../../src/import/mapping/mapping.ts'
import { hashHeadings, needsEvent, serialiseMapping } from '../../src/import/mapping/mapping.ts'
import type { MappingOptions, Proposal } from '../../src/import/mapping/propose-mapping.ts'
import type { TableImportResult } from '../../src/import/report/import-result.ts'
import { openTable } from '../../src/import/rows/open-table.ts'
import { RejectedRowsWriter } from '../../src/import/rows/rejected-rows.ts'
import type { SourceTable } from '../../src/import/rows/table.ts'
import { isKind } from '../../src/model/properties/schema.ts'
import type { ValidationError } from '../../src/model/validation-error.ts'
import { CommandError } from '../terminal/report.ts'
import { fileSource, type ImportDestination, mappingSuffix } from './import-files.ts'
import type { MappedFileDestination } from './mapped-destination.ts'

type MappedFileOptions = {
  collection?: string
  sheet?: string
  dryRun?: boolean
  /** The path of the mapping file. */
  mapping?: string
  /** The file for rejected rows. Without it, one invalid row prevents the whole import. */
  rejected?: string
  /** The event for all bookings in the file. */
  event?: string
  mappingOptions: MappingOptions
}

/** The result of a file, with the proposed mapping unless a mapping file existed. */
export type MappedFileResult = {
  file: string
  collection: string
  proposal?: Proposal
  because?: string
  /** The mapping file, and whether it existed. */
  mapping: { file: string; isOld: boolean }
  /** The number of fields that the import adds to the schema. */
  addedFields: number
  hadSchema: boolean
  outcome: TableImportResult
  /** Whether rows were written. */
  written: boolean
}

/** Imports a file with its mapping file. Without one, infers the mapping and writes that file. */
export async function importMappedFile(
  file: string,
  storage: MappedFileDestination & Pick<ImportDestination, 'progress'>,
  options: MappedFileOptions,
): Promise<MappedFileResult> {
  const { organisationId } = storage
  const schemas = await storage.schemas()
  let formsPromise: ReturnType<MappedFileDestination['forms']> | undefined
  const forms = () => (formsPromise ??= storage.forms())
  const mappingFile = options.mapping ?? file.replace(/\.\w+$/, '') + mappingSuffix
  const { table, proposal, because, mapping, isOld } = await openFile(file, mappingFile, options, {
    organisationId,
    schemas,
    forms,
  })
  const tableRules = await buildTableRules(mapping, organisationId, schemas, forms)
  if ('errors' in tableRules)
    throw new CommandError(formatMappingErrors(mappingFile, tableRules.errors))
  const { schema } = tableRules
  const rules = await applyEvent(
    tableRules.rules,
    storage.tableDestination(tableRules.rules.target, schemas),
    options,
  )
  if (schema) storage.requireSchemaAllowed(schema, schemas[schema.kind])
  requireHeadings(table, mapping, mappingFile)
  if (!isOld) writeFileSync(mappingFile, `${JSON.stringify(mapping, undefined, 2)}\n`)
  const run = async (writes: boolean, rejected?: OnRejected) => {
    const rows = proposal?.rows ?? 0
    const destination = storage.tableDestination(rules.target, schemas)
    const progress = (done: number) => storage.progress(done, Math.max(rows, done))
    const { collection } = rules.mapping
    return importTable(file, table, rules, destination, {
      writes,
      progress,
      // Once they are written, new people would be compared with themselves.
      findDuplicates:
        !writes && isKind(collection)
          ? (people) => storage.findDuplicates({ kind: collection, fields: rules.fields }, people)
          : undefined,
      ...(rejected && { rejected }),
    })
  }
  const saveSchema = async () => {
    if (schema) await storage.saveSchema(schema)
  }
  let written = false
  let outcome: TableImportResult
  // A file that cannot be read to its end is not written in part.
  const preview = await run(false)
  if (options.rejected !== undefined && !options.dryRun) {
    await saveSchema()
    const { similar } = preview
    const { headings } = table.ticks?.matrix ?? table
    outcome = await writeRejectedRows(options.rejected, headings, async (rejected) => ({
      ...(await run(true, rejected)),
      similar,
    }))
    written = true
  } else {
    outcome = preview
    if (outcome.rejected === 0 && !options.dryRun) {
      await saveSchema()
      outcome = { ...(await run(true)), similar: outcome.similar }
      written = true
    }
  }
  // The first schema of a kind changes no stored people.
  const isChanged = schema !== undefined && Object.hasOwn(schemas, schema.kind)
  if (written) {
    await storage.saveMapping(await hashHeadings(table.headings), serialiseMapping(mapping))
    await storage.completeImport(new Set([mapping.collection, ...(isChanged ? ['schemas'] : [])]))
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

/** The mapping for bookings of the selected event. */
async function applyEvent(
  rules: TableRules,
  destination: RecordDestination,
  { event }: Pick<MappedFileOptions, 'event'>,
): Promise<TableRules> {
  if (event === undefined) return rules
  if (rules.mapping.collection !== 'bookings') throw new CommandError('--event is for bookings.')
  const mapping = await setEvent(destination, rules.mapping, event)
  if (mapping) return { ...rules, mapping }
  throw new CommandError(`There is no event ${event}: import it first, or correct --event.`)
}

type OpenedFile = Partial<Inspection> & { table: SourceTable; mapping: Mapping; isOld: boolean }

async function openFile(
  file: string,
  mappingFile: string,
  { collection, sheet, mappingOptions }: MappedFileOptions,
  inspectOptions: Pick<Parameters<typeof inspectFile>[1], 'organisationId' | 'schemas' | 'forms'>,
): Promise<OpenedFile> {
  const source = fileSource(file)
  if (!existsSync(mappingFile)) {
    const inspected = await inspectFile(source, {
      ...inspectOptions,
      collection,
      sheet,
      mappingOptions,
    })
    return { ...inspected, mapping: inspected.proposal.mapping, isOld: false }
  }
  const parsed = parseMapping(readFileSync(mappingFile, 'utf8'))
  if ('errors' in parsed) throw new CommandError(formatMappingErrors(mappingFile, parsed.errors))
  const mapping = applyMappingOptions(parsed.mapping, mappingOptions)
  if (mapping.addsMembers) {
    throw new CommandError(
      `${mappingFile} adds members, which only the dashboard does: take "addsMembers" out of it.`,
    )
  }
  if (mapping.ticks?.createsDates) {
    throw new CommandError(
      `${mappingFile} adds dates to a series, which only the dashboard does: take "createsDates" out of it.`,
    )
  }
  if (needsEvent(mapping) && mapping.same.eventId !== undefined) {
    throw new CommandError(
      `${mappingFile} names an event, and the next file may be for another: take eventId out of "same", and name it by --event.`,
    )
  }
  const conflicting =
    mappingOptions.form === undefined ? mappingOptions.match && '--match' : '--form'
  if (conflicting && mapping.collection === 'survey-responses') {
    throw new CommandError(
      `${mappingFile} says that already: edit it, or remove it for ${conflicting}.`,
    )
  }
  if (collection !== undefined && collection !== mapping.collection) {
    throw new CommandError(
      `${mappingFile} is for ${mapping.collection}: name another by --mapping.`,
    )
  }
  const table = await openTable(source, sheet ?? mapping.sheet)
  return { table, mapping, isOld: true }
}

function requireHeadings(table: SourceTable, mapping: Mapping, mappingFile: string): void {
  const missing = findMissingHeadings(table, mapping)
  if (missing.length === 0) return
  const headingList = missing.map((heading) => JSON.stringify(heading)).join(', ')
  throw new CommandError(
    `The file has no column ${headingList}, which ${mappingFile} names: correct the mapping, or remove it to have another made.`,
  )
}

type OnRejected = NonNullable<Parameters<typeof importTable>[4]['rejected']>

async function writeRejectedRows(
  path: string,
  headings: readonly string[],
  work: (rejected: OnRejected) => Promise<TableImportResult>,
): Promise<TableImportResult> {
  // The rows hold personal data, so only the current user may read them.
  const output = createWriteStream(path, { mode: 0o600 })
  const writer = new RejectedRowsWriter(headings)
  try {
    await once(output, 'open')
    output.write(writer.header)
    return await work(async (row, reasons, chosenRecord) => {
      if (!output.write(writer.row(row, reasons, chosenRecord))) await once(output, 'drain')
    })
  } finally {
    output.end()
  }
}

const formatMappingErrors = (file: string, errors: readonly ValidationError[]) =>
  errors
    .map(({ field, message }) => [`${file}:`, field, message].filter(Boolean).join(' '))
    .join('\n')
