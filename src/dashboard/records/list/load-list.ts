import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import { isKind } from '../../../model/properties/schema.ts'
import type { Columns } from '../../../store/columns.ts'
import { assumeSchema } from '../../../store/read/list-selection.ts'
import { type CollectionInfo, describeCollection } from '../../collection/collection-info.ts'
import { loadFilterFields } from '../../filters/filter-panel.tsx'
import { loadFilterProperties, namesReference } from '../../filters/filter-properties.ts'
import { nameFilters } from '../../filters/name-filters.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { collectionPath } from '../../ui/paths.ts'
import { readListPage } from './read-list.ts'
import { formatListView, type ListView, parseListView } from './view.ts'

/**
 * Loads the page of a list that the address names, with the columns of `head` in the same statement.
 *
 * The columns, filters and order of people depend on their schema. To read it first would cost a statement. So this
 * assumes the schema that the database last reported, and loads the page again if the list reports another.
 */
export async function loadList<H extends Columns>(c: Context<DashboardEnv>, name: string, head: H) {
  const params = new URL(c.req.url).searchParams
  if (!isKind(name)) return loadPage(c, await describeCollection(c, name), params, head)
  const { assumed } = assumeSchema(name, c.var.store.organisationId)
  const load = async (schema?: string) =>
    loadPage(c, await describeCollection(c, name, schema), params, head)
  const loaded = await load(assumed)
  const { schema } = loaded.list
  return assumed === undefined || schema === assumed ? loaded : load(schema)
}

async function loadPage<H extends Columns>(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  params: URLSearchParams,
  head: H,
) {
  const properties = await loadFilterProperties(
    c,
    collection,
    isFilterPanelOpen(params) ? () => true : namesReference(params),
  )
  const view = parseListView(params, collection, properties)
  const [list, fields, filters] = await Promise.all([
    readListPage(c, collection, view, head),
    view.panel === 'filter' ? loadFilterFields(c, collection, view.filters, properties) : [],
    nameFilters(c, collection.name, view.filters),
  ])
  return { collection, view: { ...view, filters }, properties, fields, list }
}

/** The path of a list without the empty fields of the filter form, which a browser without scripts sends; undefined if the address has none. */
export async function findShorterPath(
  c: Context<DashboardEnv>,
  name: string,
): Promise<string | undefined> {
  const params = new URL(c.req.url).searchParams
  if (isFilterPanelOpen(params) || !hasEmptyConditions(params)) return undefined
  const collection = await describeCollection(c, name)
  const properties = await loadFilterProperties(c, collection, namesReference(params))
  const view = parseListView(params, collection, properties)
  return collectionPath(c, name) + formatListView(view, collection)
}

const isFilterPanelOpen = (params: URLSearchParams) =>
  ['$panel', '$field', '$find'].some((parameter) => params.has(parameter))

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
