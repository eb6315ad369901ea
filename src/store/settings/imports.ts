import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { recordCount } from '../bitmap/bits.ts'
import { imports } from '../tables.ts'

/** An import of one file, and its number of records. */
export type Import = { organisationId: string; collection: string; records: number }

/** Records an import, and the number of records in the collection after it, for the overview. */
export async function recordImport(d1: D1Database, done: Import): Promise<void> {
  await drizzle(d1)
    .insert(imports)
    .values({ ...done, at: new Date().toISOString(), total: recordCount(done) })
}

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
