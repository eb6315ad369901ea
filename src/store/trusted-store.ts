import { sql } from 'drizzle-orm/sql'
import { fullPermissions } from '../access/permissions.ts'
import type { Author } from '../model/author.ts'
import { Store } from './store.ts'

const unrestrictedAccess = sql`
  SELECT ${fullPermissions.join(',')} AS permissions, NULL AS restrictions`

/** Opens an organisation's records without a key, for the operator and the service itself. */
export const trustedStore = (
  d1: D1Database,
  organisationId: string,
  author: Author,
  timeoutMs?: number,
): Store =>
  new Store(
    d1,
    {
      ...{ organisationId, principal: author.by, author },
      ...{ access: unrestrictedAccess, restrictions: null },
    },
    timeoutMs,
  )
