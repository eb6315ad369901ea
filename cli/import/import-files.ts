import { createReadStream, readdirSync, type Stats, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { refreshAreas } from '../../src/admin/refresh-areas.ts'
import { importSettings, type RestoredSettings } from '../../src/admin/settings/import-settings.ts'
import { createDestination } from '../../src/import/destination/destination.ts'
import { importRecords } from '../../src/import/import-records.ts'
import { importSchemas, parseSchemasFile } from '../../src/import/import-schemas.ts'
import { groupErrors } from '../../src/import/report/error-collector.ts'
import { type ImportResult, writeNothing } from '../../src/import/report/import-result.ts'
import type { Source } from '../../src/import/source/source.ts'
import { createMovedTarget, loadTarget } from '../../src/import/targets/load-target.ts'
import { collectionNames } from '../../src/model/collection.ts'
import type { Kind, Schema } from '../../src/model/properties/schema.ts'
import { fillAllPeople } from '../../src/records/fill-people.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { CommandError } from '../terminal/report.ts'

/** An organisation with its database and the postcode directory. */
export type ImportStorage = { db: D1Database; geography: D1Database; organisationId: string }

/** The storage for an import. `progress` receives the completed share of the work. */
export type ImportDestination = ImportStorage & { progress: (done: number, total: number) => void }

export type ImportOptions = {
  /** Whether to drop values without a field in a new schema. */
  dropValues?: boolean | undefined
  /** Whether to check only. */
  dryRun?: boolean | undefined
  /** The organisation that the records belonged to before. */
  movedFrom?: string | undefined
  /** Whether the files of the same command in a published format are valid. If false, no file is written. */
  arePublishedFilesValid?: boolean | undefined
}

/** The result of a file. `isLeftOut` means that it was not written because another file has errors. */
export type FileResult = ImportResult & {
  file: string
  collection: string
  isLeftOut?: true
  settings?: RestoredSettings
}

/** The suffix of a mapping file next to its data file. */
export const mappingSuffix = '.mapping.json'

const extensions = ['.json', '.ndjson', '.csv']
// Settings come last: they may name fields of schemas and events.
const importOrder = ['schemas', ...collectionNames, 'settings']

/** Imports files named after their collections, and folders of such files: schemas, then people, then the rest, then settings. Checks all files before it writes any, and rejects a schema without fields for stored values unless `dropValues` is set. */
export async function* importFiles(
  paths: readonly string[],
  destination: ImportDestination,
  options: ImportOptions = {},
): AsyncGenerator<FileResult> {
  const files = listFiles(paths)
  const { arePublishedFilesValid } = options
  // The import of a single file checks it completely before it writes.
  if (options.dryRun || files.length > 1 || arePublishedFilesValid === false) {
    const results = await checkFiles(files, destination, options)
    if (options.dryRun) return yield* results
    if (arePublishedFilesValid === false || results.some(({ errors }) => errors.length > 0))
      return yield* results.map(toUnwrittenResult)
  }
  for (const file of files) {
    const schemas = await readSchemas(destination.db, destination.organisationId)
    yield await importSingleFile(file, destination, schemas, options)
  }
  await completeImport(destination, new Set(files.map(collectionName)))
}

/** Checks files against the stored schemas and those among the files, without writing. */
async function checkFiles(
  files: readonly string[],
  destination: ImportDestination,
  options: ImportOptions,
): Promise<FileResult[]> {
  let schemas = await readSchemas(destination.db, destination.organisationId)
  const results: FileResult[] = []
  for (const file of files) {
    if (collectionName(file) === 'schemas')
      schemas = { ...schemas, ...(await parseSchemasFile(fileSource(file))) }
    results.push(await importSingleFile(file, destination, schemas, { ...options, dryRun: true }))
  }
  return results
}

/** The result of a file that was checked but not written, because it or another file has errors. */
export const toUnwrittenResult = (result: FileResult): FileResult => ({
  ...result,
  ...writeNothing(result),
  ...(result.errors.length === 0 && { isLeftOut: true }),
})

/** Updates people after an import: their areas if schemas changed, and their fields from answers to schema forms. */
export async function completeImport(
  storage: ImportStorage,
  importedNames: ReadonlySet<string>,
): Promise<void> {
  const { db, geography, organisationId } = storage
  const schemas = await readSchemas(db, organisationId)
  if (importedNames.has('schemas')) await refreshAreas(db, geography, organisationId, schemas)
  if (answerCollections.some((name) => importedNames.has(name))) {
    await fillAllPeople({ store: operatorStore(db, organisationId), geography })
  }
}

const answerCollections = ['schemas', 'forms', 'survey-responses']

async function importSingleFile(
  file: string,
  destination: ImportDestination,
  schemas: Partial<Record<Kind, Schema>>,
  options: ImportOptions,
): Promise<FileResult> {
  const collection = collectionName(file)
  return {
    file,
    collection,
    ...(await importCollection(file, collection, destination, schemas, options)),
  }
}

async function importCollection(
  file: string,
  collection: string,
  destination: ImportDestination,
  schemas: Partial<Record<Kind, Schema>>,
  { dropValues = false, dryRun: dry = false, movedFrom }: ImportOptions,
): Promise<ImportResult & Pick<FileResult, 'settings'>> {
  const { db, geography, organisationId, progress } = destination
  if (collection === 'schemas') {
    return importSchemas(fileSource(file), db, organisationId, { dropValues, dry })
  }
  if (collection === 'settings') {
    const store = operatorStore(db, organisationId)
    const receiver = { store, schemas }
    return importSettings(fileSource(file), receiver, {
      exportedBy: movedFrom ?? organisationId,
      dry,
    })
  }
  const ownTarget = await loadTarget(collection, organisationId, schemas)
  const target =
    ownTarget && movedFrom !== undefined ? createMovedTarget(ownTarget, movedFrom) : ownTarget
  if (target) {
    const store = operatorStore(db, organisationId)
    const source = fileSource(file)
    const run = new RunningImport(store, { collection, source, through: 'import' })
    const records = createDestination({ store, geography }, collection, run)
    return importRecords(source, target, records, { dry, progress })
  }
  const message = `needs the schema of ${collection}: import schemas.json first.`
  const errors = groupErrors([{ line: 0, field: '', message, code: 'not_found' }])
  return writeNothing({ records: 0, rejected: 0, errors })
}

/** The source for a local file. */
export const fileSource = (path: string): Source => ({
  name: path,
  size: statFile(path).size,
  async *bytes() {
    yield* readBytes(path)
  },
})

/** Yields the bytes of a file from `from` up to, but excluding, `to`. */
export async function* readBytes(path: string, from = 0, to = Number.POSITIVE_INFINITY) {
  if (to <= from) return
  try {
    yield* createReadStream(path, { start: from, end: to - 1, highWaterMark: 1 << 18 })
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${errorCode(error)}.`)
  }
}

/** A file's status. Throws for a device, because it may never end. */
function statFile(path: string): Stats {
  const stats = statPath(path)
  if (!stats.isFile()) throw new CommandError(`${path} is not a file.`)
  return stats
}

function statPath(path: string): Stats {
  try {
    return statSync(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new CommandError(`There is no file or folder ${path}.`)
    if (errorCode(error) === 'ELOOP')
      throw new CommandError(`${path} is a link that leads to itself.`)
    throw new CommandError(`${path} cannot be read: ${errorCode(error)}.`)
  }
}

const errorCode = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'

/** Lists the files at these paths in import order. */
export const listFiles = (paths: readonly string[]): string[] =>
  paths.flatMap(listFilesAt).toSorted(compareImportOrder)

function listFilesAt(path: string): string[] {
  const stats = statPath(path)
  const files = stats.isDirectory()
    ? readdirSync(path)
        // Mapping files hold no records.
        .filter((name) => !name.endsWith(mappingSuffix))
        .filter((name) => hasExtension(name) || importOrder.includes(collectionName(name)))
        .map((name) => join(path, name))
    : [path]
  for (const file of files) {
    if (!importOrder.includes(collectionName(file)) || !hasExtension(file)) {
      throw new CommandError(
        `${file} is not named after a collection: ${importOrder.join(', ')}, with ${extensions.join(', ')}.`,
      )
    }
    statFile(file)
  }
  if (files.length === 0) throw new CommandError(`${path} contains no files to import.`)
  return files
}

const hasExtension = (file: string) => extensions.includes(extname(file).toLowerCase())

/** The name of the collection that a file is named after. */
export const collectionName = (file: string) => basename(file, extname(file))

const compareImportOrder = (a: string, b: string) =>
  importOrder.indexOf(collectionName(a)) - importOrder.indexOf(collectionName(b))
