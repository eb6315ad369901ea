import { type SQL, sql } from 'drizzle-orm/sql'
import { ApiError } from '../model/api-error.ts'
import type { Author } from '../model/author.ts'
import { collectionTitle } from '../model/collection.ts'
import type { DatabaseName } from '../platform/bindings.ts'
import type { AccessPolicy } from './access-policy.ts'
import { type Permission, sufficientPermissions } from './permissions.ts'

/** A verified caller and their access to one organisation. The database re-evaluates the access in each statement. */
export type Credential = {
  organisationId: string
  /** The database that has the organisation, as last known. */
  database: DatabaseName
  /** The key or the user. */
  principal: string
  /** The author that the history records for writes. */
  author: Author
  /** The SQL condition that the user is an administrator; undefined for keys. */
  administers?: SQL
  /**
   * The query for the current access: one row with `permissions`, separated by commas, and
   * `restrictions`, as JSON or NULL. An invalid credential has no row.
   */
  access: SQL
  /** SQL for a JSON object that describes the key or the user; undefined for the service itself. */
  describe?: () => SQL
  /** The last known permissions, separated by commas. */
  permissions?: string | undefined
  /** The last known restrictions as JSON text; null for an unrestricted credential. */
  restrictions: string | null
  /** The client's IP address, if known. */
  address?: string | undefined
  /**
   * Reads a person's current permissions and restrictions from `DB`, which has the memberships, or null; `access`
   * then grants these. Used only while the organisation is in another database.
   */
  readAccess?: () => Promise<{ permissions: string; restrictions: string | null } | null>
  /** Links a new user to their membership. Returns whether to retry. */
  claim?: () => Promise<boolean>
  /** Returns the error if the credential is invalid; by default 401. */
  refuse?: () => ApiError
  /** Counts requests, returned records and rows read by collection, once the credential is verified. */
  noteUse?: (use: CollectionUse) => void
}

/** The numbers of requests, returned records and rows that the database read for them. */
export type CollectionUse = {
  collection: string
  requests: number
  records: number
  rowsRead: number
}

/** The SQL condition that a row of the access query has these permissions and the same restrictions. */
export const grants = (
  { restrictions }: Credential,
  needed: readonly Permission[],
  access: SQL,
): SQL =>
  sql`(${access}.permissions IS NOT NULL AND ${access}.restrictions IS ${restrictions}
    AND ${hasPermissions(needed, access)})`

/** The SQL condition that a row with `permissions` has these. */
export const hasPermissions = (needed: readonly Permission[], row: SQL): SQL =>
  sql`(true${sql.join(
    needed.map(
      (permission) =>
        sql` AND (${sql.join(
          sufficientPermissions(permission).map(
            (name) => sql`instr(',' || ${row}.permissions || ',', ${`,${name},`})`,
          ),
          sql` OR `,
        )})`,
    ),
  )})`

/**
 * The permissions to export everything about a person. Of the users, only users who may also change
 * the records hand them over.
 */
export const exportPermissions = ({
  administers,
}: Pick<Credential, 'administers'>): readonly Permission[] =>
  administers ? ['read', 'write'] : ['read']

/** The permissions and the collection that a request needs. */
export type Requirement = { permissions: readonly Permission[]; collection?: string | undefined }

export const foreignNetwork = () => forbidden('This key cannot be used from this network.')

/** Throws 403 if a permission is missing or the collection is hidden. */
export function requireAccess(
  granted: readonly string[],
  policy: AccessPolicy,
  { administers }: Pick<Credential, 'administers'>,
  { permissions, collection }: Requirement,
): void {
  const [missing] = permissions
    .map(sufficientPermissions)
    .flatMap((names) => (names.some((name) => granted.includes(name)) ? [] : names.slice(0, 1)))
  if (missing && administers) {
    throw new ApiError(
      'FORBIDDEN',
      `Your role does not include the \`${missing}\` permission. An administrator can change your role under Settings, People.`,
    )
  }
  if (missing) throw forbidden(`This key does not have the \`${missing}\` permission.`)
  if (collection !== undefined) requireCollection(policy, collection)
}

/** Throws 403 if a key is restricted to other collections. */
export function requireCollection(policy: AccessPolicy, collection: string): void {
  if (!policy.allowsCollection(collection))
    throw forbidden(`This key cannot access ${collectionTitle(collection)}.`)
}

/** Throws 403 if the answers to some of a form's questions are hidden from a key. */
export function refuseHiddenAnswers(hidden: readonly { questionId: string }[]): void {
  if (hidden.length > 0) {
    const ids = hidden.map(({ questionId }) => questionId).join(', ')
    throw forbidden(`This key cannot see or write all that this form asks: ${ids}.`)
  }
}

/** Throws 403 if restrictions may hide some of the records that an operation changes or deletes. */
export function requireUnrestricted(
  policy: AccessPolicy,
  operation: '$cascade' | '$merge' | '$restore' | '$undo',
): void {
  if (policy.isRestricted)
    throw new ApiError(
      'FORBIDDEN',
      `${operation}: these credentials do not see all records to delete or change.`,
    )
}

const forbidden = (reason: string) =>
  new ApiError('FORBIDDEN', `${reason} An administrator can change it under Settings, Keys.`)
