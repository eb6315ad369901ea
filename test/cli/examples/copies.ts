import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { collectionNames } from '../../../src/model/collection.ts'

/** The records of each collection by their ids. */
export type Copy = Map<string, Map<string, object>>

/** What examples/python/sync.py keeps. */
export async function copyInSqlite(file: string): Promise<Copy> {
  const database = new DatabaseSync(file, { readOnly: true })
  const copy: Copy = new Map()
  for (const collection of collectionNames) {
    const table = collection.replaceAll('-', '_')
    const rows = database.prepare(`SELECT id, record FROM ${table}`).all()
    copy.set(collection, new Map(rows.map((row) => [String(row.id), parsed(String(row.record))])))
  }
  database.close()
  return copy
}

/** What examples/typescript/sync.ts keeps. */
export async function copyInFiles(folder: string): Promise<Copy> {
  const copy: Copy = new Map()
  for (const collection of collectionNames) {
    const lines = (await readFile(`${folder}/${collection}.ndjson`, 'utf8')).trim().split('\n')
    const rows: { id: string; record: object }[] = lines.map((line) => JSON.parse(line))
    copy.set(collection, new Map(rows.map(({ id, record }) => [id, record])))
  }
  return copy
}

const parsed = (text: string): object => JSON.parse(text)
