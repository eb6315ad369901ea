import { createReadStream, readdirSync, type Stats, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { grouped, type Outcome } from '../../src/import/faults.ts'
import { importFile } from '../../src/import/import-file.ts'
import { importSchemas, schemasIn } from '../../src/import/import-schemas.ts'
import { movedTarget } from '../../src/import/moved-target.ts'
import type { Source } from '../../src/import/read.ts'
import { targetOf } from '../../src/import/targets.ts'
import { collectionNames } from '../../src/model/collection-names.ts'
import type { Kind, Schema } from '../../src/model/schema.ts'
import { refreshAreas } from '../../src/operator/refresh-areas.ts'
import { operatorStore } from '../../src/operator/store.ts'
import { embedAnswers } from '../../src/records/embed-answers.ts'
import { nothingKept } from '../../src/records/keep.ts'
import { schemasOf } from '../../src/store/schemas.ts'
import { Refusal } from '../terminal/refusal.ts'

/** An organisation's records, and the postcode directory. */
export type Places = { db: D1Database; geography: D1Database; organisationId: string }

/** Where the records go, and who is told how much of the work is done. */
export type Destination = Places & { progress: (done: number, whole: number) => void }

/** What the operator may say of an import: whether values that a new schema has no room for are dropped, whether nothing is kept, and the other organisation whose records these are. */
export type Options = {
  dropValues?: boolean | undefined
  dryRun?: boolean | undefined
  movedFrom?: string | undefined
}

/** What came of each file, in the order of the import, and whether it was left out because of another file's errors. */
export type FileOutcome = Outcome & { file: string; collection: string; isLeftOut?: true }

/** How the name of a mapping ends that lies beside its file. */
export const mappingEnd = '.mapping.json'

const extensions = ['.json', '.ndjson', '.csv']
const order = ['schemas', ...collectionNames]

/** Imports files named after their collections, and folders of such files: schemas first, then people, then the rest; all files are checked before any is written. A schema that cannot hold what people have is refused, unless its values are dropped. */
export async function* importFiles(
  paths: readonly string[],
  to: Destination,
  options: Options = {},
): AsyncGenerator<FileOutcome> {
  const files = filesIn(paths)
  // A single file is checked as a whole before it is written anyway.
  if (options.dryRun || files.length > 1) {
    const checked = await checkFiles(files, to, options)
    if (options.dryRun) return yield* checked
    if (checked.some(({ faults }) => faults.length > 0)) return yield* checked.map(leftOut)
  }
  for (const file of files) {
    const schemas = await schemasOf(to.db, to.organisationId)
    yield await importOne(file, to, schemas, options)
  }
  await settle(to, new Set(files.map(nameOf)))
}

/** Checks files by the schemas that there are and those among the files; writes nothing. */
async function checkFiles(
  files: readonly string[],
  to: Destination,
  options: Options,
): Promise<FileOutcome[]> {
  let schemas = await schemasOf(to.db, to.organisationId)
  const outcomes: FileOutcome[] = []
  for (const file of files) {
    if (nameOf(file) === 'schemas') schemas = { ...schemas, ...(await schemasIn(fileSource(file))) }
    outcomes.push(await importOne(file, to, schemas, { ...options, dryRun: true }))
  }
  return outcomes
}

/** What came of a file that was checked only, as another file or itself has errors. */
export const leftOut = (checked: FileOutcome): FileOutcome => ({
  ...checked,
  counts: nothingKept,
  ...(checked.faults.length === 0 && { isLeftOut: true }),
})

/** What follows for people from what else was imported, whatever the order: a schema's postcode fields, and the answers to forms. */
export async function settle(to: Places, imported: ReadonlySet<string>): Promise<void> {
  const { db, geography, organisationId } = to
  const schemas = await schemasOf(db, organisationId)
  if (imported.has('schemas')) await refreshAreas(db, geography, organisationId, schemas)
  if (answering.some((name) => imported.has(name))) {
    await embedAnswers(operatorStore(db, organisationId), { db, geography }, schemas)
  }
}

const answering = ['schemas', 'forms', 'survey-responses']

async function importOne(
  file: string,
  to: Destination,
  schemas: Partial<Record<Kind, Schema>>,
  options: Options,
): Promise<FileOutcome> {
  const collection = nameOf(file)
  return { file, collection, ...(await outcomeOf(file, collection, to, schemas, options)) }
}

async function outcomeOf(
  file: string,
  collection: string,
  to: Destination,
  schemas: Partial<Record<Kind, Schema>>,
  { dropValues = false, dryRun: dry = false, movedFrom }: Options,
): Promise<Outcome> {
  const { db, geography, organisationId, progress } = to
  if (collection === 'schemas') {
    return importSchemas(fileSource(file), db, organisationId, { dropValues, dry })
  }
  const own = await targetOf(collection, organisationId, schemas)
  const target = own && movedFrom !== undefined ? movedTarget(own, movedFrom) : own
  const store = operatorStore(db, organisationId)
  if (target) return importFile(fileSource(file), target, { store, geography, progress }, { dry })
  const reason = `needs the schema of ${collection}: import schemas.json first.`
  return {
    records: 0,
    faulty: 0,
    counts: nothingKept,
    faults: grouped([{ line: 0, field: '', reason }]),
  }
}

/** A file of this machine to import. */
export const fileSource = (path: string): Source => ({
  name: path,
  size: fileAt(path).size,
  async *bytes() {
    yield* bytesOf(path)
  },
})

/** The bytes of a file, from one place to before another. */
export async function* bytesOf(path: string, from = 0, to = Number.POSITIVE_INFINITY) {
  if (to <= from) return
  try {
    yield* createReadStream(path, { start: from, end: to - 1, highWaterMark: 1 << 18 })
  } catch (error) {
    throw new Refusal(`${path} cannot be read: ${codeOf(error)}.`)
  }
}

/** What is at a path, which must be a file: a device may never end. */
function fileAt(path: string): Stats {
  const found = whatIsAt(path)
  if (!found.isFile()) throw new Refusal(`${path} is not a file.`)
  return found
}

function whatIsAt(path: string): Stats {
  try {
    return statSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new Refusal(`There is no file or folder ${path}.`)
    if (codeOf(error) === 'ELOOP') throw new Refusal(`${path} is a link that leads to itself.`)
    throw new Refusal(`${path} cannot be read: ${codeOf(error)}.`)
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'

/** The files at these paths, in the order of the import. */
export const filesIn = (paths: readonly string[]): string[] =>
  paths.flatMap(filesAt).toSorted(byOrder)

function filesAt(path: string): string[] {
  const found = whatIsAt(path)
  const files = found.isDirectory()
    ? readdirSync(path)
        // How an import is mapped lies beside its file, and holds no records.
        .filter((name) => !name.endsWith(mappingEnd))
        .filter((name) => hasExtension(name) || order.includes(nameOf(name)))
        .map((name) => join(path, name))
    : [path]
  for (const file of files) {
    if (!order.includes(nameOf(file)) || !hasExtension(file)) {
      throw new Refusal(
        `${file} is not named after a collection: ${order.join(', ')}, with ${extensions.join(', ')}.`,
      )
    }
    fileAt(file)
  }
  if (files.length === 0) throw new Refusal(`There is nothing to import in ${path}.`)
  return files
}

const hasExtension = (file: string) => extensions.includes(extname(file).toLowerCase())

/** The collection a file is named after. */
export const nameOf = (file: string) => basename(file, extname(file))

const byOrder = (a: string, b: string) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b))
