import { sql } from 'drizzle-orm/sql'
import { kinds } from '../model/properties/schema.ts'
import { integer } from './columns.ts'
import { ofOrganisation } from './fragments.ts'
import type { Store } from './store.ts'

/** Counts the people of an organisation: its members, volunteers and partners. Needs the permission to write. */
export async function countPeopleOfAllKinds(store: Store): Promise<number> {
  const people = sql`SELECT coalesce(sum(count), 0)
    FROM json_each(${JSON.stringify(Object.keys(kinds))}) AS kind CROSS JOIN terms
    ON ${ofOrganisation(store, 'terms')} AND terms.collection = kind.value
      AND field = '' AND terms.value = x''`
  const head = { people: integer(sql`(${people})`) }
  return (await store.select({ head, permissions: ['write'] })).head.people
}
