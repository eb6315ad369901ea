import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { collectionNames } from '../../src/model/collection-names.ts'
import { exportedRecords, exportedSchemas } from '../../src/operator/export.ts'
import { countRecords } from '../../src/operator/organisations.ts'
import { schemasOf } from '../../src/store/schemas.ts'
import { Refusal } from '../terminal/refusal.ts'

/** A file that was written: how many records it has, how many of them an import would refuse, and the first faults of those. */
export type Written = {
  file: string
  collection: string
  records: number
  refused: number
  faults: { line: number; id: string; field: string; reason: string }[]
}

const mostFaults = 100

/** Writes an organisation's schemas and records to a folder that is new or empty, as files that importFiles takes; a collection without records has none. */
export async function exportFiles(
  db: D1Database,
  organisationId: string,
  folder: string,
  progress: (done: number, whole: number) => void,
): Promise<Written[]> {
  await demandEmptyFolder(folder)
  const schemas = await schemasOf(db, organisationId)
  const whole = await countRecords(db, organisationId)
  const files: Written[] = []
  let done = 0
  const begin = (collection: string, extension: string) => {
    const file = join(folder, `${collection}.${extension}`)
    const begun: Written = { file, collection, records: 0, refused: 0, faults: [] }
    files.push(begun)
    return begun
  }
  async function* linesOf(file: Written) {
    for await (const record of exportedRecords(db, organisationId, file.collection, schemas)) {
      const { id, line, faults } = record
      file.records++
      if (faults.length > 0) file.refused++
      const told = faults.slice(0, mostFaults - file.faults.length)
      file.faults.push(...told.map((fault) => ({ line: file.records, id, ...fault })))
      progress(++done, whole)
      yield line
    }
  }
  try {
    const described = begin('schemas', 'json')
    described.records = Object.keys(schemas).length
    await writeFile(
      unfinished(described),
      `${JSON.stringify(exportedSchemas(schemas), null, 2)}\n`,
      onlyNew,
    )
    for (const collection of collectionNames) {
      const file = begin(collection, 'ndjson')
      // Opened first: a stream that opens it by itself may make it after a failure has removed it.
      const opened = await open(unfinished(file), onlyNew.flags, onlyNew.mode)
      await pipeline(linesOf(file), opened.createWriteStream())
    }
  } catch (error) {
    await Promise.all(files.map((file) => rm(unfinished(file), { force: true })))
    throw error
  }
  for (const file of files) {
    if (file.records > 0) await rename(unfinished(file), file.file)
    else await rm(unfinished(file))
  }
  return files.filter(({ records }) => records > 0)
}

const onlyNew = { flags: 'wx', mode: 0o600 }

// An export that is broken off must not be taken for a whole one.
const unfinished = ({ file }: Written) => `${file}.unfinished`

async function demandEmptyFolder(folder: string): Promise<void> {
  // What is written tells of people: nobody else on this machine may read it.
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new Refusal(`${folder} cannot be made: ${error.code}.`)
  })
  if ((await readdir(folder)).length > 0) {
    throw new Refusal(`${folder} has files in it: name a folder that is new or empty.`)
  }
}
