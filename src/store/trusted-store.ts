import { type SQL, sql } from 'drizzle-orm/sql'
import { fullPermissions } from '../access/permissions.ts'
import type { Author } from '../model/author.ts'
import { Store } from './store.ts'

/** Opens the records of an organisation in a database without a key, for the operator and the service itself. */
export const trustedStore = (d1: D1Database, organisationId: string, author: Author): Store =>
  new Store(
    { DB: d1 },
    {
      organisationId,
      database: 'DB',
      principal: author.by,
      author,
      access: grantAll(organisationId),
      restrictions: null,
    },
  )

/** The access query that grants every permission while the database has the organisation. */
export const grantAll = (organisationId: string): SQL =>
  sql`SELECT ${fullPermissions.join(',')} AS permissions, NULL AS restrictions
    FROM organisations WHERE id = ${organisationId} AND database IS NULL`

/** Opens an organisation for administration by an actor, whom the caller has checked. */
export const administeredStore = (d1: D1Database, organisationId: string, by: string): Store =>
  trustedStore(d1, organisationId, { by: 'person', name: by })
