import { app } from '../../../src/app.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'

/** The conditions that keep organisations apart and revoked keys out, and what is put in their place. */
const broken = [
  ['organisation_id = ?', '? IS NOT NULL'],
  ['revoked IS NULL', 'TRUE'],
] as const

// What fails here is meant to.
console.error = () => {}

const lost: number[][] = []

/** Our Worker without these conditions, and with a leak. */
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
