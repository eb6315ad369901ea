import type { Settings } from '../platform/bindings.ts'

/** Hono's environment for every request: the settings, and what the middleware has settled. */
export type HttpEnv = {
  Bindings: Settings
  Variables: {
    requestId: string
    /** What the request has read so far. */
    reads?: ReadCost
  }
}

/** What reading costs: milliseconds in the database, and rows; told only to a credential that was found good and may know. */
export type ReadCost = {
  readonly showsCost: boolean
  readonly cost: { duration: number; rowsRead: number }
}
