import { type SQL, sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { fieldsIn, propertiesOf } from '../../access/collection-properties.ts'
import { CostlyQueryError } from '../../model/api-error.ts'
import type { Collection } from '../../model/collection.ts'
import type { Kind } from '../../model/properties/schema.ts'
import type { Position } from '../../model/query/query-options.ts'
import { maxRowsRead } from '../bitmap/matches.ts'
import { buildPage } from '../bitmap/page.ts'
import { cursorOf, type ExportCursor, type PageQuery } from '../bitmap/page-query.ts'
import { type Columns, expressionsOf, selectColumns, text } from '../columns.ts'
import { type Found, type Known, OutdatedAccessError, type Unchanged } from '../state.ts'
import type { QueryResult, Row, Scope } from '../statement.ts'
import type { Store } from '../store.ts'
import { readByIds } from './by-ids.ts'
import { exportLimit, exportRows, parseExportRows } from './export-page.ts'
import {
  addTimeColumns,
  assumeSchema,
  decodeListed,
  type ListedRow,
  type ListSelection,
  type ListTypes,
} from './list-selection.ts'
import { memberColumn, schemaColumn, textOrUndefined } from './single.ts'

/** What a list of records needs besides its query: the paths to omit, and the types of referenced records. */
type ListNeeds = { omitted?: readonly string[] } & Pick<ListSelection, 'findRecordType'>

/** A page of a list. Its `state` is empty unless the caller named known versions. */
type PageOf<Name extends string, Item> = Found<Record<Name, Item[]>> & {
  next: ExportCursor | Position | undefined
  total: number | undefined
  /** The schema that the policy shows, as JSON text. */
  schema: string | undefined
  /** The values of the query's `head`. */
  head: Row
}

export type RecordsPage = PageOf<'documents', string>
export type PeoplePage = PageOf<'people', ListedPerson>

type ListedPerson = { id: string; document: string; times: string }

/** A booking and its member's document, as JSON texts. */
type ListedBooking = {
  document: string
  memberId: string
  member: string | undefined
  times: string
}

/** Reads a page of documents as JSON text, without the paths in `omitted`, and the total. */
export async function readRecords<U extends Unchanged = never>(
  store: Store,
  collection: Collection,
  query: PageQuery,
  { omitted = [], findRecordType }: ListNeeds = {},
  known?: Known<U>,
): Promise<RecordsPage | NoInfer<U>> {
  const { name } = collection
  const selection = {
    columns: { document: text(documentWithout(omitted)) },
    record: () => collection.record,
    findRecordType,
  }
  const found = await readList(store, name, query, selection, known)
  if (found.unchanged) return found
  const { rows, ...page } = found
  const redact = store.policy.redactor(name, () => collection.item ?? collection.record)
  return {
    ...page,
    documents: rows.map(({ document, times }) => appendTimes(redact(document), times)),
  }
}

/**
 * Reads a page of people and their schema as JSON text. Counts the total only if `counted`: the
 * list of members has none, and with several filters a total would read every block.
 */
export async function readPeople<U extends Unchanged = never>(
  store: Store,
  kind: Kind,
  query: PageQuery,
  counted: boolean,
  known?: Known<U>,
): Promise<PeoplePage | NoInfer<U>> {
  const selection = {
    columns: { id: text(sql`records.id`), document: text(sql`records.document`) },
    schema: kind,
    counted,
  }
  const found = await readList(store, kind, query, selection, known)
  if (found.unchanged) return found
  const { rows, ...page } = found
  return { ...page, people: rows }
}

/** Reads a page of bookings with their members' documents and the members' schema. */
export async function readBookings<U extends Unchanged = never>(
  store: Store,
  { name, record }: Collection,
  query: PageQuery,
  { findRecordType, derived }: Omit<ListTypes, 'record'>,
  known?: Known<U>,
): Promise<PageOf<'bookings', ListedBooking> | NoInfer<U>> {
  const selection = {
    columns: {
      document: text(sql`records.document`),
      memberId: text(sql`records.member_id`),
      member: memberColumn(store),
    },
    record: () => record,
    findRecordType,
    derived,
    schema: 'members' as const,
  }
  const found = await readList(store, name, query, selection, known)
  if (found.unchanged) return found
  const { rows, ...page } = found
  const { policy } = store
  const redact = policy.redactor(name, () => record)
  const isLinked = policy.showsProperty('bookings', 'memberId')
  return {
    ...page,
    bookings: rows.map(({ document, memberId, member, times }) => ({
      document: redact(document),
      memberId: isLinked ? memberId : '',
      member: policy.visibleMember(member),
      times,
    })),
  }
}

/** Reads a page of the records that the credential may see, with the schema and the total or next cursor. */
const readList = <C extends Columns, U extends Unchanged>(
  store: Store,
  collection: string,
  query: PageQuery,
  selection: ListSelection<C>,
  known: Known<U> | undefined,
): Promise<PageOf<'rows', ListedRow<C>> | U> =>
  store.withPolicy(
    (policy, known) => readListWithPolicy(store, policy, collection, query, selection, known),
    // All pages of an export must have the same columns.
    { known, isResumed: typeof query.exportPosition === 'object' },
  )

async function readListWithPolicy<C extends Columns, U extends Unchanged>(
  store: Store,
  policy: AccessPolicy,
  collection: string,
  query: PageQuery,
  selection: ListSelection<C>,
  known: Known<U> | undefined,
): Promise<PageOf<'rows', ListedRow<C>> | U> {
  const { organisationId } = store
  const guard = { permissions: ['read'], collection, policy } as const
  if (query.ids) return readByIds(store, guard, query.ids, selection)
  if (query.options) {
    // Most lists have no query options, and need none of the code that plans such queries.
    const { readListWithOptions } = await import('./list-with-options.ts')
    return readListWithOptions(store, guard, query, query.options, selection, known)
  }
  const { assumed, isCurrent } = assumeSchema(collection, organisationId)
  const properties = propertiesOf(collection, {
    fields: fieldsIn(assumed),
    record: selection.record,
  })
  const filters = properties.limitFilters(policy, query.filters)
  const { head, body, parse } = buildList(
    { organisationId, collection },
    { ...query, filters },
    selection,
  )
  const result = await store.read(head, body, guard, known)
  if (result.unchanged) return result
  const { rows, schema, ...page } = parse(result)
  if (properties.schema && filters !== query.filters && !isCurrent(schema))
    throw new OutdatedAccessError()
  rejectCostlyQuery(result.head)
  return {
    ...page,
    rows: decodeListed(selection.columns, rows),
    head: result.head,
    state: result.state,
    schema: selection.schema && policy.redactSchema(selection.schema, schema),
  }
}

/** The head and body of a list query, and a function that parses the result. */
function buildList(scope: Scope, query: PageQuery, selection: ListSelection) {
  const { schema, counted = true } = selection
  const columns = addTimeColumns(selection.columns, query)
  const names = Object.keys(columns)
  const cursor = query.exportPosition === 'first' ? 'first' : cursorOf(query)
  const limit = cursor ? exportLimit(cursor, query.limit) : query.limit
  const isCounted = counted && !cursor
  const page = buildPage(scope, { ...query, limit }, isCounted)
  const { from, total, next, cost, sortKey, with: clause } = page
  const rows = cursor
    ? exportRows(
        names,
        sql`SELECT ${selectColumns(columns)}, ${sortKey} AS sort_key ${from}`,
        limit,
      )
    : sql`SELECT ${selectColumns(columns)} ${from}`
  const head = {
    ...expressionsOf(query.head ?? {}),
    ...(cursor ? { next } : isCounted && { total }),
    ...(schema && { schema: schemaColumn(scope.organisationId, schema) }),
    ...(cost && { cost }),
  }
  return { head, body: { columns: names, with: clause, rows }, parse }

  function parse({ head, rows }: QueryResult): {
    rows: Row[]
    next: ExportCursor | undefined
    schema: string | undefined
    total: number | undefined
  } {
    return {
      ...(cursor
        ? parseExportRows(cursor, names, rows, numberOrUndefined(head.next))
        : { rows, next: undefined }),
      schema: textOrUndefined(head.schema),
      // An empty collection has no count.
      total: head.total === undefined ? undefined : Number(head.total),
    }
  }
}

/** Throws 400 if the query would read more rows than `maxRowsRead`. */
function rejectCostlyQuery({ cost }: Row): void {
  if (Number(cost ?? 0) <= maxRowsRead) return
  throw new CostlyQueryError(
    maxRowsRead,
    'Use fewer filters, a filter that fewer records pass, or a shorter range of time; /changes has everything in order of change.',
  )
}

/** SQL for a record's document without these JSON paths. */
const documentWithout = (paths: readonly string[]): SQL =>
  paths.length === 0
    ? sql`records.document`
    : sql`json_remove(records.document, ${sql.join(
        paths.map((path) => sql`${path}`),
        sql`, `,
      )})`

/** Appends times, as trailing JSON properties, to a document. */
export const appendTimes = (document: string, times: string) =>
  times === '' ? document : `${document.slice(0, -1)}${document === '{}' ? times.slice(1) : times}}`

const numberOrUndefined = (value: Row[string] | undefined) =>
  value === null || value === undefined ? undefined : Number(value)
