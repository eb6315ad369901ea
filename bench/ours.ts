import { app } from '../src/app.ts'
import type { Bindings } from '../src/platform/bindings.ts'
import { skipMemory } from './skip-memory.ts'

/*
 * Our Worker without its rate limits: the platform counts requests in memory, but the local runtime
 * counts them in a Durable Object, which would take half of a request's time.
 */

const unlimited: RateLimit = { limit: async () => ({ success: true }) }

let bindings: Bindings | undefined
let versions = 0

export default {
  fetch(request, env, context) {
    bindings ??= {
      ...env,
      LIMIT_BY_CREDENTIAL: unlimited,
      LIMIT_FAILURES_BY_ADDRESS: unlimited,
      LIMIT_ROWS_BY_ORGANISATION: unlimited,
    }
    return app.fetch(
      request,
      request.headers.has(skipMemory) ? newVersion(bindings) : bindings,
      context,
    )
  },
} satisfies ExportedHandler<Bindings>

/** Returns the bindings of a new version of the Worker: the page memory has none of its pages. */
const newVersion = (bindings: Bindings): Bindings => ({
  ...bindings,
  VERSION: { id: String(++versions), tag: '', timestamp: '' },
})
