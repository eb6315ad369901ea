import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import { ApiError, OrganisationMovingError } from '../model/api-error.ts'
import { clientNetwork } from '../platform/client-network.ts'
import { logError, logWarning } from '../platform/log.ts'
import type { HttpEnv } from './env.ts'

/** Logs a refused, failed or slow request: never its path, query, headers, body or values. */
export function logRequest(c: Context<HttpEnv>, durationMs: number): void {
  const { status } = c.res
  const fields = {
    requestId: c.var.requestId,
    method: c.req.method,
    route: routeTemplate(c),
    status,
    durationMs,
    rowsRead: c.var.store?.cost.rowsRead,
    ...identifyCaller(c),
  }
  if (c.error instanceof OrganisationMovingError) logWarning('organisation-moving', fields)
  else if (status < 500) logWarning('request', fields)
  else logError('request', fields, c.error instanceof ApiError ? c.error.cause : c.error)
}

/** Who sent the request: as far as the key, token or session is verified, and for a refused key or token its network. */
function identifyCaller(c: Context<HttpEnv>) {
  const { key, store } = c.var
  const { status } = c.res
  // The URL of a signed-in user's page names the organisation. Before the database confirms their membership, it could be any text.
  const userOrganisation = store?.isVerified ? store.organisationId : undefined
  const isRefusedKey = status === 401 || (status === 403 && key !== undefined)
  return {
    organisation: key?.organisationId ?? userOrganisation,
    caller: key?.keyId ?? (store && nameCaller(store.credential.author.by)),
    network: isRefusedKey ? clientNetwork(c.req.header('CF-Connecting-IP') ?? '') : undefined,
  }
}

/** The template of the route that responded, or would have responded if middleware had not refused the request. */
function routeTemplate(c: Context): string | undefined {
  const paths = matchedRoutes(c).map(({ path }) => path)
  const isComplete = (path: string | undefined) => path !== undefined && !path.endsWith('*')
  const responding = paths[c.req.routeIndex]
  return isComplete(responding) ? responding : (paths.find(isComplete) ?? paths.at(-1))
}

/** The kind of a caller without a key, as the log names it: `person`, `public` and so on. */
const nameCaller = (by: string) => (by === 'public page' ? 'public' : by)
