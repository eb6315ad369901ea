import type { Author } from '../model/author.ts'
import type { Settings } from '../platform/bindings.ts'
import type { Remainder } from '../platform/rate-limit-policy.ts'

/** Hono's environment for every request. */
export type HttpEnv = {
  Bindings: Settings
  Variables: {
    requestId: string
    /** The requests that the credential may send. */
    requestsLeft?: Remainder | undefined
    /** The cost of the reads so far. */
    reads?: ReadCost
    /** The key of the request, once it is known. */
    key?: { organisationId: string; keyId: string }
    /** The caller's access to an organisation. */
    store?: CallerStore
    /** For how many seconds anybody may store the response, if it is the same for all. */
    publicMaxAge?: number
    /** Whether the key of the request lists a web origin, as last known. */
    allowsOrigin?: (origin: string) => boolean
  }
}

/** The properties of a store that the log names. */
type CallerStore = {
  readonly organisationId: string
  readonly isVerified: boolean
  readonly credential: { author: Author }
  readonly cost: { rowsRead: number }
}

/** The cost of reads: milliseconds in the database and rows. Only a caller who sees everything may see it. */
type ReadCost = {
  readonly isVerified: boolean
  readonly seesEverything: boolean
  readonly cost: { duration: number; rowsRead: number }
  /** The rows that the organisation may read at once. */
  readonly rowsLeft: Remainder | undefined
}
