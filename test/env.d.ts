declare namespace Cloudflare {
  interface Env {
    DB: D1Database
    DB_1: D1Database
    DB_2: D1Database
    [name: `DB_${number}`]: D1Database
    /** The database of a new installation, without organisations. */
    NEW: D1Database
    GEOGRAPHY: D1Database
    KEYS: KVNamespace
    ASSETS: Fetcher
    CHANGES: Queue<{ organisationId: string }>
    WEBHOOK_KEY: string
    LIMIT_BY_CREDENTIAL: RateLimit
    LIMIT_FAILURES_BY_ADDRESS: RateLimit
    LIMIT_PUBLIC_PAGES_BY_ADDRESS: RateLimit
    LIMIT_FORMS_BY_ADDRESS: RateLimit
    LIMIT_FORMS_BY_TARGET: RateLimit
    LIMIT_ROWS_BY_ORGANISATION: RateLimit
    RATE_LIMIT_POLICY: string
    AUTH_ISSUER: string
    AUTH_AUDIENCE: string
    AUTH_JWKS: string
    TEST_SIGNING_KEY: string
    /** Multiplies the runs of generated tests. */
    TEST_RUNS: number
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    TEST_GEOGRAPHY_MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** A database to be of the version of this migration. */
    [migration: `${number}_${string}.sql`]: D1Database
  }
  interface GlobalProps {
    mainModule: typeof import('../src/index.ts')
  }
}

/** The internal module of @cloudflare/vitest-plugin. */
declare module 'cloudflare:test-internal' {
  /** Calls a function in the context of the tests. */
  export function runInRunnerObject<Result>(callback: () => Promise<Result>): Promise<Result>
}
