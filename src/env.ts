import type { localProvider, Provider } from './auth/provider.ts'
import type { Store } from './store/store.ts'

/** What wrangler.toml binds, and the variables and secrets an operator may set. */
export type Bindings = {
  DB: D1Database
  GEOGRAPHY: D1Database
  KEYS: KVNamespace
  LIMIT_BY_CREDENTIAL: RateLimit
  LIMIT_FAILURES_BY_ADDRESS: RateLimit
  /** The two limits above as answers tell them, in RateLimit-Policy. */
  RATE_LIMIT_POLICY: string
  /** The OpenID Connect provider whose tokens are accepted: its `iss`, as it spells it. */
  AUTH_ISSUER?: string
  /** The `aud` that tokens for this API bear. */
  AUTH_AUDIENCE?: string
  /** The provider's JSON Web Key Set, or its https address; found by discovery if not given. */
  AUTH_JWKS?: string
  [localProvider]?: Provider
}

/** Hono's environment: the bindings, and what the middleware has settled about a request. */
export type Env = {
  Bindings: Bindings
  Variables: {
    requestId: string
    store: Store
    /** The body's text, once it was read. */
    body?: string
  }
}
