import { and, desc, eq, notInArray } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { importMappings, imports } from '../tables.ts'

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

/** An organisation and the digest of a file's headings. */
type FileKind = { organisationId: string; headings: string }

/** The maximum number of mappings in an organisation. */
export const maxMappings = 200

const hasHeadings = ({ organisationId, headings }: FileKind) =>
  and(eq(importMappings.organisationId, organisationId), eq(importMappings.headings, headings))

/** The mapping of the last file with these headings as JSON text. */
export async function findMapping(d1: D1Database, kind: FileKind): Promise<string | undefined> {
  const [row] = await drizzle(d1)
    .select({ mapping: importMappings.mapping })
    .from(importMappings)
    .where(hasHeadings(kind))
  return row?.mapping
}

/** Lists an organisation's mappings, the last used first. */
export const listMappings = (d1: D1Database, organisationId: string) =>
  drizzle(d1)
    .select({ headings: importMappings.headings, mapping: importMappings.mapping })
    .from(importMappings)
    .where(eq(importMappings.organisationId, organisationId))
    .orderBy(desc(importMappings.lastUsed))

/**
 * Saves the mapping for the next file with these headings. Deletes all but the organisation's last
 * 200 mappings.
 */
export async function saveMapping(d1: D1Database, kind: FileKind, mapping: string): Promise<void> {
  const db = drizzle(d1)
  const lastUsed = new Date().toISOString()
  const ofOrganisation = eq(importMappings.organisationId, kind.organisationId)
  const latest = db
    .select({ headings: importMappings.headings })
    .from(importMappings)
    .where(ofOrganisation)
    .orderBy(desc(importMappings.lastUsed))
    .limit(maxMappings)
  await db.batch([
    db
      .insert(importMappings)
      .values({ ...kind, mapping, lastUsed })
      .onConflictDoUpdate({
        target: [importMappings.organisationId, importMappings.headings],
        set: { mapping, lastUsed },
      }),
    db
      .delete(importMappings)
      .where(and(ofOrganisation, notInArray(importMappings.headings, latest))),
  ])
}
