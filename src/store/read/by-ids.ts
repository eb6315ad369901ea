import { sql } from 'drizzle-orm/sql'
import { type Columns, optional, text } from '../columns.ts'
import { ofCollection } from '../fragments.ts'
import type { QueryGuard } from '../query/record-query.ts'
import type { Store } from '../store.ts'
import type { ListSelection } from './list-selection.ts'
import { schemaColumn } from './single.ts'

/** Reads the records of a list that have these ids, in any order, with the schema. */
export async function readByIds<C extends Columns>(
  store: Store,
  guard: QueryGuard,
  ids: readonly string[],
  { columns, schema: kind }: ListSelection<C>,
) {
  const { collection, policy } = guard
  const whole = text(sql`records.document`)
  const { head, rows } = await store.select({
    ...guard,
    head: { schema: optional(text(kind ? schemaColumn(store.organisationId, kind) : sql`NULL`)) },
    rows: {
      columns: { ...columns, whole },
      from: sql`FROM records WHERE ${ofCollection(store, collection)}
        AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    },
  })
  return {
    rows: rows
      .filter(({ whole }) => policy.allowsRecord(collection, whole))
      .map((row) => Object.assign(row, { times: '' })),
    schema: kind && policy.redactSchema(kind, head.schema),
    next: undefined,
    total: undefined,
    head: {},
    state: '',
  }
}
