import { and, asc, eq, gt } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { records } from '../tables.ts'

/** A stored record with the time of a caller's last write. */
export type ChunkRecord = { row: number; id: string; document: string; updated: string }

/** Yields the records of a collection in order of arrival, at most `size` at a time. */
export async function* readChunks(
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
        ordinal: records.ordinal,
      })
      .from(records)
      .where(
        and(
          eq(records.organisationId, organisationId),
          eq(records.collection, collection),
          gt(records.ordinal, after),
        ),
      )
      .orderBy(asc(records.ordinal))
      .limit(size)
    const last = chunk.at(-1)
    if (!last) return
    yield chunk
    after = last.ordinal
  }
}
