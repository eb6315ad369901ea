import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { buildDataPackage } from '../../src/admin/data-package.ts'
import { exportRecords, exportSchemas } from '../../src/admin/export-records.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { exportSettings } from '../../src/admin/settings/export-settings.ts'
import { collectionNames } from '../../src/model/collection.ts'
import { countRecords } from '../../src/store/organisations.ts'
import { readSchemas } from '../../src/store/settings/schemas.ts'
import { CommandError } from '../terminal/report.ts'
import { zipFiles } from './zip-files.ts'

/** An exported file with its number of records, the number that an import would reject, and the first errors. */
export type ExportedFile = {
  file: string
  collection: string
  records: number
  refused: number
  errors: { line: number; id: string; field: string; message: string }[]
}

const maxErrors = 100

/**
 * Exports an organisation's schemas, records and settings to a new or empty folder, as files for
 * `importFiles`, and on request beside them the package for other programs. Skips empty collections.
 */
export async function exportFiles(
  db: D1Database,
  organisationId: string,
  folder: string,
  progress: (done: number, total: number) => void,
  hasPackage = false,
): Promise<ExportedFile[]> {
  await requireEmptyFolder(folder)
  const schemas = await readSchemas(db, organisationId)
  const total = await countRecords(db, organisationId)
  const files: ExportedFile[] = []
  let done = 0
  const addFile = (collection: string, extension: string, name = collection) => {
    const file = join(folder, `${name}.${extension}`)
    const exportedFile: ExportedFile = { file, collection, records: 0, refused: 0, errors: [] }
    files.push(exportedFile)
    return exportedFile
  }
  async function writeJson(name: string, content: object, records: number): Promise<void> {
    const file = addFile(name, 'json')
    file.records = records
    await writeFile(temporaryPath(file), `${JSON.stringify(content, null, 2)}\n`, createOnly)
  }
  async function* readLines(file: ExportedFile) {
    for await (const record of exportRecords(db, organisationId, file.collection, schemas)) {
      const { id, line, errors } = record
      file.records++
      if (errors.length > 0) file.refused++
      const shown = errors.slice(0, maxErrors - file.errors.length)
      file.errors.push(...shown.map((fault) => ({ line: file.records, id, ...fault })))
      progress(++done, total)
      yield line
    }
  }
  async function* countFiles(file: ExportedFile) {
    for await (const entry of buildDataPackage(operatorStore(db, organisationId))) {
      if (entry.name.endsWith('.csv')) file.records++
      yield entry
    }
  }
  try {
    await writeJson('schemas', exportSchemas(schemas), Object.keys(schemas).length)
    for (const collection of collectionNames) {
      const file = addFile(collection, 'ndjson')
      await write(file, readLines(file))
    }
    const { settings, count } = await exportSettings(db, organisationId)
    await writeJson('settings', settings, count)
    if (hasPackage) {
      const file = addFile('tables', 'zip', 'data-package')
      await write(file, zipFiles(countFiles(file)))
    }
  } catch (error) {
    await Promise.all(files.map((file) => rm(temporaryPath(file), { force: true })))
    throw error
  }
  for (const file of files) {
    if (file.records > 0) await rename(temporaryPath(file), file.file)
    else await rm(temporaryPath(file))
  }
  return files.filter(({ records }) => records > 0)
}

// Opens the file first: a stream that opens it later may create it again after a failure removed it.
async function write(file: ExportedFile, parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  const opened = await open(temporaryPath(file), createOnly.flags, createOnly.mode)
  await pipeline(parts, opened.createWriteStream())
}

const createOnly = { flags: 'wx', mode: 0o600 }

// The name marks an interrupted export as incomplete.
const temporaryPath = ({ file }: ExportedFile) => `${file}.unfinished`

async function requireEmptyFolder(folder: string): Promise<void> {
  // The files hold personal data, so only the current user may read them.
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new CommandError(`${folder} cannot be created: ${error.code}.`)
  })
  if ((await readdir(folder)).length > 0) {
    throw new CommandError(`${folder} is not empty: choose a new or empty folder.`)
  }
}
