import { createMiddleware } from 'hono/factory'
import type { Env } from '../env.ts'

/** What every answer says: which request it answers, that no cache may keep it, how many requests are allowed, and what its reads have cost. */
export const answerHeaders = createMiddleware<Env>(async (c, next) => {
  await next()
  // Hono's own header is lost on an answer that is a Response made elsewhere.
  c.header('X-Request-Id', c.var.requestId)
  c.header('Cache-Control', 'private, no-store')
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('RateLimit-Policy', c.env.RATE_LIMIT_POLICY)
  // Without good credentials, even how much was read would tell what there is.
  if (c.var.store?.checked) {
    const { duration, rowsRead } = c.var.store.cost
    c.header('Server-Timing', `db;dur=${duration};desc="${rowsRead} rows read"`)
  }
})
