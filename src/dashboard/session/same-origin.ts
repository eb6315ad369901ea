import { createMiddleware } from 'hono/factory'
import { ApiError } from '../../model/api-error.ts'

/** Rejects every request that may change something and does not come from a page of this origin. */
export const requireSameOrigin = createMiddleware(async ({ req }, next) => {
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(req.method)
  const isSameOrigin =
    req.header('Sec-Fetch-Site') === 'same-origin' ||
    req.header('Origin') === new URL(req.url).origin
  if (!isSafe && !isSameOrigin) {
    throw new ApiError('FORBIDDEN', 'This form was not sent from the dashboard.')
  }
  await next()
})
