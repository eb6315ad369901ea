import { app } from '../src/app.ts'
import type { Bindings } from '../src/platform/bindings.ts'

/*
 * Our Worker without its rate limits: the platform counts requests in memory, but the local runtime
 * counts them in a Durable Object, which would take half of a request's time.
 */

const unlimited: RateLimit = { limit: async () => ({ success: true }) }

let bindings: Bindings | undefined

export default {
  fetch(request, env, context) {
    bindings ??= { ...env, LIMIT_BY_CREDENTIAL: unlimited, LIMIT_FAILURES_BY_ADDRESS: unlimited }
    return app.fetch(request, bindings, context)
  },
} satisfies ExportedHandler<Bindings>
