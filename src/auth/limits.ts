import type { HonoRequest } from 'hono'
import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'
import { clientNetwork } from '../platform/client-network.ts'

/** Counts a request by a credential. Throws 429 above the limit in wrangler.toml. */
export async function limitRequests(env: Settings, caller: string): Promise<void> {
  const { success } = await env.LIMIT_BY_CREDENTIAL.limit({ key: caller })
  if (!success) throw tooManyRequests('These credentials have made too many requests')
}

/** Returns the limit that `limitRequests` applies, from the value of the RateLimit-Policy header; undefined if it has none. */
export function parseRequestLimit(policy: string) {
  const [, max, seconds] = /"credential";q=(\d+);w=(\d+)/.exec(policy) ?? []
  return max && seconds ? { max: Number(max), seconds: Number(seconds) } : undefined
}

/** A kind of failure. Each has its own count, so that wrong keys do not block the sign-in. */
type Failure = 'key' | 'token' | 'session' | 'sign-in' | 'readiness' | 'operator' | 'preflight'

/** Counts a failure for the client's network. Throws 429 above the limit in wrangler.toml. */
export async function limitFailures({ env, req }: LimitContext, failure: Failure): Promise<void> {
  const key = `${failure} ${networkOf(req)}`
  const { success } = await env.LIMIT_FAILURES_BY_ADDRESS.limit({ key })
  if (!success)
    throw tooManyRequests('Too many requests with bad credentials came from this address')
}

/** Counts a request to a public page for the client's network. Throws 429 above the limit. */
export async function limitPublicPages({ env, req }: LimitContext): Promise<void> {
  const { success } = await env.LIMIT_PUBLIC_PAGES_BY_ADDRESS.limit({ key: networkOf(req) })
  if (!success) throw tooManyRequests('Too many requests came from this address')
}

/**
 * Counts a form that was sent to `target`, an event or a form of an organisation, for the client's
 * network and for the target. Throws 429 above either limit.
 */
export async function limitForms({ env, req }: LimitContext, target: string): Promise<void> {
  const [byAddress, byTarget] = await Promise.all([
    env.LIMIT_FORMS_BY_ADDRESS.limit({ key: `${target} ${networkOf(req)}` }),
    env.LIMIT_FORMS_BY_TARGET.limit({ key: target }),
  ])
  if (!byAddress.success || !byTarget.success) throw tooManyRequests('This form was sent too often')
}

function networkOf(req: HonoRequest): string {
  const address = req.header('CF-Connecting-IP') ?? 'unknown'
  return clientNetwork(address) ?? address
}

type LimitContext = { env: Settings; req: HonoRequest }

const tooManyRequests = (reason: string) =>
  new ApiError('RATE_LIMITED', `${reason}; try again in a minute.`, { 'Retry-After': '60' })
