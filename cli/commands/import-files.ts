import { createReadStream, readdirSync, type Stats, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { refreshAreas } from '../../src/admin/refresh-areas.ts'
import { grouped, type Outcome } from '../../src/import/faults.ts'
import { importFile } from '../../src/import/import-file.ts'
import { importSchemas, parseSchemasFile } from '../../src/import/import-schemas.ts'
import { createMovedTarget } from '../../src/import/moved-target.ts'
import type { Source } from '../../src/import/read.ts'
import { loadTarget } from '../../src/import/targets.ts'
import { collectionNames } from '../../src/model/collection-names.ts'
import type { Kind, Schema } from '../../src/model/schema.ts'
import { embedAnswers } from '../../src/records/embed-answers.ts'
import { noCounts } from '../../src/records/upsert-batch.ts'
import { readSchemas } from '../../src/store/schemas.ts'
import { CommandError } from '../terminal/refusal.ts'

/** An organisation's records, and the postcode directory. */
export type ImportStorage = { db: D1Database; geography: D1Database; organisationId: string }

/** Where the records go, and who is told how much of the work is done. */
export type ImportDestination = ImportStorage & { progress: (done: number, total: number) => void }

/** What the operator may say of an import: whether values that a new schema has no room for are dropped, whether nothing is kept, and the other organisation whose records these are. */
export type ImportOptions = {
  dropValues?: boolean | undefined
  dryRun?: boolean | undefined
  movedFrom?: string | undefined
}

/** What came of each file, in the order of the import, and whether it was left out because of another file's errors. */
export type FileResult = Outcome & { file: string; collection: string; isLeftOut?: true }

/** How the name of a mapping ends that lies beside its file. */
export const mappingSuffix = '.mapping.json'

const extensions = ['.json', '.ndjson', '.csv']
const importOrder = ['schemas', ...collectionNames]

/** Imports files named after their collections, and folders of such files: schemas first, then people, then the rest; all files are checked before any is written. A schema that cannot hold what people have is refused, unless its values are dropped. */
export async function* importFiles(
  paths: readonly string[],
  destination: ImportDestination,
  options: ImportOptions = {},
): AsyncGenerator<FileResult> {
  const files = listFiles(paths)
  // A single file is checked as a whole before it is written anyway.
  if (options.dryRun || files.length > 1) {
    const checked = await checkFiles(files, destination, options)
    if (options.dryRun) return yield* checked
    if (checked.some(({ errors }) => errors.length > 0))
      return yield* checked.map(toUnwrittenResult)
  }
  for (const file of files) {
    const schemas = await readSchemas(destination.db, destination.organisationId)
    yield await importSingleFile(file, destination, schemas, options)
  }
  await completeImport(destination, new Set(files.map(collectionName)))
}

/** Checks files by the schemas that there are and those among the files; writes nothing. */
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

/** What came of a file that was checked only, as another file or itself has errors. */
export const toUnwrittenResult = (checked: FileResult): FileResult => ({
  ...checked,
  counts: noCounts,
  ...(checked.errors.length === 0 && { isLeftOut: true }),
})

/** What follows for people from what else was imported, whatever the order: a schema's postcode fields, and the answers to forms. */
export async function completeImport(
  storage: ImportStorage,
  importedNames: ReadonlySet<string>,
): Promise<void> {
  const { db, geography, organisationId } = storage
  const schemas = await readSchemas(db, organisationId)
  if (importedNames.has('schemas')) await refreshAreas(db, geography, organisationId, schemas)
  if (answerCollections.some((name) => importedNames.has(name))) {
    await embedAnswers(operatorStore(db, organisationId), { db, geography }, schemas)
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
): Promise<Outcome> {
  const { db, geography, organisationId, progress } = destination
  if (collection === 'schemas') {
    return importSchemas(fileSource(file), db, organisationId, { dropValues, dry })
  }
  const ownTarget = await loadTarget(collection, organisationId, schemas)
  const target =
    ownTarget && movedFrom !== undefined ? createMovedTarget(ownTarget, movedFrom) : ownTarget
  const store = operatorStore(db, organisationId)
  if (target) return importFile(fileSource(file), target, { store, geography, progress }, { dry })
  const message = `needs the schema of ${collection}: import schemas.json first.`
  return {
    records: 0,
    rejected: 0,
    counts: noCounts,
    errors: grouped([{ line: 0, field: '', message }]),
  }
}

/** A file of this machine to import. */
export const fileSource = (path: string): Source => ({
  name: path,
  size: statFile(path).size,
  async *bytes() {
    yield* readBytes(path)
  },
})

/** The bytes of a file, from one place to before another. */
export async function* readBytes(path: string, from = 0, to = Number.POSITIVE_INFINITY) {
  if (to <= from) return
  try {
    yield* createReadStream(path, { start: from, end: to - 1, highWaterMark: 1 << 18 })
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${errorCode(error)}.`)
  }
}

/** What is at a path, which must be a file: a device may never end. */
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

/** The files at these paths, in the order of the import. */
export const listFiles = (paths: readonly string[]): string[] =>
  paths.flatMap(listFilesAt).toSorted(compareImportOrder)

function listFilesAt(path: string): string[] {
  const stats = statPath(path)
  const files = stats.isDirectory()
    ? readdirSync(path)
        // How an import is mapped lies beside its file, and holds no records.
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
  if (files.length === 0) throw new CommandError(`There is nothing to import in ${path}.`)
  return files
}

const hasExtension = (file: string) => extensions.includes(extname(file).toLowerCase())

/** The collection a file is named after. */
export const collectionName = (file: string) => basename(file, extname(file))

const compareImportOrder = (a: string, b: string) =>
  importOrder.indexOf(collectionName(a)) - importOrder.indexOf(collectionName(b))
