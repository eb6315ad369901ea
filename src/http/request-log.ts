import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import { ApiError, OrganisationMovingError } from '../model/api-error.ts'
import { clientNetwork } from '../platform/client-network.ts'
import { logError, logWarning } from '../platform/log.ts'
import type { HttpEnv } from './env.ts'

/** Logs a refused, failed or slow request: never its path, query, headers, body or values. */
export function logRequest(c: Context<HttpEnv>, durationMs: number): void {
  const { status } = c.res
  const { key, store } = c.var
  const fields = {
    requestId: c.var.requestId,
    method: c.req.method,
    route: routeTemplate(c),
    status,
    durationMs,
    rowsRead: store?.cost.rowsRead,
    // A user's request names its organisation: unless it is verified, it could be any text.
    organisation: key?.organisationId ?? (store?.isVerified ? store.organisationId : undefined),
    caller: key?.keyId ?? (store && nameCaller(store.credential.author.by)),
    // The session identifies a user without access, so only refused keys and tokens need an address.
    network:
      status === 401 || (status === 403 && key)
        ? clientNetwork(c.req.header('CF-Connecting-IP') ?? '')
        : undefined,
  }
  if (c.error instanceof OrganisationMovingError) logWarning('organisation-moving', fields)
  else if (status < 500) logWarning('request', fields)
  else logError('request', fields, c.error instanceof ApiError ? c.error.cause : c.error)
}

/** The template of the route that responded, or would have responded if middleware had not refused the request. */
function routeTemplate(c: Context): string | undefined {
  const paths = matchedRoutes(c).map(({ path }) => path)
  const isComplete = (path: string | undefined) => path !== undefined && !path.endsWith('*')
  const responding = paths[c.req.routeIndex]
  return isComplete(responding) ? responding : (paths.find(isComplete) ?? paths.at(-1))
}

const nameCaller = (by: string) => (by === 'public page' ? 'public' : by)
