import { findOrganisation } from '../src/admin/open-organisation.ts'
import { addUser } from '../src/admin/users.ts'
import { localClaims } from '../src/auth/local.ts'
import type { Databases } from '../src/platform/bindings.ts'
import { listOrganisations } from '../src/store/organisations.ts'
import { by } from './commands/action.ts'
import { demoOrganisation, demoPages, isDemoLoaded, loadDemo } from './demo.ts'
import { ensureLocalKey } from './state/local-key.ts'
import { createLocalToken } from './state/local-tokens.ts'

/**
 * Loads the demo into an empty state, and returns the lines for `npm start` to print. `state` is the
 * folder of the state, `address` the service's origin.
 */
export async function prepareDemo(
  bindings: Databases,
  { state, address }: { state: string; address: string },
): Promise<string[]> {
  const organisations = await listOrganisations(bindings)
  const others = organisations.filter(({ id }) => id !== demoOrganisation.id)
  const storage = (await findOrganisation(bindings, demoOrganisation.id)) ?? bindings
  if (others.length === 0 && !(await isDemoLoaded(storage.DB))) {
    await loadDemo(storage)
    const membership = { organisationId: demoOrganisation.id, email: localClaims.administrator }
    await addUser(bindings.DB, { ...membership, role: 'admin', by })
  }
  const pages = `The API reference: ${address}/docs\nThe dashboard:     ${address}/dashboard`
  if (others.length > 0 && others.length === organisations.length) {
    return [
      'Create a key for your data: npm run admin -- key create <organisation> --name <name>',
      pages,
    ]
  }
  const { administrator } = localClaims
  const key = await ensureLocalKey(storage, state, demoOrganisation.id, by)
  return [
    `A token of the demo's administrator, ${administrator}, for twelve hours:`,
    `  ${await createLocalToken(state, administrator)}`,
    `The key of the demo organisation, ${demoOrganisation.name}, the same at every start:`,
    `  ${key}`,
    `  curl -H 'x-api-key: ${key}' '${address}/api/v1/members?limit=2'`,
    `The demo's events, open to anyone: ${address}${demoPages.events}\nA form to answer:                 ${address}${demoPages.form}`,
    pages,
  ]
}
