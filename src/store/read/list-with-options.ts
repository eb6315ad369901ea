import type { QueryOptions } from '../../model/query/query-options.ts'
import { resolveOrder } from '../../model/query/resolve.ts'
import type { PageQuery } from '../bitmap/page-query.ts'
import { type Columns, expressionsOf } from '../columns.ts'
import { readQuery } from '../query/read-query.ts'
import type { QueryGuard, QueryPage, RecordQuery } from '../query/record-query.ts'
import type { Known, Unchanged } from '../state.ts'
import type { Store } from '../store.ts'
import { addTimeColumns, decodeListed, type ListSelection } from './list-selection.ts'
import { withFields } from './with-fields.ts'

/** The maximum number of records of an export's page. Cloudflare allows 1,000 queries per request, and a page takes two or three. */
const maxExported = 1000

/** Reads a page as its query options demand, with the schema that the policy shows. */
export async function readListWithOptions<C extends Columns, U extends Unchanged>(
  store: Store,
  guard: QueryGuard,
  query: PageQuery,
  options: QueryOptions,
  selection: ListSelection<C>,
  known: Known<U> | undefined,
) {
  const { filters, exportPosition, limit, offset: skip, created, changed } = query
  const { schema: kind, counted = true } = selection
  const isExport = exportPosition !== undefined
  const after =
    typeof exportPosition === 'object' && 'keys' in exportPosition ? exportPosition : options.after
  const columns = addTimeColumns(selection.columns, query)
  const isCounted = (counted || options.isCounted) && !after && !isExport
  const found = await withFields<Pick<RecordQuery, 'predicate' | 'order'>, QueryPage, U>(
    store,
    guard,
    selection,
    { filters, filter: options.filter },
    ({ fields, predicate }) => ({ predicate, order: resolveOrder(options.orderBy, fields) }),
    (resolved, schemaHead, known) =>
      readQuery(
        store,
        guard,
        { head: { ...schemaHead, ...expressionsOf(query.head ?? {}) }, known },
        {
          ...resolved,
          limit: isExport ? Math.min(limit, maxExported) : limit,
          isExport,
          skip,
          after,
          created,
          changed,
          isCounted,
        },
        columns,
      ),
    known,
  )
  if (found.unchanged) return found
  const { result, state } = found
  const schema = kind && guard.policy.redactSchema(kind, found.schema)
  return { ...result, rows: decodeListed(selection.columns, result.rows), state, schema }
}
