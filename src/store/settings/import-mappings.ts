import { and, desc, eq, notInArray } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { mappings } from '../tables.ts'

/** The organisation of a file, and the digest of its headings. */
export type FileKind = { organisationId: string; headings: string }

const mostKept = 200

const is = ({ organisationId, headings }: FileKind) =>
  and(eq(mappings.organisationId, organisationId), eq(mappings.headings, headings))

/** Returns the mapping of the last file with these headings as JSON text, or undefined. */
export async function findMapping(d1: D1Database, kind: FileKind): Promise<string | undefined> {
  const [kept] = await drizzle(d1)
    .select({ mapping: mappings.mapping })
    .from(mappings)
    .where(is(kind))
  return kept?.mapping
}

/**
 * Saves the mapping for the next file with these headings. Each organisation keeps the last 200.
 */
export async function saveMapping(d1: D1Database, kind: FileKind, mapping: string): Promise<void> {
  const db = drizzle(d1)
  const used = new Date().toISOString()
  const own = eq(mappings.organisationId, kind.organisationId)
  const latest = db
    .select({ headings: mappings.headings })
    .from(mappings)
    .where(own)
    .orderBy(desc(mappings.used))
    .limit(mostKept)
  await db.batch([
    db
      .insert(mappings)
      .values({ ...kind, mapping, used })
      .onConflictDoUpdate({
        target: [mappings.organisationId, mappings.headings],
        set: { mapping, used },
      }),
    db.delete(mappings).where(and(own, notInArray(mappings.headings, latest))),
  ])
}
