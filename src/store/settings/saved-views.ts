import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError, invalidField } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection.ts'
import { messages } from '../../model/validation-error.ts'
import { nameActor } from '../audit-entry.ts'
import { json, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/** A list or report saved under a name, shared within the organisation. */
export type SavedView = {
  id: string
  /** The page's address below the organisation, such as `records/members`. */
  page: string
  name: string
  /** The query string of the page, without `?`. */
  query: string
  created: string
  createdBy: string
}

/** The name and query of a view, and its page. */
type ViewInput = Pick<SavedView, 'page' | 'name' | 'query'>

/** The maximum numbers of views in an organisation, and of characters in a name and a query. */
export const maxViews = 200
export const maxNameLength = 80
export const maxQueryLength = 4000

/** The page of a report, below the organisation. */
export const reportPage = 'reports/view'

/** The page of a collection's list, below the organisation. */
export const listPageOf = (collection: string) => `records/${collection}`

/** The pages that people can save. */
export const viewPages: readonly string[] = [reportPage, ...collectionNames.map(listPageOf)]

/** The parameters that say where a page of a list starts, and which view it shows. */
const cursorParameters = ['$offset', '$after', '$skiptoken', '$view']

const columns = {
  id: text(sql`id`),
  page: text(sql`page`),
  name: text(sql`name`),
  query: text(sql`query`),
  created: text(sql`created`),
  createdBy: text(sql`created_by`),
}

async function readViews(store: Store, condition: SQL): Promise<SavedView[]> {
  const from = sql`FROM saved_views WHERE ${ofOrganisation(store)} AND ${condition}
    ORDER BY created, id`
  const { rows } = await store.select({ rows: { columns, from } })
  return rows
}

/** The saved views of a page, oldest first. */
export const listSavedViews = (store: Store, page: string): Promise<SavedView[]> =>
  readViews(store, sql`page = ${page}`)

/** The saved views of all pages, oldest first. */
export const listAllSavedViews = (store: Store): Promise<SavedView[]> => readViews(store, sql`true`)

/** The saved views of a page, oldest first, as a column of another read. */
export const savedViewsColumn = (store: Store, page: string) =>
  json<SavedView[]>(sql`(
  SELECT json_group_array(json_object('id', id, 'page', page, 'name', name, 'query', query,
    'created', created, 'createdBy', created_by) ORDER BY created, id)
  FROM saved_views WHERE ${ofOrganisation(store)} AND page = ${page})`)

/** Reads a saved view, or throws 404. */
export async function requireSavedView(store: Store, id: string): Promise<SavedView> {
  const [view] = await readViews(store, sql`id = ${id}`)
  if (!view) throw noView()
  return view
}

/**
 * Saves a view and returns its id. Throws 400 for a name or query that is too long, a name that
 * another view of the page has, and more than 200 views in the organisation.
 */
export async function createSavedView(
  store: Store,
  { page, ...input }: ViewInput,
): Promise<string> {
  const { organisationId, credential } = store
  const id = crypto.randomUUID()
  const name = parseViewName(input.name)
  const query = formatViewQuery(input.query)
  const created = new Date().toISOString()
  const { rows } = await store.write(writeTerms, [
    sql`INSERT INTO saved_views (organisation_id, id, page, name, query, created, created_by)
      SELECT ${organisationId}, ${id}, ${page}, ${name}, ${query}, ${created}, ${nameActor(credential.author)}
      WHERE (SELECT count(*) FROM saved_views WHERE ${ofOrganisation(store)}) < ${maxViews}
      ON CONFLICT DO NOTHING
      RETURNING id`,
  ])
  if (rows.length > 0) return id
  if ((await listSavedViews(store, page)).some((view) => view.name === name)) throw nameTaken()
  throw new ApiError('CONFLICT', `An organisation can save ${maxViews} views. Delete one first.`)
}

/** Changes the name or query of a saved view. Throws 400 like `createSavedView`, 404 for an unknown view. */
export async function changeSavedView(
  store: Store,
  id: string,
  changes: { name: string } | { query: string },
): Promise<void> {
  const assignment =
    'name' in changes
      ? sql`name = ${parseViewName(changes.name)}`
      : sql`query = ${formatViewQuery(changes.query)}`
  const { rows } = await store.write(writeTerms, [
    sql`UPDATE OR IGNORE saved_views SET ${assignment}
      WHERE ${ofOrganisation(store)} AND id = ${id} RETURNING id`,
  ])
  if (rows.length > 0) return
  await requireSavedView(store, id)
  throw nameTaken()
}

/** Deletes a saved view, if it exists. */
export async function deleteSavedView(store: Store, id: string): Promise<void> {
  await store.write(writeTerms, [
    sql`DELETE FROM saved_views WHERE ${ofOrganisation(store)} AND id = ${id}`,
  ])
}

const writeTerms = { permissions: ['write'], isInternal: true } as const

function parseViewName(text: string): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', 'required', messages.notEmpty)
  if ([...name].length > maxNameLength)
    throw invalidField('name', 'too_long', messages.maxCharacters(maxNameLength))
  return name
}

/** The query string without a cursor, encoded again, so that it is safe in a link. */
function formatViewQuery(text: string): string {
  const params = new URLSearchParams(text)
  for (const name of cursorParameters) params.delete(name)
  const query = params.toString()
  if (query.length > maxQueryLength)
    throw invalidField('query', 'too_long', messages.maxCharacters(maxQueryLength))
  return query
}

const noView = () => new ApiError('NOT_FOUND', 'There is no saved view with this address.')

const nameTaken = () =>
  invalidField('name', 'not_unique', 'is the name of another view. Choose another name.')
