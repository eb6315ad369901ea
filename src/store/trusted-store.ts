import { sql } from 'drizzle-orm'
import type { Author } from '../model/author.ts'
import { rights } from '../model/rights.ts'
import { Store } from './store.ts'

const allRights = sql`${rights.join(',')}`

/** An organisation's records for whoever needs no key: the operator, and the service itself. */
export const trustedStore = (
  d1: D1Database,
  organisationId: string,
  author: Author,
  deadline?: number,
): Store =>
  new Store(
    d1,
    {
      ...{ organisationId, who: author.by, author },
      ...{ rights: allRights, held: allRights, limits: null },
    },
    deadline,
  )
