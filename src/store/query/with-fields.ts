import type { SQL } from 'drizzle-orm/sql'
import * as z from 'zod'
import { personQueryFields, recordQueryFields } from '../../access/query-fields.ts'
import type { Filter } from '../../model/filter.ts'
import { isKind } from '../../model/properties/schema.ts'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import { type QueryFields, resolveFilter } from '../../model/query/resolve.ts'
import { schemaColumn, textOrUndefined } from '../read/single.ts'
import type { Row } from '../statement.ts'
import { OutdatedAccessError, type Store } from '../store.ts'
import { assumeSchema, type ListSelection } from './list-selection.ts'
import type { QueryGuard } from './read-query.ts'

/** The filters of a query, before names are known to be fields. */
export type NamedFilters = {
  filters: readonly Filter[]
  filter?: FilterExpression | undefined
}

/** The fields that a query may name, and the predicate of its filters. */
export type QueryNames = { fields: QueryFields; predicate: Predicate | undefined }

/**
 * Resolves the names of a query under the policy and the schema that the database reports, then
 * reads. Returns the result with the complete schema as JSON text.
 */
export async function withFields<Resolved, Result extends { head: Row }>(
  store: Store,
  guard: QueryGuard,
  { schema: kind, record }: Pick<ListSelection, 'schema' | 'record'>,
  filters: NamedFilters,
  resolve: (names: QueryNames) => Resolved,
  read: (resolved: Resolved, head: Record<string, SQL>) => Promise<Result>,
): Promise<{ result: Result; schema: string | undefined }> {
  const { collection } = guard
  const { assumed, isCurrent } = assumeSchema(collection, store.organisationId)
  const head: Record<string, SQL> = kind ? { schema: schemaColumn(store.organisationId, kind) } : {}
  const parseSchema = ({ schema: column }: Row) => {
    const schema = textOrUndefined(column)
    if (isKind(collection) && !isCurrent(schema)) throw new OutdatedAccessError()
    return schema
  }
  const resolved = await (async () => {
    try {
      return resolve(resolveNames(guard, filters, assumed, record))
    } catch (error) {
      // Only current access and the current schema may decide that a name is unknown.
      const { head: current } = await store.read(head, undefined, guard)
      parseSchema(current)
      throw error
    }
  })()
  const result = await read(resolved, head)
  return { result, schema: parseSchema(result.head) }
}

function resolveNames(
  { policy, collection }: QueryGuard,
  { filters, filter }: NamedFilters,
  schema: string | undefined,
  record: ListSelection['record'],
): QueryNames {
  const isPerson = isKind(collection)
  const fields = isPerson
    ? personQueryFields(policy, collection, schema)
    : recordQueryFields(policy, collection, record?.() ?? z.object())
  const limited = isPerson
    ? policy.limitPersonFilters(collection, filters, schema)
    : policy.limitFilters(collection, filters, record)
  const predicates = limited.map((limit) => toPredicate(limit, isPerson))
  if (filter) predicates.push(resolveFilter(filter, fields))
  return { fields, predicate: predicates.length > 0 ? { and: predicates } : undefined }
}

/** Returns the predicate of an equality filter, whose field may be a list. */
function toPredicate({ field, values, or }: Filter, isPerson: boolean): Predicate {
  const fieldOf = (name: string) => ({ path: isPerson ? [name] : name.split('.'), isList: true })
  const membership = { field: fieldOf(field), values: new Set(values) }
  return or
    ? { or: [membership, { field: fieldOf(or.field), values: new Set([or.text]) }] }
    : membership
}
