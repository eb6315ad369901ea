declare namespace Cloudflare {
  interface Env {
    DB: D1Database
    GEOGRAPHY: D1Database
    KEYS: KVNamespace
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    TEST_GEOGRAPHY_MIGRATIONS: import('cloudflare:test').D1Migration[]
  }
  interface GlobalProps {
    mainModule: typeof import('../src/index.ts')
  }
}
