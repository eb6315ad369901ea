import type { Store } from './store/store.ts'

/** What wrangler.toml binds. */
export type Bindings = {
  DB: D1Database
  GEOGRAPHY: D1Database
  KEYS: KVNamespace
}

/** Hono's environment: the bindings, and what the middleware has settled about a request. */
export type Env = {
  Bindings: Bindings
  Variables: {
    requestId: string
    store: Store
  }
}
