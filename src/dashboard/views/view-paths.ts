import type { Context } from 'hono'
import type { SavedView } from '../../store/settings/saved-views.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { dashboardPath } from '../ui/paths.ts'

/** The parameter that names the saved view in a page's address. */
export const viewParameter = '$view'

/** Returns the address of a saved view. */
export const viewPath = (
  c: Context<DashboardEnv>,
  { page, query, id }: Pick<SavedView, 'page' | 'query' | 'id'>,
): string => `${dashboardPath(c, `/${page}`)}?${query && `${query}&`}${viewParameter}=${id}`

/** Returns the address of the form that saves a page's query under a name. */
export const newViewPath = (c: Context<DashboardEnv>, page: string, query: URLSearchParams) =>
  `${viewsPath(c)}/new?${new URLSearchParams({ page, query: query.toString() })}`

/** Returns the address of an action on a saved view. */
export const viewActionPath = (
  c: Context<DashboardEnv>,
  id: string,
  action: 'rename' | 'delete' | 'query',
) => `${viewsPath(c)}/${id}/${action}`

export const viewsPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/views')
