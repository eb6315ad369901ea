import type { HonoRequest } from 'hono'
import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'

/** Counts a request of a credential; throws 429 when it has made too many (limits in wrangler.toml). */
export async function countRequest(env: Settings, holder: string): Promise<void> {
  const { success } = await env.LIMIT_BY_CREDENTIAL.limit({ key: holder })
  if (!success) throw tooMany('These credentials have made too many requests')
}

/** Counts a credential nobody knows against the address it came from; throws 429 when there were too many. */
export async function countFailure({ env, req }: Asking): Promise<void> {
  const address = req.header('CF-Connecting-IP') ?? 'unknown'
  const { success } = await env.LIMIT_FAILURES_BY_ADDRESS.limit({ key: address })
  if (!success) throw tooMany('Too many requests with bad credentials came from this address')
}

/** A request and the settings it is served by. */
type Asking = { env: Settings; req: HonoRequest }

const tooMany = (what: string) =>
  new ApiError('RATE_LIMITED', `${what}; try again in a minute.`, { 'Retry-After': '60' })
