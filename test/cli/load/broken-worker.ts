import { app } from '../../../src/app.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'

/** The SQL conditions for isolation and revoked keys, with replacements that break them. */
const broken = [
  ['organisation_id = ?', '? IS NOT NULL'],
  ['revoked IS NULL', 'TRUE'],
] as const

// Failures are expected.
console.error = () => {}

const lost: number[][] = []

/** The Worker without these conditions and with a memory leak. */
export default {
  fetch(request, env, context) {
    lost.push(Array(20_000).fill(lost.length))
    const prepare = (query: string) =>
      env.DB.prepare(broken.reduce((sql, [part, instead]) => sql.replaceAll(part, instead), query))
    const batch = (statements: D1PreparedStatement[]) => env.DB.batch(statements)
    const DB: D1Database = Object.create(env.DB, {
      prepare: { value: prepare },
      batch: { value: batch },
    })
    return app.fetch(request, { ...env, DB }, context)
  },
} satisfies ExportedHandler<Bindings>
