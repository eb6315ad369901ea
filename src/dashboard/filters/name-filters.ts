import type { Context } from 'hono'
import { recordNoun } from '../../model/collection.ts'
import { loadDistinctTitles } from '../records/list/linked-titles.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { FilterProperty, ListFilter } from './filter.ts'
import { findReferenced } from './value-source.ts'

/** The titles of the records that some values of a property refer to, by id; none for a property that is no reference. */
export async function loadValueTitles(
  c: Context<DashboardEnv>,
  collection: string,
  property: Pick<FilterProperty, 'name'>,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const to = findReferenced(collection, property)
  const ids = to ? values.filter((id) => id !== '') : []
  if (!to || ids.length === 0) return new Map()
  const titles = await loadDistinctTitles(c, to, ids)
  const unknown = `Unknown ${recordNoun(to)}`
  return new Map(ids.map((id) => [id, titles.get(id) ?? unknown]))
}

/** Filters with the titles of the records that they name, so that their words have no ids. */
export const nameFilters = (
  c: Context<DashboardEnv>,
  collection: string,
  filters: readonly ListFilter[],
): Promise<ListFilter[]> =>
  Promise.all(
    filters.map(async (filter) => ({
      ...filter,
      titles: await loadValueTitles(c, collection, filter.property, filter.values),
    })),
  )
