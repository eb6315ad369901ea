import { sql } from 'drizzle-orm/sql'
import type { AccessPolicy } from '../../access/access-policy.ts'
import { collectionNames } from '../../model/collection.ts'
import { integer, text } from '../columns.ts'
import { ofOrganisation, organisationColumn } from '../fragments.ts'
import type { Store } from '../store.ts'

/** The organisation's name, and the number of visible records in each visible collection. */
type OrganisationSummary = { name: string; totals: { collection: string; records: number }[] }

/** Reads what a key can see of the organisation, from the index alone. */
export const readOrganisationSummary = (store: Store): Promise<OrganisationSummary> =>
  store.withPolicy(async (policy) => {
    const { head, rows } = await store.select({
      head: { name: text(organisationColumn(store, 'name')) },
      rows: {
        columns: {
          collection: text(sql`item.value ->> '$.collection'`),
          records: integer(sql`coalesce((
            SELECT count FROM terms
            WHERE ${ofOrganisation(store, 'terms')}
              AND terms.collection = item.value ->> '$.collection'
              AND terms.field = item.value ->> '$.field'
              AND terms.value = unhex(item.value ->> '$.value')
          ), 0)`),
        },
        from: sql`FROM json_each(${JSON.stringify(listVisibleTerms(policy))}) AS item`,
      },
      policy,
    })
    return { name: head.name, totals: rows }
  })

/** The terms that count the visible records. A key without private notes counts the notes of `isPrivate: false`. */
const listVisibleTerms = (policy: AccessPolicy) =>
  collectionNames
    .filter((name) => policy.allowsCollection(name))
    .map((collection) =>
      policy.hidesPrivate(collection)
        ? { collection, field: 'isPrivate', value: '00' }
        : { collection, field: '', value: '' },
    )
