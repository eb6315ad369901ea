import { createMiddleware } from 'hono/factory'
import type { HttpEnv } from './env.ts'

/** Sets the headers of every response: request id, caching, security, rate limit and the cost of reads. */
export const responseHeaders = createMiddleware<HttpEnv>(async (c, next) => {
  await next()
  // `c.header` would wrap the body in a new Response at every call.
  const { headers } = c.res
  const { requestId, reads } = c.var
  // Hono loses its own header on a Response that a handler returned.
  headers.set('X-Request-Id', requestId)
  headers.set('Cache-Control', 'private, no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Strict-Transport-Security', 'max-age=15552000; includeSubDomains')
  headers.set('RateLimit-Policy', c.env.RATE_LIMIT_POLICY)
  // Without valid credentials, the number of rows would reveal data.
  if (reads?.showsCost) {
    const { duration, rowsRead } = reads.cost
    headers.set('Server-Timing', `db;dur=${duration};desc="${rowsRead} rows read"`)
  }
})
