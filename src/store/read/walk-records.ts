import { sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import type { Permission } from '../../access/permissions.ts'
import { type Columns, integer, type Selected, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { Store } from '../store.ts'

type Walk<C extends Columns> = {
  columns: C
  /** The maximum number of records of a chunk: a document can have half a megabyte. */
  size: number
  /** The maximum number of records of the walk. */
  max?: number
  permissions?: readonly Permission[]
  /** The policy that the caller redacts by. */
  policy?: AccessPolicy
}

/** Yields the records of a collection in order of arrival, in chunks. Each chunk checks the credential, and redacts nothing. */
export async function* walkRecords<C extends Columns>(
  store: Store,
  collection: string,
  { columns, size, max = Number.MAX_SAFE_INTEGER, permissions = ['read'], policy }: Walk<C>,
): AsyncGenerator<Selected<C>[]> {
  let after = 0
  for (let remaining = max; remaining > 0; ) {
    const limit = Math.min(size, remaining)
    const { rows } = await store.select({
      rows: {
        columns: { ...columns, ordinal: integer(sql`ordinal`) },
        from: sql`FROM records
          WHERE ${ofCollection(store, collection)} AND ordinal > ${after}
          ORDER BY ordinal LIMIT ${limit}`,
      },
      permissions,
      collection,
      policy,
    })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < limit) return
    after = last.ordinal
    remaining -= rows.length
  }
}

/** A stored record with the number of its row. */
export type WalkedRecord = { row: number; id: string; document: string }

/** Yields the whole records of a collection. */
export const walkDocuments = (
  store: Store,
  collection: string,
  size: number,
): AsyncGenerator<WalkedRecord[]> =>
  walkRecords(store, collection, {
    columns: { row: integer(sql`row`), id: text(sql`id`), document: text(sql`document`) },
    size,
  })
