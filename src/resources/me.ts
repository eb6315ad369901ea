import { parseRestrictions } from '../access/restriction-effects.ts'
import type { Env } from '../auth/env.ts'
import { route } from '../auth/route.ts'
import { maxBodyBytes } from '../http/body.ts'
import { Hono } from '../http/hono.ts'
import { closedQuery, defaultLimit, maxLimit } from '../http/query.ts'
import { parseLimit } from '../platform/rate-limit-policy.ts'
import { readCaller } from '../store/read/caller.ts'

const getMe = route(
  {
    operationId: 'getMe',
    summary: 'Describe the credential',
    description:
      'The organisation, permissions, restrictions and limits of the key or person that sends the request. Needs no permission.',
    isAddition: true,
    query: closedQuery(),
    responses: async () => (await import('./me-responses.ts')).meResponses,
  },
  async (c) => {
    const { store } = c.var
    const caller = await readCaller(store)
    const { permissions = '', restrictions } = store.credential
    const limits = {
      requests: parseLimit(c.env.RATE_LIMIT_POLICY, 'credential'),
      page: { default: defaultLimit, max: maxLimit },
      bodyBytes: maxBodyBytes,
    }
    return c.json({
      me: {
        ...caller,
        permissions: permissions.split(','),
        restrictions: parseRestrictions(restrictions),
        limits,
      },
    })
  },
)

export const routes = new Hono<Env>().get('/', getMe)
