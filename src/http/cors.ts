import type { Context } from 'hono'
import type { HttpEnv } from './env.ts'

/** The response headers that a page of another origin may read besides the ones safe for every page. */
const exposedHeaders = [
  ...['Content-Disposition', 'ETag', 'Link', 'Location', 'OData-Version', 'Preference-Applied'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'Warning', 'X-Request-Id'],
].join(', ')

/** Lets pages of the request's origin read the response if the key of the request lists the origin. Keys are sent in a header, so cookies are never allowed. */
export function setCorsHeaders<Env extends HttpEnv>(c: Context<Env>): void {
  const origin = c.req.header('Origin')
  if (origin === undefined) return
  const { headers } = c.res
  if (!headers.has('Vary')) headers.set('Vary', 'Origin')
  if (!c.var.allowsOrigin?.(origin)) return
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Expose-Headers', exposedHeaders)
}

/** The origin of a preflight request: a browser asks whether a page may send the actual request. Returns undefined for any other request. */
export function preflightOrigin({ req }: Context): string | undefined {
  const isPreflight = req.method === 'OPTIONS' && req.header('Access-Control-Request-Method')
  return isPreflight ? req.header('Origin') : undefined
}

/** The methods and headers that a page may send. Browsers remember them for 10 minutes. */
export const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers':
    'x-api-key, Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, OData-MaxVersion, OData-Version, Prefer',
  'Access-Control-Max-Age': '600',
}
