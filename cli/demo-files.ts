import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** The demo organisation's files, one per collection. */
export const demoFolder = resolve(import.meta.dirname, '../demo')

/** The names of the files with schemas and records, without the postcodes. */
export const listDemoFiles = (): string[] =>
  readdirSync(demoFolder).filter((name) => /\.(csv|json|ndjson)$/.test(name))
