import type { Context } from 'hono'
import type { CollectionInfo } from '../collection/collection-info.ts'
import type { ListFilter } from '../filters/filter.ts'
import { formatFilters, toFilterExpression } from '../filters/filters.ts'
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

/** A collection to check. */
export type Inspected = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  /** A day in UK time. */
  today: string
  /** Whether anybody of the organisation has a ward. Otherwise the operator has loaded no postcodes. */
  hasWards: () => Promise<boolean>
}

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
  /** Reads the ids of the first `maxListed` records; absent if they are not counted. */
  listIds?: () => Promise<readonly string[]>
}

/** The maximum number of records of a finding that a download lists. */
export const maxListed = 1000

/** The label and the list of the records that a filter finds. */
export const locate = (
  inspected: Inspected,
  filter: ListFilter,
): Required<Pick<Finding, 'label' | 'listIds'>> & Pick<Finding, 'href'> => {
  const { c, collection, today } = inspected
  return {
    label: `${collection.label}: ${filter.property.label}`,
    href: `${collectionPath(c, collection.name)}?${formatFilters([filter])}`,
    async listIds() {
      const options = { filter: toFilterExpression([filter], today), orderBy: [], isCounted: false }
      const query = { limit: maxListed, offset: 0, filters: [], options }
      const { documents } = await collection.list.page(c.var.store, query)
      return documents().map((document) => String(JSON.parse(document)[collection.id]))
    },
  }
}
