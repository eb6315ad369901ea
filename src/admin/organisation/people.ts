import type { Role } from '../../access/roles.ts'
import { invalidEmailMessage, isEmailAddress, normaliseSignInEmail } from '../../auth/address.ts'
import { ApiError, invalidField } from '../../model/api-error.ts'
import {
  changeRole,
  endSessions,
  insertMembership,
  listMemberships,
  removeMembership,
} from '../../store/settings/memberships.ts'
import type { Administration } from './administration.ts'

/** The operations on an organisation's people. They never remove the last administrator. */
export const organisationPeople = ({ directory }: Pick<Administration, 'directory'>) => ({
  list: () => listMemberships(directory),

  /** Adds a person by email address. Throws 400 for an address that is not ASCII, 409 if they already belong to the organisation. */
  async add(address: string, role: Role): Promise<void> {
    const email = normaliseSignInEmail(address)
    if (!isEmailAddress(email)) throw invalidField('E-mail', 'invalid_format', invalidEmailMessage)
    if (!(await insertMembership(directory, email, role)))
      throw new ApiError('CONFLICT', `${email} belongs to the organisation already.`)
  },

  /** Changes a person's role. Throws 409 for the last administrator. */
  async change(address: string, role: Role): Promise<void> {
    if (!(await changeRole(directory, normaliseSignInEmail(address), role))) throw notChangedError()
  },

  /** Signs a person out of every browser. Throws 409 for a person who is gone. */
  async signOut(address: string): Promise<void> {
    if (!(await endSessions(directory, normaliseSignInEmail(address)))) throw notChangedError()
  },

  /** Removes a person with effect from their next request. Throws 409 for the last administrator. */
  async remove(address: string): Promise<void> {
    const email = normaliseSignInEmail(address)
    if (!(await removeMembership(directory, email, { keepsAdministrator: true })))
      throw notChangedError()
  },
})

const notChangedError = () =>
  new ApiError(
    'CONFLICT',
    'Nothing was changed: this person is gone already, or is the last administrator; make somebody else one first.',
  )
