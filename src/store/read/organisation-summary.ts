import { sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { collectionNames } from '../../model/collection.ts'
import type { Store } from '../store.ts'

/** The organisation's name, and the number of visible records in each visible collection. */
type OrganisationSummary = { name: string; totals: { collection: string; records: number }[] }

/** Reads what a key can see of the organisation, from the index alone. */
export const readOrganisationSummary = (store: Store): Promise<OrganisationSummary> =>
  store.withPolicy(async (policy) => {
    const { head, rows } = await store.read(
      { name: sql`(SELECT name FROM organisations WHERE id = ${store.organisationId})` },
      { columns: ['collection', 'records'], rows: countVisible(store, policy) },
      { permissions: ['read'], policy },
    )
    return {
      name: String(head.name),
      totals: rows.map(({ collection, records }) => ({
        collection: String(collection),
        records: Number(records),
      })),
    }
  })

/** Returns SQL for the numbers of records. A key without private notes counts the notes of `isPrivate: false`. */
function countVisible(store: Store, policy: AccessPolicy) {
  const visible = collectionNames.filter((name) => policy.allowsCollection(name))
  const terms = visible.map((collection) => ({
    collection,
    ...(policy.hidesNotes && collection === 'case-notes'
      ? { field: 'isPrivate', value: '00' }
      : { field: '', value: '' }),
  }))
  return sql`SELECT item.value ->> '$.collection' AS collection, coalesce((
      SELECT count FROM terms WHERE organisation_id = ${store.organisationId}
        AND collection = item.value ->> '$.collection' AND field = item.value ->> '$.field'
        AND value = unhex(item.value ->> '$.value')
    ), 0) AS records
    FROM json_each(${JSON.stringify(terms)}) AS item`
}
