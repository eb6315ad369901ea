import { type SQL, sql } from 'drizzle-orm/sql'
import { hasPermissions } from '../../access/credential.ts'
import { ApiError, invalidField } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection.ts'
import { messages } from '../../model/validation-error.ts'
import { actorOf } from '../audit-log.ts'
import type { Row } from '../statement.ts'
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
export const [maxViews, maxNameLength, maxQueryLength] = [200, 80, 4000]

/** The page of a report, below the organisation. */
export const reportPage = 'reports/view'

/** Returns the page of a collection's list, below the organisation. */
export const listPageOf = (collection: string) => `records/${collection}`

/** The pages that people can save. */
export const viewPages: readonly string[] = [reportPage, ...collectionNames.map(listPageOf)]

/** The parameters that say where a page of a list starts, and which view it shows. */
const cursorParameters = ['$offset', '$after', '$skiptoken', '$view']

const viewColumns = ['id', 'page', 'name', 'query', 'created', 'createdBy']

const selectViews = ({ organisationId }: Store, condition: SQL) => ({
  columns: viewColumns,
  rows: sql`SELECT id, page, name, query, created, created_by AS createdBy
    FROM saved_views WHERE organisation_id = ${organisationId} AND ${condition}
    ORDER BY created, id`,
})

const toView = (row: Record<string, unknown>): SavedView => ({
  id: String(row.id),
  page: String(row.page),
  name: String(row.name),
  query: String(row.query),
  created: String(row.created),
  createdBy: String(row.createdBy),
})

/** Returns the saved views of a page, oldest first. */
export async function listSavedViews(store: Store, page: string): Promise<SavedView[]> {
  const rows = await store.rows(selectViews(store, sql`page = ${page}`))
  return rows.map(toView)
}

/** Returns the saved views of all pages, oldest first. */
export const listAllSavedViews = async (store: Store): Promise<SavedView[]> =>
  (await store.rows(selectViews(store, sql`true`))).map(toView)

/** Returns SQL for the saved views of a page as JSON, oldest first, for `parseSavedViews`. */
export const savedViewsColumn = ({ organisationId }: Store, page: string): SQL => sql`(
  SELECT json_group_array(json_object('id', id, 'page', page, 'name', name, 'query', query,
    'created', created, 'createdBy', created_by) ORDER BY created, id)
  FROM saved_views WHERE organisation_id = ${organisationId} AND page = ${page})`

export const parseSavedViews = (column: Row[string] | undefined): SavedView[] =>
  JSON.parse(String(column ?? '[]'))

/** Returns a saved view, or throws 404. */
export async function requireSavedView(store: Store, id: string): Promise<SavedView> {
  const [row] = await store.rows(selectViews(store, sql`id = ${id}`))
  if (!row) throw noView()
  return toView(row)
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
  const [name, query] = [parseViewName(input.name), formatViewQuery(input.query)]
  const created = new Date().toISOString()
  const { rows } = await store.transact(writeGuard, {}, [
    sql`INSERT INTO saved_views (organisation_id, id, page, name, query, created, created_by)
      SELECT ${organisationId}, ${id}, ${page}, ${name}, ${query}, ${created}, ${actorOf(credential.author)}
      WHERE ${hasPermissions(credential, ['write'])}
        AND (SELECT count(*) FROM saved_views WHERE organisation_id = ${organisationId}) < ${maxViews}
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
  const { organisationId, credential } = store
  const assignment =
    'name' in changes
      ? sql`name = ${parseViewName(changes.name)}`
      : sql`query = ${formatViewQuery(changes.query)}`
  const { rows } = await store.transact(writeGuard, {}, [
    sql`UPDATE OR IGNORE saved_views SET ${assignment}
      WHERE organisation_id = ${organisationId} AND id = ${id}
        AND ${hasPermissions(credential, ['write'])}
      RETURNING id`,
  ])
  if (rows.length > 0) return
  await requireSavedView(store, id)
  throw nameTaken()
}

/** Deletes a saved view, if it exists. */
export async function deleteSavedView(store: Store, id: string): Promise<void> {
  const { organisationId, credential } = store
  await store.transact(writeGuard, {}, [
    sql`DELETE FROM saved_views WHERE organisation_id = ${organisationId} AND id = ${id}
      AND ${hasPermissions(credential, ['write'])}`,
  ])
}

const writeGuard = { permissions: ['write'] } as const

function parseViewName(text: string): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', 'required', messages.notEmpty)
  if ([...name].length > maxNameLength)
    throw invalidField('name', 'too_long', messages.maxCharacters(maxNameLength))
  return name
}

/** Returns the query string without a cursor, encoded again, so that it is safe in a link. */
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
