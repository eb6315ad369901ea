import { type SQL, sql } from 'drizzle-orm'
import { ApiError, invalidCredentials } from '../model/api-error.ts'
import type { Author } from '../model/author.ts'
import { collectionTitle } from '../model/collection.ts'
import type { AccessPolicy } from './access-policy.ts'
import { isInNetworks } from './networks.ts'
import type { Permission } from './permissions.ts'

/** A verified caller with their access to one organisation, which the database re-evaluates in each statement. */
export type Credential = {
  organisationId: string
  /** The key or the user. */
  principal: string
  /** The author that the history records for writes. */
  author: Author
  /** SQL for whether a user administers the organisation; undefined for keys. */
  administers?: SQL
  /** SQL for the permissions, then a space and the restrictions as JSON, if any: 'read,write' or 'read {"collections":["events"]}'. NULL if the credential is not valid. */
  rights: SQL
  /** SQL for the permissions while the restrictions are those in `limits`. */
  heldPermissions: SQL
  /** The restrictions that the database last reported; null for none. */
  limits: string | null
  /** The client's IP address, if known. */
  address?: string | undefined
  /** Links a new user to their membership. Returns whether to retry. */
  claim?: () => Promise<boolean>
  /** Counts requests and returned records by collection, once the credential is verified. */
  noteUse?: (use: { collection: string; requests: number; records: number }) => void
}

/** Returns SQL for whether a credential still has these permissions and the same restrictions. */
export const hasPermissions = (
  { heldPermissions }: Credential,
  needed: readonly Permission[],
): SQL =>
  sql.join(
    needed.map((right) => sql`instr(',' || ${heldPermissions} || ',', ${`,${right},`})`),
    sql` AND `,
  )

/** Parses a credential's permissions and restrictions. Throws 401 if it is not valid. */
export function parseAccess(rights: unknown): { rights: string; limits: string | null } {
  if (typeof rights !== 'string') throw invalidCredentials()
  const space = rights.indexOf(' ')
  return space < 0
    ? { rights, limits: null }
    : { rights: rights.slice(0, space), limits: rights.slice(space + 1) }
}

/** The permissions and the collection that a request needs. */
export type Requirement = { rights: readonly Permission[]; collection?: string | undefined }

/** Throws 403 if the client's network is not allowed, a permission is missing or the collection is hidden. */
export function requireAccess(
  rights: string,
  view: AccessPolicy,
  { address, administers }: Pick<Credential, 'address' | 'administers'>,
  { rights: needed, collection }: Requirement,
): void {
  const { from } = view.restrictions
  if (from && !isInNetworks(address, from))
    throw forbidden('This key cannot be used from this network.')
  const granted = rights.split(',')
  const missing = needed.find((permission) => !granted.includes(permission))
  if (missing && administers) {
    throw new ApiError(
      'FORBIDDEN',
      `Your role does not include the \`${missing}\` permission. An administrator can change your role under Settings, People.`,
    )
  }
  if (missing) throw forbidden(`This key does not have the \`${missing}\` permission.`)
  if (collection !== undefined) requireCollection(view, collection)
}

/** Throws 403 if a key is restricted to other collections. */
export function requireCollection(view: AccessPolicy, collection: string): void {
  if (!view.allowsCollection(collection))
    throw forbidden(`This key cannot access ${collectionTitle(collection)}.`)
}

const forbidden = (reason: string) =>
  new ApiError('FORBIDDEN', `${reason} An administrator can change it under Settings, API keys.`)
