import { sql } from 'drizzle-orm'
import { permissions } from '../access/permissions.ts'
import type { Author } from '../model/author.ts'
import { Store } from './store.ts'

const allRights = sql`${permissions.join(',')}`

/** Returns an organisation's records for the operator and the service itself, which need no key. */
export const trustedStore = (
  d1: D1Database,
  organisationId: string,
  author: Author,
  deadline?: number,
): Store =>
  new Store(
    d1,
    {
      ...{ organisationId, principal: author.by, author },
      ...{ rights: allRights, heldPermissions: allRights, limits: null },
    },
    deadline,
  )
