import type { Settings } from '../platform/bindings.ts'

/** Hono's environment for every request. */
export type HttpEnv = {
  Bindings: Settings
  Variables: {
    requestId: string
    /** The cost of the reads so far. */
    reads?: ReadCost
    /** Returns whether the key of the request lists a web origin, as last known. */
    allowsOrigin?: (origin: string) => boolean
  }
}

/** The cost of reads: milliseconds in the database and rows. Only a verified credential may see it. */
type ReadCost = {
  readonly showsCost: boolean
  readonly cost: { duration: number; rowsRead: number }
}
