import { sql } from 'drizzle-orm/sql'
import { ofCollection } from '../fragments.ts'
import type { QueryGuard } from '../query/record-query.ts'
import type { Store } from '../store.ts'
import { type ListSelection, selectTimes } from './list-selection.ts'
import { schemaColumn, textOrUndefined } from './single.ts'

/** Reads the records of a list that have these ids, in any order, with the schema. */
export async function readByIds(
  store: Store,
  guard: QueryGuard,
  ids: readonly string[],
  selection: ListSelection,
) {
  const { organisationId } = store
  const { collection, policy } = guard
  const { schema: kind } = selection
  const { columns, selected } = selectTimes(selection, false)
  const { head, rows } = await store.read(
    kind ? { schema: schemaColumn(organisationId, kind) } : {},
    {
      columns: [...columns, 'whole'],
      rows: sql`SELECT ${selected}, records.document FROM records
        WHERE ${ofCollection({ organisationId }, collection)}
          AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    },
    guard,
  )
  return {
    rows: rows.filter(({ whole }) => policy.allowsRecord(collection, String(whole))),
    schema: kind && policy.redactSchema(kind, textOrUndefined(head.schema)),
    next: undefined,
    total: undefined,
    head,
    state: '',
  }
}
