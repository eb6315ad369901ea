import type { HonoRequest } from 'hono'
import { clientNetwork } from '../access/networks.ts'
import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'

/** Counts a request by a credential. Throws 429 above the limit in wrangler.toml. */
export async function limitRequests(env: Settings, caller: string): Promise<void> {
  const { success } = await env.LIMIT_BY_CREDENTIAL.limit({ key: caller })
  if (!success) throw tooManyRequests('These credentials have made too many requests')
}

/** A kind of failure. Each has its own count, so that wrong keys do not block the sign-in. */
type Failure = 'key' | 'token' | 'session' | 'sign-in' | 'readiness'

/** Counts a failure for the client's network. Throws 429 above the limit in wrangler.toml. */
export async function limitFailures({ env, req }: LimitContext, failure: Failure): Promise<void> {
  const network = clientNetwork(req.header('CF-Connecting-IP') ?? 'unknown')
  const key = `${failure} ${network}`
  const { success } = await env.LIMIT_FAILURES_BY_ADDRESS.limit({ key })
  if (!success)
    throw tooManyRequests('Too many requests with bad credentials came from this address')
}

type LimitContext = { env: Settings; req: HonoRequest }

const tooManyRequests = (reason: string) =>
  new ApiError('RATE_LIMITED', `${reason}; try again in a minute.`, { 'Retry-After': '60' })
