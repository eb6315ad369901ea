import { sql } from 'drizzle-orm/sql'
import { json, text } from '../columns.ts'
import { organisationColumn } from '../fragments.ts'
import type { Store } from '../store.ts'

/** Reads the organisation's name and the credential's description. Needs no permission. */
export async function readCaller(store: Store) {
  const { organisationId: id, credential } = store
  await store.verifyPerson()
  const { head } = await store.select({
    head: {
      name: text(organisationColumn(store, 'name')),
      description: json<Record<string, unknown>>(credential.describe?.() ?? sql`'{}'`),
    },
    permissions: [],
  })
  return { organisation: { id, name: head.name }, credential: head.description }
}
