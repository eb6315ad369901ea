import { env } from 'cloudflare:workers'

/** Returns the database with a change that happens just before the first transaction, and whether it has happened. */
export function databaseWithConcurrentChange(act: () => Promise<unknown>) {
  let hasHappened = false
  const DB: D1Database = Object.create(env.DB, {
    prepare: { value: env.DB.prepare.bind(env.DB) },
    batch: {
      async value(statements: D1PreparedStatement[]) {
        if (!hasHappened) {
          hasHappened = true
          await act()
        }
        return env.DB.batch(statements)
      },
    },
  })
  return { DB, happened: () => hasHappened }
}
