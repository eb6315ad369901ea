import type { Context } from 'hono'
import {
  type ApiError,
  CostlyQueryError,
  invalidField,
  isErrorOf,
} from '../../../model/api-error.ts'
import { kinds } from '../../../model/properties/schema.ts'
import type { FilterExpression } from '../../../model/query/filter-expression.ts'
import type { Position } from '../../../model/query/query-options.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { searchPeople } from '../../../records/search/search-people.ts'
import type { ListQuery } from '../../../resources/routes/list-source.ts'
import { readAttendance } from '../../../sign-up/who-came.ts'
import { type Columns, decodeRow, type Selected } from '../../../store/columns.ts'
import { formatNextCursor, parseCursorOfPerson } from '../../../store/cursors.ts'
import { readSeries } from '../../../store/sign-up/series.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import { toFilterExpression } from '../../filters/filters.ts'
import { resolveAttendance } from '../../filters/find-attendance.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { describeAttendance } from '../record/bookings.tsx'
import { type LinkedTitles, loadLinkedTitles } from './linked-titles.ts'
import type { ListView } from './view.ts'

/** Whether the people of bookings came, in words by booking id. */
export type AttendanceWords = ReadonlyMap<string, string>

/** A page of a list. */
export type ListedRecords = {
  records: readonly ShownValues[]
  titles: LinkedTitles
  attendance: AttendanceWords
  /** The number of records that pass the filters, and of all records. */
  matching: number
  total: number
  /** The `$skiptoken` of the next page; undefined on the last one. */
  next: string | undefined
  /** Why the filters cannot be applied, with advice. */
  problem: string | undefined
}

/** The most people that a search in a list finds. */
const maxFound = 1000

/**
 * Reads the page of a view through the collection's API list, and in the same statement values of a head. A query that
 * costs too much is a problem to show beside the filters.
 */
export async function readListPage<H extends Columns>(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
  head: H,
): Promise<ListedRecords & { head: Selected<H> }> {
  const { list } = collection
  const { store } = c.var
  const listed = findListed(c, collection, view)
  const count = (filter?: FilterExpression, countHead?: H) =>
    list.page(store, {
      limit: 0,
      offset: 0,
      filters: [],
      head: countHead,
      options: { filter, orderBy: [], isCounted: true },
    })
  try {
    const options = await buildOptions(c, collection, view, listed)
    const { size: limit, offset, token } = view
    const query = ['dashboard', collection.name, view.search, view.filters, view.order]
    const scope = { store, query }
    const after =
      token === undefined ? undefined : await parseCursorOfPerson<Position>(scope, token)
    const [page, matched, all] = await Promise.all([
      list.page(store, {
        limit,
        offset: after ? 0 : offset,
        filters: [],
        head,
        options: { ...options, after },
      }),
      after && count(options.filter),
      hasConditions(view) ? count(await listed) : undefined,
    ])
    store.countReturned(collection.name, page.count)
    const records = page.documents().map((document): ShownValues => JSON.parse(document))
    const [titles, attendance] = await Promise.all([
      loadLinkedTitles(c, collection, view.columns, records),
      loadAttendance(c, collection, view.columns, records),
    ])
    const { total: matching = 0 } = matched ?? page
    return {
      head: decodeRow(head, page.head),
      records,
      titles,
      attendance,
      matching,
      total: all?.total ?? matching,
      problem: undefined,
      next: await formatNextCursor(scope, page),
    }
  } catch (error) {
    if (!isErrorOf(error, 'BAD_REQUEST')) throw error
    const { total = 0, head: row } = await count(await listed, head)
    const problem = describeProblem(error)
    return {
      head: decodeRow(head, row),
      records: [],
      titles: new Map(),
      attendance: new Map(),
      matching: 0,
      total,
      next: undefined,
      problem,
    }
  }
}

/** Whether the people of bookings came, in words by booking id, if a column shows it. */
export async function loadAttendance(
  c: Context<DashboardEnv>,
  { name }: CollectionInfo,
  columns: readonly string[],
  records: readonly ShownValues[],
): Promise<AttendanceWords> {
  if (name !== 'bookings' || !columns.includes('attending')) return new Map()
  const attendance = await readAttendance(c.var.store, records, londonDay(Date.now()))
  return new Map([...attendance].map(([id, known]) => [id, describeAttendance(known)]))
}

const hasConditions = ({ search, filters }: ListView) => search !== '' || filters.length > 0

/**
 * Finds the condition of all records of a list. The list of events leaves out series, unless a filter asks how events
 * repeat. Undefined if the list has all records of the collection.
 */
async function findListed(
  c: Context<DashboardEnv>,
  { name }: CollectionInfo,
  { filters }: ListView,
): Promise<FilterExpression | undefined> {
  if (name !== 'events' || filters.some((filter) => filter.property.name.startsWith('recurrence.')))
    return undefined
  const series = await readSeries(c.var.store)
  if (series.size === 0) return undefined
  const literals = [...series].map((value) => ({ type: 'text', value }) as const)
  return { not: { name: 'eventId', literals } }
}

/** The query options of a view: the search, the filters and the order. */
export async function buildOptions(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
  listed = findListed(c, collection, view),
): Promise<NonNullable<ListQuery['options']>> {
  const { search, filters, order } = view
  const conditions = [
    await listed,
    search ? await buildSearch(c, collection, search) : undefined,
    // A new isolate takes 25 ms to load the time zone.
    filters.length > 0 ? await findFiltered(c, filters, londonDay(Date.now())) : undefined,
  ].filter((condition) => condition !== undefined)
  return {
    filter: conditions.length > 1 ? { and: conditions } : conditions[0],
    orderBy: order ? [order] : [],
    isCounted: true,
  }
}

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
