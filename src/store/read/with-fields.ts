import type { SQL } from 'drizzle-orm/sql'
import { fieldsIn, filterPredicate, propertiesOf } from '../../access/collection-properties.ts'
import {
  answerFields,
  derivedField,
  referencedFields,
  visibleDerived,
  visibleReferences,
} from '../../access/query-fields.ts'
import type { Filter } from '../../model/filter.ts'
import { isKind } from '../../model/properties/schema.ts'
import { type FilterExpression, namesIn } from '../../model/query/filter-expression.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import { type QueryFields, type ResolvedFilter, resolveFilter } from '../../model/query/resolve.ts'
import type { RecordProperties } from '../../model/record-properties.ts'
import type { NamedReference } from '../../model/references.ts'
import type { RowBudget } from '../query/query-reader.ts'
import type { QueryGuard } from '../query/record-query.ts'
import { type Found, type Known, OutdatedAccessError, type Unchanged } from '../state.ts'
import type { Row } from '../statement.ts'
import type { Store } from '../store.ts'
import { assumeSchema, type ListSelection } from './list-selection.ts'
import { readReferenced } from './read-referenced.ts'
import { schemaColumn, textOrUndefined } from './single.ts'

/** The filters of a query, before names are known to be fields. */
type NamedFilters = {
  filters: readonly Filter[]
  filter?: FilterExpression | undefined
  /** Other names that the query uses, which may follow references or be answers. */
  names?: readonly string[] | undefined
  /** The rows that the conditions on references may read. */
  budget?: RowBudget | undefined
}

/** The fields that a query may name, and the predicate of its filters. */
type QueryNames = { fields: QueryFields; predicate: Predicate | undefined }

/** The result of a read with the complete schema as JSON text, and the state that its first statement found. */
type FieldsResult<Result> = Found<{ result: Result; schema: string | undefined }>

/**
 * Resolves the names in a query to fields that the caller may see, then reads. `resolve` makes a query of the fields and
 * the predicate of the filters, and `read` sends it with the columns of `head` in its first statement.
 *
 * The fields depend on the organisation's schema and the key's restrictions, which only the database knows. To read
 * them first would cost a statement. So this assumes what the database last reported, and compares it with what the
 * read reports: if it differs, OutdatedAccessError makes `store.withPolicy` try again.
 */
export async function withFields<
  Resolved,
  Result extends Found<{ head: Row }>,
  U extends Unchanged = never,
>(
  store: Store,
  guard: QueryGuard,
  { schema: kind, record, findRecordType, derived: ofCollection }: FieldSources,
  filters: NamedFilters,
  resolve: (names: QueryNames) => Resolved,
  read: (
    resolved: Resolved,
    head: Record<string, SQL>,
    known: Known<NoInfer<U>> | undefined,
  ) => Promise<Result | NoInfer<U>>,
  known?: Known<U>,
): Promise<FieldsResult<Result> | U> {
  const { collection, policy } = guard
  const references = await findReferences(guard, filters, { record, findRecordType })
  const derived = visibleDerived(policy, collection, { record, derived: ofCollection })
  const person = [collection, ...references.map(({ to }) => to)].find(isKind)
  const { assumed, isCurrent } = assumeSchema(person ?? collection, store.organisationId)
  const schemaKind = kind ?? person
  const head: Record<string, SQL> = schemaKind
    ? { schema: schemaColumn(store.organisationId, schemaKind) }
    : {}
  const parseSchema = ({ schema: column }: Row) => {
    const schema = textOrUndefined(column)
    if (person && !isCurrent(schema)) throw new OutdatedAccessError()
    return schema
  }
  // Only current access and the current schema may decide that a name is unknown.
  const confirm = async <Value>(resolveNow: () => Value): Promise<Value> => {
    try {
      return resolveNow()
    } catch (error) {
      const { head: current } = await store.read(head, undefined, guard)
      parseSchema(current)
      throw error
    }
  }
  const { fields, filter } = await confirm(() =>
    resolveNames(guard, filters, assumed, { record, derived }, references),
  )
  const terms = { budget: filters.budget, known, derived }
  const referenced = filter && (await readReferenced(store, policy, filter, terms))
  if (referenced?.unchanged) return referenced
  const predicate = referenced?.predicate
  const resolved = await confirm(() => resolve({ fields, predicate }))
  const earlierState = referenced?.state
  // The conditions on references have compared the versions already.
  const rest =
    earlierState === undefined ? known : known?.head && { versions: [], head: known.head }
  const result = await read(resolved, head, rest)
  if (result.unchanged) return result
  return { result, schema: parseSchema(result.head), state: earlierState ?? result.state }
}

type FieldSources = Pick<ListSelection, 'schema' | 'record' | 'findRecordType' | 'derived'>

/** A reference that a filter follows, with the Zod type of a structured collection. */
type FollowedReference = NamedReference & { type: RecordProperties | undefined }

/** The references that the names of a filter begin with and that the policy shows. */
async function findReferences(
  { policy, collection }: QueryGuard,
  { filter, names: otherNames = [] }: NamedFilters,
  { record, findRecordType }: Pick<FieldSources, 'record' | 'findRecordType'>,
): Promise<FollowedReference[]> {
  const names = [...(filter ? namesIn(filter) : []), ...otherNames]
  if (names.length === 0 || !record || !findRecordType) return []
  const followed = visibleReferences(policy, collection, record()).filter((reference) =>
    names.some((name) => name.startsWith(`${reference.name}.`)),
  )
  return Promise.all(
    followed.map(async (reference) => ({ ...reference, type: await findRecordType(reference.to) })),
  )
}

function resolveNames(
  { policy, collection }: QueryGuard,
  { filters, filter, names = [] }: NamedFilters,
  schema: string | undefined,
  { record, derived }: Pick<ListSelection, 'record' | 'derived'>,
  references: readonly FollowedReference[],
): { fields: QueryFields; filter: ResolvedFilter | undefined } {
  const sources = { fields: fieldsIn(schema) }
  const properties = propertiesOf(collection, { ...sources, record })
  const fields = new Map([
    ...properties.queryFields(policy),
    ...(derived ? [derivedField(derived)] : []),
    ...references.flatMap((reference) => {
      const { to, type } = reference
      const { queryFields } = propertiesOf(to, { ...sources, record: () => type })
      return referencedFields(reference, queryFields(policy))
    }),
  ])
  const parts: ResolvedFilter[] = properties
    .limitFilters(policy, properties.matchSpellings(filters))
    .map((limit) => filterPredicate(limit, collection))
  if (filter) parts.push(resolveFilter(filter, fields))
  // Answers are not in the index, so no filter can name them.
  const answers = answerFields(properties.shown(policy), names)
  return {
    fields: answers.length > 0 ? new Map([...fields, ...answers]) : fields,
    filter: parts.length > 0 ? { and: parts } : undefined,
  }
}
