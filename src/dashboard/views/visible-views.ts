import type { Context } from 'hono'
import type { SavedView } from '../../store/settings/saved-views.ts'
import type { FilterProperty } from '../filters/filter.ts'
import { parseListFilters } from '../filters/filters.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/**
 * The saved views of a page that a user sees. For somebody from whom fields are hidden, a view that searches, or
 * filters by other fields than `properties`, is left out: its address could hold a hidden value.
 */
export const visibleViews = (
  c: Context<DashboardEnv>,
  views: readonly SavedView[],
  properties: readonly FilterProperty[] = [],
): readonly SavedView[] =>
  c.var.store.policy.hidesFields
    ? views.filter(({ query }) => {
        const params = new URLSearchParams(query)
        return !params.has('$search') && parseListFilters(params, properties).errors.length === 0
      })
    : views
