import { env } from 'cloudflare:workers'
import { newPerson } from '../auth/identity.ts'
import { putEverything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'

/** An organisation with a record in every collection, a key with every permission, and an administrator's token. */
export async function newFilledOrganisation() {
  const organisation = await newOrganisation()
  const person = newPerson()
  await organisation.add(person.email, 'admin')
  await putEverything(organisation)
  const may = ['read', 'create-members', 'write', 'manage-webhooks']
  const { key } = await createKey(env, organisation.id, 'fuzz', 'a test', undefined, may)
  return { organisation, id: organisation.id, key, token: await person.token() }
}
