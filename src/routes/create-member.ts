import type { Handler } from 'hono'
import type { Env } from '../auth/env.ts'
import { bodyText } from '../http/body.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { closedQuery } from '../http/query.ts'
import { repeatHeaders } from '../http/repeat.ts'
import { ErrorBody } from '../model/error-body.ts'
import { givenPerson } from '../people/contracts.ts'
import type { Target } from '../records/target.ts'
import { createdType } from '../representations/json.ts'

const contract = {
  summary: 'Create a member',
  description:
    "A member of the organisation, from values by the id or the name of the schema's fields. Everything that is wrong with the body is named in one answer, and then nothing is created.",
  query: closedQuery(),
  organisation: 'body',
  headers: repeatHeaders,
  given: { type: givenPerson },
  answers: {
    201: createdType('member'),
    403: ErrorBody,
    413: ErrorBody,
    415: ErrorBody,
    422: ErrorBody,
  },
} as const

/** `POST /members`: creates a member of what the body gives by schema field (contract 4.2, decisions 6). */
export function createMember(target: Target) {
  const handler: Handler<Env, '/', Valid<typeof contract>> = async (c) => {
    const key = c.req.valid('header')['Idempotency-Key']
    const repeat = key === undefined ? undefined : { key, body: await bodyText(c.req) }
    const id = await c.var.records.createMember(target, c.req.valid('json'), repeat)
    return c.json({ member: { id } }, 201, { Location: `/api/v1/members/${id}` })
  }
  return [endpoint(contract), handler] as const
}
