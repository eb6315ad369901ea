import { type SQL, sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { collectionNames } from '../../model/collection.ts'
import { matchFilters } from '../bitmap/matches.ts'
import { json, text } from '../columns.ts'
import { organisationColumn } from '../fragments.ts'
import type { Store } from '../store.ts'

/** The organisation's name, and the number of visible records in each visible collection. */
type OrganisationSummary = { name: string; totals: { collection: string; records: number }[] }

/** Reads what a key can see of the organisation, from the index alone. */
export const readOrganisationSummary = (store: Store): Promise<OrganisationSummary> =>
  store.withPolicy(async (policy) => {
    const collections = collectionNames.filter((name) => policy.allowsCollection(name))
    const counts = collections.map((collection) => countVisible(store, policy, collection))
    const { head } = await store.select({
      head: {
        name: text(organisationColumn(store, 'name')),
        counts: json<number[]>(sql`json_array(${sql.join(counts, sql`, `)})`),
      },
      policy,
    })
    const totals = collections.map((collection, index) => ({
      collection,
      records: head.counts[index] ?? 0,
    }))
    return { name: head.name, totals }
  })

function countVisible({ organisationId }: Store, policy: AccessPolicy, collection: string): SQL {
  const filters = policy.hiddenRecords(collection).map(({ visible }) => visible)
  const { with: clause, total } = matchFilters({ organisationId, collection }, filters)
  return sql`(WITH ${clause} SELECT ${total})`
}
