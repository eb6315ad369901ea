import { app } from '../src/app.ts'
import type { Bindings } from '../src/env.ts'

/*
 * Our Worker without its rate limits: the platform counts in the memory of the machine, but the
 * local runtime in a Durable Object with a database of its own, which would be half of a request.
 */

const unlimited: RateLimit = { limit: async () => ({ success: true }) }

export default {
  fetch: (request, env, context) =>
    app.fetch(
      request,
      { ...env, LIMIT_BY_CREDENTIAL: unlimited, LIMIT_FAILURES_BY_ADDRESS: unlimited },
      context,
    ),
} satisfies ExportedHandler<Bindings>
