import { sql } from 'drizzle-orm'
import { rights } from '../model/rights.ts'
import { Store } from '../store/store.ts'

// Another process may be writing to the same files, and for longer than a request would wait.
const deadline = 150_000

const allRights = sql`${rights.join(',')}`

/** An organisation's records for the operator, who needs no key. */
export const operatorStore = (d1: D1Database, organisationId: string): Store =>
  new Store(
    d1,
    {
      ...{ organisationId, who: 'the operator', author: { by: 'command line' } },
      ...{ rights: allRights, held: allRights, limits: null },
    },
    deadline,
  )
