import { sql } from 'drizzle-orm/sql'
import type { Store } from '../store.ts'

/** Reads the organisation's name and the credential's description. Needs no permission. */
export async function readCaller(store: Store) {
  const { organisationId: id, credential } = store
  await store.verifyPerson()
  const { head } = await store.read(
    {
      name: sql`(SELECT name FROM organisations WHERE id = ${id})`,
      description: credential.describe?.() ?? sql`'{}'`,
    },
    undefined,
    { permissions: [] },
  )
  const description: Record<string, unknown> = JSON.parse(String(head.description))
  return { organisation: { id, name: String(head.name) }, credential: description }
}
