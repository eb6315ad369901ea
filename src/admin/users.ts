import type { Role } from '../access/roles.ts'
import { isEmailAddress, normaliseSignInEmail } from '../auth/address.ts'
import {
  listAllMemberships,
  listMemberships,
  removeMembership,
  upsertMembership,
} from '../store/settings/memberships.ts'
import { directoryStore } from '../store/trusted-store.ts'

/** A user's address in an organisation, and the actor. */
type User = { organisationId: string; email: string; by: string }

/** Lists the users of one or all organisations by address. */
export const listUsers = (d1: D1Database, organisationId?: string) =>
  organisationId === undefined
    ? listAllMemberships(d1)
    : listMemberships(directoryStore(d1, organisationId, 'command line'))

/** Adds a user to an organisation or changes their role. Returns false if the address is invalid. */
export async function addUser(
  d1: D1Database,
  { organisationId, email, role, by }: User & { role: Role },
): Promise<boolean> {
  if (!isEmailAddress(email)) return false
  const directory = directoryStore(d1, organisationId, by)
  await upsertMembership(directory, normaliseSignInEmail(email), role)
  return true
}

/** Removes a user, even the last administrator, with effect from the next request. Returns false for an unknown user. */
export const removeUser = (d1: D1Database, { organisationId, email, by }: User): Promise<boolean> =>
  removeMembership(directoryStore(d1, organisationId, by), normaliseSignInEmail(email), {
    keepsAdministrator: false,
  })
