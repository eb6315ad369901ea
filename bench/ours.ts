import { app } from '../src/app.ts'
import type { Bindings } from '../src/platform/bindings.ts'
import { skipMemory } from './skip-memory.ts'

/*
 * Our Worker without its rate limits: the platform counts requests in memory, but the local runtime
 * counts them in a Durable Object, which would take half of a request's time.
 */

const unlimited: RateLimit = { limit: async () => ({ success: true }) }

let environments: { usual: Bindings; skipping: Bindings } | undefined

export default {
  fetch(request, env, context) {
    environments ??= openEnvironments(env)
    const { usual, skipping } = environments
    return app.fetch(request, request.headers.has(skipMemory) ? skipping : usual, context)
  },
} satisfies ExportedHandler<Bindings>

/**
 * The bindings without rate limits, and those of a Worker that has a new version whenever it is asked: the page
 * memory has none of its pages. Both stay the same objects, as a deployed Worker's do.
 */
function openEnvironments(env: Bindings): { usual: Bindings; skipping: Bindings } {
  const usual = {
    ...env,
    LIMIT_BY_CREDENTIAL: unlimited,
    LIMIT_FAILURES_BY_ADDRESS: unlimited,
    LIMIT_ROWS_BY_ORGANISATION: unlimited,
  }
  let versions = 0
  const version = {
    get id() {
      return String(++versions)
    },
    tag: '',
    timestamp: '',
  }
  return { usual, skipping: { ...usual, VERSION: version } }
}
