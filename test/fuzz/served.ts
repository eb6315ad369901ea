import { newPerson } from '../auth/identity.ts'
import { putEverything } from '../examples/everything.ts'
import { newOrganisation } from '../organisation.ts'

/** An organisation with a record of everything, its key, and the token of a member of it. */
export async function newServed() {
  const organisation = await newOrganisation()
  const person = newPerson()
  await organisation.add(person.email)
  await putEverything(organisation)
  return { organisation, id: organisation.id, key: organisation.key, token: await person.token() }
}
