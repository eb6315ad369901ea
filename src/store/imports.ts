import { drizzle } from 'drizzle-orm/d1'
import { imports } from './tables.ts'
import { recordCount } from './words.ts'

/** An import of one file: what it was of, and how many records it held. */
export type Import = { organisationId: string; collection: string; records: number }

/** Keeps that an import was made, and how many records its collection has after it, for the overview. */
export async function recordImport(d1: D1Database, done: Import): Promise<void> {
  await drizzle(d1)
    .insert(imports)
    .values({ ...done, at: new Date().toISOString(), total: recordCount(done) })
}
