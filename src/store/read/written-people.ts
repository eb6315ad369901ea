import { sql } from 'drizzle-orm/sql'
import { referencesToPeople } from '../../model/properties/people-references.ts'
import { isKind, type Kind } from '../../model/properties/schema.ts'
import { referencedIds } from '../../model/references.ts'
import { integer, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

// A document may have a megabyte.
const pageSize = 50

/**
 * Yields the people that the command line wrote after a version of the organisation, and those to whom the
 * records that it wrote refer. Others may write at the same time: their records are left out.
 */
export async function* readWrittenPeople(
  store: Store,
  version: number,
): AsyncGenerator<{ collection: Kind; id: string }> {
  let after = version
  for (;;) {
    const { rows } = await store.select({
      rows: {
        columns: {
          version: integer(sql`version`),
          collection: text(sql`collection`),
          id: text(sql`id`),
          document: text(sql`document`),
        },
        from: sql`FROM records INDEXED BY records_by_version
          WHERE ${ofOrganisation(store)} AND version > ${after}
            AND coalesce(changed_by, created_by) ->> '$.by' = 'command line'
          ORDER BY version LIMIT ${sql.raw(String(pageSize))}`,
      },
    })
    for (const { collection, id, document } of rows) {
      if (isKind(collection)) yield { collection, id }
      const values = JSON.parse(document) as Record<string, unknown>
      for (const reference of referencesToPeople(collection))
        for (const referenced of referencedIds(reference, values))
          yield { collection: reference.to, id: referenced.id }
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.version
  }
}
