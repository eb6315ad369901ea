import { and, desc, eq, notInArray } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { mappings } from './sql/tables.ts'

/** Whose file it is that is read, and the digest of its headings. */
export type FileKind = { organisationId: string; headings: string }

const mostKept = 200

const is = ({ organisationId, headings }: FileKind) =>
  and(eq(mappings.organisationId, organisationId), eq(mappings.headings, headings))

/** How the last file with these headings was read, as JSON text; undefined where there was none. */
export async function findMapping(d1: D1Database, kind: FileKind): Promise<string | undefined> {
  const [kept] = await drizzle(d1)
    .select({ mapping: mappings.mapping })
    .from(mappings)
    .where(is(kind))
  return kept?.mapping
}

/** Keeps how a file was read for the next with these headings; of an organisation's, the 200 last used are kept. */
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
