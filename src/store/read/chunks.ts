import { and, asc, eq, gt } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { records } from '../sql/tables.ts'

/** A record as it is kept, and when it was last given. */
export type ChunkRecord = { row: number; id: string; document: string; updated: string }

/** The records of a collection, at most `size` at a time, in the order in which they arrived. */
export async function* recordsInChunks(
  d1: D1Database,
  organisationId: string,
  collection: string,
  size: number,
): AsyncGenerator<ChunkRecord[]> {
  for (let after = 0; ; ) {
    const chunk = await drizzle(d1)
      .select({
        row: records.row,
        id: records.id,
        document: records.document,
        updated: records.updated,
        position: records.position,
      })
      .from(records)
      .where(
        and(
          eq(records.organisationId, organisationId),
          eq(records.collection, collection),
          gt(records.position, after),
        ),
      )
      .orderBy(asc(records.position))
      .limit(size)
    const last = chunk.at(-1)
    if (!last) return
    yield chunk
    after = last.position
  }
}
