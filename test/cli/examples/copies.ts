import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { collectionNames } from '../../../src/model/collection.ts'

/** The records of each collection by their ids. */
export type Copy = Map<string, Map<string, object>>

/** Reads the copy of examples/python/sync.py. */
export async function readSqliteCopy(file: string): Promise<Copy> {
  const database = new DatabaseSync(file, { readOnly: true })
  const copy: Copy = new Map()
  for (const collection of collectionNames) {
    const table = collection.replaceAll('-', '_')
    const rows = database.prepare(`SELECT id, record FROM ${table}`).all()
    copy.set(
      collection,
      new Map(rows.map((row) => [String(row.id), parseObject(String(row.record))])),
    )
  }
  database.close()
  return copy
}

/** Reads the copy of examples/typescript/sync.ts. */
export async function readFileCopy(folder: string): Promise<Copy> {
  const copy: Copy = new Map()
  for (const collection of collectionNames) {
    const lines = (await readFile(`${folder}/${collection}.ndjson`, 'utf8')).trim().split('\n')
    const rows: { id: string; record: object }[] = lines.map((line) => JSON.parse(line))
    copy.set(collection, new Map(rows.map(({ id, record }) => [id, record])))
  }
  return copy
}

const parseObject = (text: string): object => JSON.parse(text)
