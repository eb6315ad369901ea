import { type SQL, sql } from 'drizzle-orm/sql'
import { fullPermissions } from '../access/permissions.ts'
import type { Author } from '../model/author.ts'
import { Store } from './store.ts'

/** Opens the records of an organisation in a database without a key, for the operator and the service itself. */
export const trustedStore = (d1: D1Database, organisationId: string, author: Author): Store =>
  storeWith(d1, organisationId, author, grantAll(organisationId))

/**
 * Opens what `DB` has of every organisation, its memberships, for an actor whom the caller has checked.
 * Entries of the audit log go on to the organisation's database.
 */
export const directoryStore = (d1: D1Database, organisationId: string, by: string): Store =>
  storeWith(
    d1,
    organisationId,
    { by: 'person', name: by },
    sql`SELECT ${allPermissions} AS permissions, NULL AS restrictions`,
  )

const storeWith = (d1: D1Database, organisationId: string, author: Author, access: SQL): Store =>
  new Store(
    { DB: d1 },
    {
      organisationId,
      database: 'DB',
      principal: author.by,
      author,
      access,
      restrictions: null,
    },
  )

const allPermissions = fullPermissions.join(',')

/** The access query that grants every permission while the database has the organisation. */
export const grantAll = (organisationId: string): SQL =>
  sql`SELECT ${allPermissions} AS permissions, NULL AS restrictions
    FROM organisations WHERE id = ${organisationId} AND database IS NULL`

/** Opens an organisation for administration by an actor, whom the caller has checked. */
export const administeredStore = (d1: D1Database, organisationId: string, by: string): Store =>
  trustedStore(d1, organisationId, { by: 'person', name: by })
