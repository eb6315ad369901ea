import type { Context } from 'hono'
import { describeCollection } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { loadFilterFields } from './filter-fields.ts'
import { loadFilterProperties, namesReference } from './filter-properties.ts'
import { readListPage } from './read-list.ts'
import { parseListView } from './view.ts'

/** Loads the page that the address names, without the list if a form sent fields that the address should omit. */
export async function loadList(c: Context<DashboardEnv>, name: string) {
  const collection = await describeCollection(c, name)
  const params = new URL(c.req.url).searchParams
  const isOpen = ['$panel', '$field', '$find'].some((parameter) => params.has(parameter))
  const properties = await loadFilterProperties(
    c,
    collection,
    isOpen ? () => true : namesReference(params),
  )
  const view = parseListView(params, collection, properties)
  // A form without a script also sends its empty fields.
  if (!isOpen && hasEmptyConditions(params)) return { collection, view, properties, fields: [] }
  const [list, fields] = await Promise.all([
    readListPage(c, collection, view),
    view.panel === 'filter' ? loadFilterFields(c, collection, view, properties) : [],
  ])
  return { collection, view, properties, fields, list }
}

const hasEmptyConditions = (params: URLSearchParams) =>
  [...params].some(
    ([name, value]) => name.endsWith('~is') || (value === '' && /^\$|~[a-z]+$/.test(name)),
  )
