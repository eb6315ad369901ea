import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { ApiError } from '../model/api-error.ts'
import { formatRemainders } from '../platform/rate-limit-policy.ts'
import { setCorsHeaders } from './cors.ts'
import type { HttpEnv } from './env.ts'
import { errorResponse, handleError, refuseMethod } from './errors.ts'
import { Hono } from './hono.ts'

/** An app with the common middleware and error handlers. */
export function baseApp<Env extends HttpEnv>(): Hono<Env> {
  const app = new Hono<Env>()
  app.use(responseHeaders)
  app.onError(handleError)
  app.notFound((c) => errorResponse(c, 'NOT_FOUND', 'This path does not exist.'))
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: refuseMethod,
    }),
  )
  return app
}

const closedPolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The milliseconds from which a request is logged as slow. */
const slowMs = 1000

const isRefusedOrFailed = (status: number) =>
  status >= 400 && (status >= 500 || status === 401 || status === 403 || status === 429)

const isSuspect = (error: unknown) => error instanceof ApiError && error.isSuspect

/** The request's own id, if it can be searched for in a log; otherwise a new one. */
function requestIdOf({ req }: Context<HttpEnv>): string {
  const id = req.header('X-Request-Id')
  return id && /^[\w=-]{1,255}$/.test(id) ? id : crypto.randomUUID()
}

/** Says who may store a response. Without a public age, only the caller, who must revalidate it before each use. */
function setCaching(headers: Headers, publicMaxAge: number | undefined): void {
  if (publicMaxAge !== undefined) {
    headers.set('Cache-Control', `public, max-age=${publicMaxAge}`)
    return
  }
  const isCacheable = headers.has('ETag')
  headers.set('Cache-Control', isCacheable ? 'private, no-cache' : 'private, no-store')
  if (isCacheable) headers.set('Vary', 'x-api-key, Authorization, Accept, Prefer, Origin')
}

/** Sets the id of every request and the headers of its response: request id, caching, security, rate limit, the cost of reads and the readers' origin. Logs refused, failed and slow requests. */
const responseHeaders = createMiddleware<HttpEnv>(async (c, next) => {
  const start = Date.now()
  const requestId = requestIdOf(c)
  c.set('requestId', requestId)
  await next()
  // `c.header` would wrap the body in a new Response at every call.
  const { headers } = c.res
  const reads = c.get('reads')
  headers.set('X-Request-Id', requestId)
  setCaching(headers, c.res.ok || c.res.status === 304 ? c.get('publicMaxAge') : undefined)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  // Pages have their own policies. A browser that opens any other response runs, loads and frames nothing.
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', closedPolicy)
  headers.set('RateLimit-Policy', c.env.RATE_LIMIT_POLICY)
  if (reads?.isVerified) {
    const rows = reads.seesEverything ? reads.rowsLeft : undefined
    headers.set('RateLimit', formatRemainders({ credential: c.get('requestsLeft'), rows }))
  }
  // The cost reveals whether a value or an id exists.
  if (reads?.seesEverything) {
    const { duration, rowsRead } = reads.cost
    headers.set('Server-Timing', `db;dur=${duration};desc="${rowsRead} rows read"`)
  }
  setCorsHeaders(c)
  const durationMs = Date.now() - start
  if (durationMs < slowMs && !isRefusedOrFailed(c.res.status) && !isSuspect(c.error)) return
  // Ordinary requests do not need its code.
  const { logRequest } = await import('./request-log.ts')
  logRequest(c, durationMs)
})
