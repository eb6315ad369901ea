import type { Context, HonoRequest } from 'hono'
import { authenticateWith, credentialsOf, resolveCredential } from '../auth/authenticate.ts'
import type { WorkerEnv } from '../auth/env.ts'
import { ApiError } from '../model/api-error.ts'
import { parseAddress } from './address.ts'

/**
 * Opens the organisation in the path for its API key or a user's token, or throws 401. Only here,
 * a key can also be the password of HTTP Basic: Excel and Power BI cannot send other headers.
 */
export const authenticateOData = authenticateWith(async (c: Context<WorkerEnv>) => {
  const { organisationId, collection } = parseAddress(c.req.url)
  const credential = await resolveCredential(c, readCredentials(c.req), { id: organisationId })
  return { credential, collection: collection ?? 'none' }
})

function readCredentials(req: HonoRequest) {
  const { key, token } = credentialsOf(req)
  const password = parseBasic(req.header('Authorization'))
  if (key !== undefined && password !== undefined)
    throw new ApiError('BAD_REQUEST', 'Send either x-api-key or Authorization, not both.')
  return token?.startsWith('sk_') ? { key: token } : { key: key ?? password, token }
}

/** The password of an `Authorization: Basic` header (RFC 7617); undefined for any other header. */
function parseBasic(authorization = ''): string | undefined {
  const [scheme = '', encoded = ''] = authorization.split(' ', 2)
  if (scheme.toLowerCase() !== 'basic') return undefined
  try {
    const pair = atob(encoded)
    return pair.slice(pair.indexOf(':') + 1)
  } catch {
    return ''
  }
}
