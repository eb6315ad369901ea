import { type SQL, sql } from 'drizzle-orm'
import { ApiError, invalidCredentials } from '../model/api-error.ts'
import type { Author } from '../model/author.ts'
import type { AccessPolicy } from './access-policy.ts'
import { isInNetworks } from './networks.ts'
import type { Permission } from './permissions.ts'

/** Who asks, for which organisation, and what they may do there for as long as the database says so. */
export type Credential = {
  organisationId: string
  /** Who asks: the key, or the user. */
  principal: string
  /** Who is noted as the author of what is written. */
  author: Author
  /** SQL for whether they administer the organisation; undefined for keys, which have their rights and no role. */
  administers?: SQL
  /** SQL for the rights, and behind a space the limits as JSON, if any: 'read,write' or 'read {"collections":["events"]}'; NULL when the credential is not, or no longer, good. */
  rights: SQL
  /** SQL for the rights alone, as long as the limits are those in `limits`. */
  heldPermissions: SQL
  /** The limits as they were last told; null for none. */
  limits: string | null
  /** Where the request comes from, as far as that is known. */
  address?: string | undefined
  /** What may make it good the first time; tells whether to look again. */
  claim?: () => Promise<boolean>
  /** Notes what it was used for, once it was found good: so many requests for a collection, and so many records given. */
  noteUse?: (use: { collection: string; requests: number; records: number }) => void
}

/** SQL that holds as long as a credential has these rights, under the limits it was last told to have. */
export const hasPermissions = (
  { heldPermissions }: Credential,
  needed: readonly Permission[],
): SQL =>
  sql.join(
    needed.map((right) => sql`instr(',' || ${heldPermissions} || ',', ${`,${right},`})`),
    sql` AND `,
  )

/** What the database told of a credential: its rights, and its limits as JSON text or null. Throws 401 where it told none. */
export function parseAccess(rights: unknown): { rights: string; limits: string | null } {
  if (typeof rights !== 'string') throw invalidCredentials()
  const space = rights.indexOf(' ')
  return space < 0
    ? { rights, limits: null }
    : { rights: rights.slice(0, space), limits: rights.slice(space + 1) }
}

/** What is needed of a credential: rights, and sight of a collection. */
export type Requirement = { rights: readonly Permission[]; collection?: string | undefined }

/** Throws 403 where the request comes from elsewhere than the limits allow, or the rights or limits lack what is needed. */
export function requireAccess(
  rights: string,
  view: AccessPolicy,
  address: string | undefined,
  { rights: needed, collection }: Requirement,
): void {
  const { from } = view.restrictions
  if (from && !isInNetworks(address, from)) throw forbidden('This key may not be used from here')
  const had = rights.split(',')
  const missing = needed.find((right) => !had.includes(right))
  if (missing) throw forbidden(`These credentials lack the right ${missing}`)
  if (collection !== undefined) requireCollection(view, collection)
}

/** Throws 403 where a collection is none of those that a credential is held to. */
export function requireCollection(view: AccessPolicy, collection: string): void {
  if (!view.allowsCollection(collection))
    throw forbidden(`These credentials are held to other collections than ${collection}`)
}

const forbidden = (why: string) =>
  new ApiError(
    'FORBIDDEN',
    `${why}: an administrator of the organisation can change that on the dashboard, and so can the operator on the command line, with key change or user add.`,
  )
