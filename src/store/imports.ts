import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { recordCount } from './bitmap/bits.ts'
import { imports } from './sql/tables.ts'

/** An import of one file: what it was of, and how many records it held. */
export type Import = { organisationId: string; collection: string; records: number }

/** Keeps that an import was made, and how many records its collection has after it, for the overview. */
export async function recordImport(d1: D1Database, done: Import): Promise<void> {
  await drizzle(d1)
    .insert(imports)
    .values({ ...done, at: new Date().toISOString(), total: recordCount(done) })
}

/** Whether a collection of an organisation was ever imported. */
export async function hasImports(
  d1: D1Database,
  organisationId: string,
  collection: string,
): Promise<boolean> {
  const ofCollection = and(
    eq(imports.organisationId, organisationId),
    eq(imports.collection, collection),
  )
  return (await drizzle(d1).$count(imports, ofCollection)) > 0
}
