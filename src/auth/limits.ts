import type { Context } from 'hono'
import type { Env } from '../env.ts'
import { ApiError } from '../http/errors.ts'

/** Counts a request of a credential; throws 429 when it has made too many (limits in wrangler.toml). */
export async function countRequest({ env }: Context<Env>, holder: string): Promise<void> {
  const { success } = await env.LIMIT_BY_CREDENTIAL.limit({ key: holder })
  if (!success) throw tooMany('These credentials have made too many requests')
}

/** Counts a credential nobody knows against the address it came from; throws 429 when there were too many. */
export async function countFailure(c: Context<Env>): Promise<void> {
  const address = c.req.header('CF-Connecting-IP') ?? 'unknown'
  const { success } = await c.env.LIMIT_FAILURES_BY_ADDRESS.limit({ key: address })
  if (!success) throw tooMany('Too many requests with bad credentials came from this address')
}

const tooMany = (what: string) =>
  new ApiError('RATE_LIMITED', `${what}; try again in a minute.`, { 'Retry-After': '60' })
