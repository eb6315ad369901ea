import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import type { Columns } from '../../../store/columns.ts'
import { type CollectionInfo, describeCollection } from '../../collection/collection-info.ts'
import { loadFilterFields } from '../../filters/filter-panel.tsx'
import { loadFilterProperties, namesReference } from '../../filters/filter-properties.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { collectionPath } from '../../ui/paths.ts'
import { readListPage } from './read-list.ts'
import { formatListView, type ListView, parseListView } from './view.ts'

/**
 * Loads the page of a list that the address names, with the columns of `head` in the same statement. A browser
 * without scripts sends the filter form with its empty fields: then the answer is the path without them.
 */
export async function loadList<H extends Columns>(c: Context<DashboardEnv>, name: string, head: H) {
  const collection = await describeCollection(c, name)
  const params = new URL(c.req.url).searchParams
  const isFilterPanelOpen = ['$panel', '$field', '$find'].some((parameter) => params.has(parameter))
  const properties = await loadFilterProperties(
    c,
    collection,
    isFilterPanelOpen ? () => true : namesReference(params),
  )
  const view = parseListView(params, collection, properties)
  if (!isFilterPanelOpen && hasEmptyConditions(params))
    return { shorterPath: collectionPath(c, name) + formatListView(view, collection) }
  const [list, fields] = await Promise.all([
    readListPage(c, collection, view, head),
    view.panel === 'filter' ? loadFilterFields(c, collection, view.filters, properties) : [],
  ])
  return { collection, view, properties, fields, list }
}

const hasEmptyConditions = (params: URLSearchParams) =>
  [...params].some(
    ([name, value]) => name.endsWith('~is') || (value === '' && /^\$|~[a-z]+$/.test(name)),
  )

/** The view that the address names, for an action on all its records. Throws 400 for a filter that it cannot apply: the action would concern more records than the person saw. */
export async function readView(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
): Promise<ListView> {
  const params = new URL(c.req.url).searchParams
  const properties = await loadFilterProperties(c, collection, namesReference(params))
  const view = parseListView(params, collection, properties)
  const [error] = view.errors
  if (error) throw new ApiError('BAD_REQUEST', `${error.name}: ${error.message}`)
  return view
}
