import type { Context } from 'hono'
import { pageMemory, textBytes } from '../../../formats/page-memory.ts'
import {
  type ApiError,
  CostlyQueryError,
  invalidField,
  isErrorOf,
} from '../../../model/api-error.ts'
import { kinds } from '../../../model/properties/schema.ts'
import type { FilterExpression } from '../../../model/query/filter-expression.ts'
import type { Position, QueryOptions } from '../../../model/query/query-options.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { searchPeople } from '../../../records/search/search-people.ts'
import { canonicalAddress, pageKey, recall } from '../../../resources/routes/recall.ts'
import { readAttendance } from '../../../sign-up/who-came.ts'
import { type Columns, decodeRow, optional, type Selected, text } from '../../../store/columns.ts'
import { formatNextCursor, parseCursorOfPerson } from '../../../store/cursors.ts'
import { schemaColumn, textOrUndefined } from '../../../store/read/single.ts'
import {
  assumeSeries,
  readSeries,
  rememberSeries,
  seriesColumn,
} from '../../../store/sign-up/series.ts'
import type { Found, Known, Unchanged } from '../../../store/state.ts'
import type { Row } from '../../../store/statement.ts'
import type { Store } from '../../../store/store.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import { toFilterExpression } from '../../filters/filters.ts'
import { resolveAttendance } from '../../filters/find-attendance.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { describeAttendance } from '../record/bookings.tsx'
import { type LinkedTitles, loadLinkedTitles } from './linked-titles.ts'
import type { ListView } from './view.ts'

/** Whether the people of bookings came, in words by booking id. */
export type AttendanceWords = ReadonlyMap<string, string>

/** What the database has for a page of a list. */
type ListContent = {
  /** JSON texts */
  documents: readonly string[]
  titles: LinkedTitles
  attendance: AttendanceWords
  /** The number of records that pass the filters, and of all records. */
  matching: number
  total: number
  /** The `$skiptoken` of the next page; undefined on the last one. */
  next: string | undefined
  /** The schema of a list of people, as JSON. */
  schema: string | undefined
}

/** A page of a list. */
export type ListedRecords = Omit<ListContent, 'documents'> & {
  records: readonly ShownValues[]
  /** Why the filters cannot be applied, with advice. */
  problem: string | undefined
}

/** The content of a page with its records, and the values of the head. */
type ReadContent = { content: ListContent; records: readonly ShownValues[]; head: Row }

const parseRecords = (documents: readonly string[]) =>
  documents.map((document): ShownValues => JSON.parse(document))

const listPages = pageMemory.pagesOf<ListContent>('list', (content) => {
  const { documents, titles, attendance, schema = '' } = content
  const titleTexts = [...titles.values()].flatMap(({ titles }) => [...titles].flat())
  const texts = [schema, ...documents, ...titleTexts, ...[...attendance].flat()]
  return texts.reduce((bytes, text) => bytes + textBytes(text), 0)
})

/** The most people that a search in a list finds. */
const maxFound = 1000

/**
 * Reads the page of a view, and in the same statement the values of a head, which are not remembered. A query that
 * costs too much is a problem to show beside the filters.
 */
export async function readListPage<H extends Columns>(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
  head: H,
): Promise<ListedRecords & { head: Selected<H> }> {
  const { store } = c.var
  try {
    const { content, records, head: row } = await recallContent(c, collection, view, head)
    const { documents: _, ...page } = content
    store.countReturned(collection.name, records.length)
    return { ...page, head: decodeRow(head, row), records, problem: undefined }
  } catch (error) {
    if (!isErrorOf(error, 'BAD_REQUEST')) throw error
    const listed = leavesOutSeries(collection, view)
      ? withoutSeries(await readSeries(store))
      : undefined
    const columns = { ...head, ...schemaColumns(store, collection) }
    const { total, row } = await countRecords(store, collection, listed, columns)
    return {
      head: decodeRow(head, row),
      records: [],
      titles: new Map(),
      attendance: new Map(),
      matching: 0,
      total,
      next: undefined,
      schema: textOrUndefined(row.schema),
      problem: describeProblem(error),
    }
  }
}

/** Takes the content of a page from the page memory if no record has changed since; otherwise reads it. */
async function recallContent(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
  head: Columns,
): Promise<ReadContent> {
  const { store } = c.var
  const conditions = await findConditions(c, collection, view)
  const after =
    view.token === undefined
      ? undefined
      : await parseCursorOfPerson<Position>(cursorScope(store, collection, view), view.token)
  const series = leavesOutSeries(collection, view) ? await assumeSeries(store) : undefined
  const read = <U extends Unchanged>(known: Known<U>) =>
    readContent(c, collection, view, { conditions, after, series }, known)
  const readAnew = () => read<never>({ versions: [], head })
  // The state would be newer than what the request has already read.
  if (store.isVerified) return readAnew()
  const address = canonicalAddress(c.req.url)
  const dependsOnDay = view.filters.length > 0 || hasAttendance(collection, view.columns)
  // A new isolate takes 25 ms to load the time zone.
  const day = dependsOnDay ? londonDay(Date.now()) : ''
  const keyOfPage = () => pageKey(c.env, store, address, day)
  const { found, remembered } = await recall(listPages, keyOfPage, read<Unchanged>, { head })
  if (found.unchanged && remembered) {
    const records = parseRecords(remembered.documents)
    return { content: remembered, records, head: found.head }
  }
  const { state, ...page } = found.unchanged ? await readAnew() : found
  const { content } = page
  // The deletion of an old sign-up ends its waiting, and changes no record.
  const isSettled = !content.attendance.values().some((words) => words === waitingWords)
  if (isSettled) listPages.set(keyOfPage(), { state, content })
  return page
}

const waitingWords = describeAttendance('waiting')

/** Where a page starts, and the conditions of its records with the series that a list of events leaves out. */
type ContentQuery = {
  conditions: readonly (FilterExpression | undefined)[]
  after: Position | undefined
  series: string | undefined
}

/** Reads the content of a page, unless the organisation is in a known version. */
async function readContent<U extends Unchanged>(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
  query: ContentQuery,
  known: Known<U>,
): Promise<Found<ReadContent> | U> {
  const { store } = c.var
  const { conditions, after, series } = query
  const listed = series === undefined ? undefined : withoutSeries(JSON.parse(series))
  const options = queryOptions(view, [listed, ...conditions])
  const head = {
    ...schemaColumns(store, collection),
    ...(series !== undefined && { series: seriesColumn(store) }),
  }
  const page = await collection.list.page<U>(
    store,
    {
      limit: view.size,
      offset: after ? 0 : view.offset,
      filters: [],
      head,
      options: { ...options, after },
    },
    known,
  )
  if (page.unchanged) return page
  const reported = textOrUndefined(page.head.series)
  if (reported !== undefined && reported !== series) {
    const current = { ...query, series: rememberSeries(store, reported) }
    return readContent(c, collection, view, current, { ...known, versions: [] })
  }
  const documents = page.documents()
  const records = parseRecords(documents)
  const count = async (condition?: FilterExpression) =>
    (await countRecords(store, collection, condition)).total
  // After the page, so that none of them is older than its state.
  const [titles, attendance, matching, total, next] = await Promise.all([
    loadLinkedTitles(c, collection, view.columns, records),
    loadAttendance(c, collection, view.columns, records),
    after ? count(options.filter) : (page.total ?? 0),
    hasConditions(view) ? count(listed) : undefined,
    formatNextCursor(cursorScope(store, collection, view), page),
  ])
  const schema = textOrUndefined(page.head.schema)
  return {
    content: { documents, titles, attendance, matching, total: total ?? matching, next, schema },
    records,
    state: page.state,
    head: page.head,
  }
}

/** Whether a column shows if the people of bookings came. */
const hasAttendance = ({ name }: CollectionInfo, columns: readonly string[]) =>
  name === 'bookings' && columns.includes('attending')

/** Whether the people of bookings came, in words by booking id, if a column shows it. */
export async function loadAttendance(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  columns: readonly string[],
  records: readonly ShownValues[],
): Promise<AttendanceWords> {
  if (!hasAttendance(collection, columns)) return new Map()
  const attendance = await readAttendance(c.var.store, records, londonDay(Date.now()))
  return new Map([...attendance].map(([id, known]) => [id, describeAttendance(known)]))
}

const hasConditions = ({ search, filters }: ListView) => search !== '' || filters.length > 0

/** The query that a cursor of a list belongs to. */
const cursorScope = (store: Store, { name }: CollectionInfo, view: ListView) => ({
  store,
  query: ['dashboard', name, view.search, view.filters, view.order],
})

/** The column with the schema of a list of people. */
const schemaColumns = ({ organisationId }: Store, { kind }: CollectionInfo): Columns =>
  kind ? { schema: optional(text(schemaColumn(organisationId, kind))) } : {}

/** Counts the records that pass a condition, and reads the values of a head. */
async function countRecords(
  store: Store,
  { list }: CollectionInfo,
  filter: FilterExpression | undefined,
  head?: Columns,
) {
  const options = { filter, orderBy: [], isCounted: true }
  const query = { limit: 0, offset: 0, filters: [], head, options }
  const { total = 0, head: row } = await list.page(store, query)
  return { total, row }
}

/** Whether a list leaves out series: that of events does, unless a filter asks how events repeat. */
const leavesOutSeries = ({ name }: CollectionInfo, { filters }: ListView) =>
  name === 'events' && !filters.some(({ property }) => property.name.startsWith('recurrence.'))

/** The condition that leaves out some series; undefined for none. */
function withoutSeries(ids: Iterable<string>): FilterExpression | undefined {
  const literals = Array.from(ids, (value) => ({ type: 'text', value }) as const)
  return literals.length > 0 ? { not: { name: 'eventId', literals } } : undefined
}

/** The query options of a view: the search, the filters and the order. */
export async function buildOptions(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
): Promise<QueryOptions> {
  const listed = leavesOutSeries(collection, view)
    ? withoutSeries(await readSeries(c.var.store))
    : undefined
  return queryOptions(view, [listed, ...(await findConditions(c, collection, view))])
}

function queryOptions(
  { order }: ListView,
  possible: readonly (FilterExpression | undefined)[],
): QueryOptions {
  const conditions = possible.filter((condition) => condition !== undefined)
  return {
    filter: conditions.length > 1 ? { and: conditions } : conditions[0],
    orderBy: order ? [order] : [],
    isCounted: true,
  }
}

/** The conditions of a view's search and filters. */
const findConditions = async (
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  { search, filters }: ListView,
) => [
  search ? await buildSearch(c, collection, search) : undefined,
  // A new isolate takes 25 ms to load the time zone.
  filters.length > 0 ? await findFiltered(c, filters, londonDay(Date.now())) : undefined,
]

const findFiltered = async (
  { var: { store } }: Context<DashboardEnv>,
  filters: ListView['filters'],
  today: string,
) => toFilterExpression(await resolveAttendance(store, filters, today), today)

/** The condition of a search: people by their details, other records by a part of their texts. */
async function buildSearch(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  text: string,
): Promise<FilterExpression> {
  const { kind, fields, searched } = collection
  if (kind) {
    const { total, read } = await searchPeople(c.var.store, { kind, fields }, text)
    if (total > maxFound)
      throw invalidField(
        '$search',
        'too_large',
        `${formatNumber(total)} people match. Type more of the name, to find at most ${formatNumber(maxFound)}.`,
      )
    const people = await read(0, maxFound)
    return {
      name: kinds[kind].id,
      literals: people.map(({ id }) => ({ type: 'text', value: id })),
    }
  }
  const literal = { type: 'text', value: text } as const
  return {
    or: searched.map((property) => ({
      name: property,
      operator: 'contains',
      literal,
      fieldFunction: 'tolower',
    })),
  }
}

/** Why a query was refused, without the name of a parameter; for a costly one the advice alone. */
function describeProblem(error: ApiError): string {
  if (error instanceof CostlyQueryError) return error.advice
  return error.errors[0]?.message ?? error.message
}
