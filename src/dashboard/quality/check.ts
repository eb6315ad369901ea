import type { Context } from 'hono'
import type { CollectionInfo } from '../collection/collection-info.ts'
import type { ListFilter } from '../filters/filter.ts'
import { formatFilters } from '../filters/filters.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath } from '../ui/paths.ts'

/** A problem that records can have. */
export type Check = {
  title: string
  /** The problem with its number, such as "3 dates in the future". */
  describe(count: number): string
  explanation: string
  /** Whether the problem changes the numbers of reports. */
  changesReports?: true
  /** Looks for the problem in a collection. Returns a finding for each place of it. */
  find(inspected: Inspected): Promise<Finding[]>
}

/** A collection to check. `today` is a day in UK time. */
export type Inspected = { c: Context<DashboardEnv>; collection: CollectionInfo; today: string }

/** The records with a problem. */
export type Finding = {
  /** The place of the problem, such as "Members: Gender". */
  label: string
  /** Undefined if there are too many records to count them. */
  count: number | undefined
  /** The page that shows them; undefined without such a page, or if the user may not open it. */
  href: string | undefined
  /** A limit of the count or the list. */
  note?: string | undefined
}

/** The label and the list of the records that a filter finds. */
export const locate = (
  { c, collection: { name, label } }: Inspected,
  filter: ListFilter,
): Pick<Finding, 'label' | 'href'> => ({
  label: `${label}: ${filter.property.label}`,
  href: `${collectionPath(c, name)}?${formatFilters([filter])}`,
})
