import { createMiddleware } from 'hono/factory'
import type { HttpEnv } from './env.ts'

/** What every answer says: which request it answers, that no cache may keep it, that it comes by TLS alone, how many requests are allowed, and what its reads have cost. */
export const responseHeaders = createMiddleware<HttpEnv>(async (c, next) => {
  await next()
  // Not `c.header`, which here makes a stream of the body and a new Response of it at every call.
  const { headers } = c.res
  const { requestId, reads } = c.var
  // Hono's own header is lost on an answer that is a Response made elsewhere.
  headers.set('X-Request-Id', requestId)
  headers.set('Cache-Control', 'private, no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Strict-Transport-Security', 'max-age=15552000; includeSubDomains')
  headers.set('RateLimit-Policy', c.env.RATE_LIMIT_POLICY)
  // Without good credentials, even how much was read would tell what there is.
  if (reads?.showsCost) {
    const { duration, rowsRead } = reads.cost
    headers.set('Server-Timing', `db;dur=${duration};desc="${rowsRead} rows read"`)
  }
})
