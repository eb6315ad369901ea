import type { HonoRequest } from 'hono'
import { ApiError } from '../model/api-error.ts'
import type { Settings } from '../platform/bindings.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { parseLimit, type Remainder } from '../platform/rate-limit-policy.ts'

/** The requests of each caller in this isolate since a time in milliseconds. */
const counts = new BoundedMap<string, { since: number; requests: number }>(10_000)

/**
 * Counts a request by a credential. Returns the maximum number that remains, because other isolates
 * count by themselves; undefined if RATE_LIMIT_POLICY has no limit. Throws 429 above the limit in
 * wrangler.toml.
 */
export async function limitRequests(
  env: Settings,
  caller: string,
  now = Date.now(),
): Promise<Remainder | undefined> {
  const { success } = await env.LIMIT_BY_CREDENTIAL.limit({ key: caller })
  if (!success) throw tooManyRequests('These credentials have made too many requests')
  const limit = parseLimit(env.RATE_LIMIT_POLICY, 'credential')
  if (!limit) return undefined
  const last = counts.get(caller)
  const isOver = !last || now >= last.since + 1000 * limit.seconds
  const { since, requests } = isOver ? { since: now, requests: 0 } : last
  counts.set(caller, { since, requests: requests + 1 })
  return {
    left: Math.max(0, limit.max - requests - 1),
    seconds: Math.ceil(limit.seconds - (now - since) / 1000),
  }
}

/** A kind of failure. Each has its own count, so that wrong keys do not block the sign-in. */
type Failure =
  | 'key'
  | 'token'
  | 'session'
  | 'sign-in'
  | 'code'
  | 'readiness'
  | 'operator'
  | 'preflight'

/** Counts a failure for the client's network. Throws 429 above the limit in wrangler.toml. */
export async function limitFailures({ env, req }: LimitContext, failure: Failure): Promise<void> {
  const key = `${failure} ${await findNetwork(req)}`
  const { success } = await env.LIMIT_FAILURES_BY_ADDRESS.limit({ key })
  if (!success)
    throw tooManyRequests('Too many requests with bad credentials came from this address')
}

/** Counts a request to a public page for the client's network. Throws 429 above the limit. */
export async function limitPublicPages({ env, req }: LimitContext): Promise<void> {
  const { success } = await env.LIMIT_PUBLIC_PAGES_BY_ADDRESS.limit({ key: await findNetwork(req) })
  if (!success) throw tooManyRequests('Too many requests came from this address')
}

/**
 * Counts a form that was sent to `target`, an event or a form of an organisation, for the client's
 * network and for the target. Throws 429 above either limit.
 */
export async function limitForms({ env, req }: LimitContext, target: string): Promise<void> {
  const network = await findNetwork(req)
  const [byAddress, byTarget] = await Promise.all([
    env.LIMIT_FORMS_BY_ADDRESS.limit({ key: `${target} ${network}` }),
    env.LIMIT_FORMS_BY_TARGET.limit({ key: target }),
  ])
  if (!byAddress.success || !byTarget.success) throw tooManyRequests('This form was sent too often')
}

/** The client's network, by which requests are counted. A request with a known key needs no code that parses addresses. */
export async function findNetwork(req: HonoRequest): Promise<string> {
  const { clientNetwork } = await import('../platform/client-network.ts')
  const address = req.header('CF-Connecting-IP') ?? 'unknown'
  return clientNetwork(address) ?? address
}

type LimitContext = { env: Settings; req: HonoRequest }

const tooManyRequests = (reason: string) =>
  new ApiError('RATE_LIMITED', `${reason}; try again in a minute.`, { 'Retry-After': '60' })
