import { type SQL, sql } from 'drizzle-orm/sql'
import type { Permission } from '../access/permissions.ts'
import type { ApiError } from '../model/api-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { probableDatabase } from './databases.ts'
import { ofOrganisation } from './fragments.ts'
import { Store } from './store.ts'

/**
 * Opens an organisation's records for what it publishes, without a credential of the reader. Every statement throws
 * the refusal unless the organisation exists and its row of `public_pages` meets the condition.
 */
export const publicStore = (
  databases: RecordDatabases,
  organisationId: string,
  access: { permissions: readonly Permission[]; condition: SQL; refuse: () => ApiError },
): Store =>
  new Store(databases, {
    organisationId,
    database: probableDatabase(organisationId),
    principal: 'public page',
    author: { by: 'public page' },
    access: sql`SELECT ${access.permissions.join(',')} AS permissions, NULL AS restrictions
      FROM public_pages CROSS JOIN organisations ON organisations.id = organisation_id
        AND database IS NULL
      WHERE ${ofOrganisation({ organisationId })} AND ${access.condition}`,
    restrictions: null,
    refuse: access.refuse,
  })
