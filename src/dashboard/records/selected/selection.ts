import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import { valueAt } from '../../../model/json.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import type { ListQuery } from '../../../resources/routes/list-source.ts'
import {
  type CollectionInfo,
  recordTitle,
  type ShownValues,
} from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { readView } from '../list/load-list.ts'
import { buildOptions } from '../list/read-list.ts'
import type { ListView } from '../list/view.ts'

/** The fields of a submitted form. */
export type SubmittedFields = Readonly<Record<string, unknown>>

/** The maximum numbers of records that an action changes and deletes at once. */
export const maxChanged = 1000
export const maxDeleted = 250

const pageSize = 250

/** The ids of the checked records. Throws 400 without any. */
export function readIds(fields: SubmittedFields): string[] {
  const ids = [...new Set([fields.id ?? []].flat().map(String))]
  if (ids.length === 0) throw new ApiError('BAD_REQUEST', 'Select at least one record.')
  return ids
}

/** The number of all records that a view shows. */
export async function countView(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
): Promise<number> {
  const options = await buildOptions(c, collection, view)
  const query = { limit: 0, offset: 0, filters: [], options: { ...options, orderBy: [] } }
  return (await collection.list.page(c.var.store, query)).total ?? 0
}

/** The ids that an action concerns: the checked ones, or with `scope=all` all that the view shows. Throws 400 for too many. */
export async function resolveIds(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  fields: SubmittedFields,
  max: number,
): Promise<string[]> {
  const ids =
    fields.scope === 'all'
      ? await listIds(c, collection, await readView(c, collection), max)
      : readIds(fields)
  requireAtMost(ids.length, max)
  return ids
}

async function listIds(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  view: ListView,
  max: number,
): Promise<string[]> {
  const total = await countView(c, collection, view)
  requireAtMost(total, max)
  const options = await buildOptions(c, collection, view)
  const ids: string[] = []
  for (let offset = 0; offset < total; offset += pageSize)
    ids.push(
      ...(await loadValues(c, collection, { limit: pageSize, offset, filters: [], options })).map(
        (values) => String(valueAt(values, [collection.id])),
      ),
    )
  return ids
}

/** The names of records by id, as far as the records exist. */
export async function loadNames(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let start = 0; start < ids.length; start += pageSize) {
    const query = {
      limit: pageSize,
      offset: 0,
      filters: [],
      ids: ids.slice(start, start + pageSize),
    }
    for (const values of await loadValues(c, collection, query))
      names.set(String(values[collection.id]), recordTitle(collection, values))
  }
  return names
}

async function loadValues(
  c: Context<DashboardEnv>,
  { list }: CollectionInfo,
  query: ListQuery,
): Promise<ShownValues[]> {
  const page = await list.page(c.var.store, query)
  return page.documents().map((document): ShownValues => JSON.parse(document))
}

/** Throws 400 for more records than an action takes. */
export function requireAtMost(count: number, max: number): void {
  if (count <= max) return
  throw new ApiError(
    'BAD_REQUEST',
    `These are ${formatNumber(count)} records, and the action takes at most ${formatNumber(max)}. Filter the list, and repeat the action for each part.`,
  )
}
