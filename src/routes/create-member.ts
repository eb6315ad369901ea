import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { bodyText } from '../http/body.ts'
import { endpoint, type Valid } from '../http/contract.ts'
import { closedQuery } from '../http/query.ts'
import { ErrorBody } from '../model/error-body.ts'

const contract = {
  summary: 'Create a member',
  description:
    "A member of the organisation, from values by the id or the name of the schema's fields. Everything that is wrong with the body is named in one answer, and then nothing is created.",
  query: closedQuery(),
  organisation: 'body',
  headers: z.object({
    'Idempotency-Key': z
      .string()
      .min(1, 'must have 1 to 255 characters.')
      .max(255, 'must have 1 to 255 characters.')
      .optional()
      .meta({
        description:
          'Any text of up to 255 characters. A request that is sent again with it within 24 hours gets the first answer again and creates nothing.',
      }),
  }),
  // An object by now, and not z.record, which loses a field called __proto__.
  body: z
    .unknown()
    .meta({
      type: 'object',
      propertyNames: { type: 'string' },
      additionalProperties: {},
      description: 'Values by schema field; nested fields by dotted key, or nested.',
      examples: [
        {
          'Full Name': 'Amara Abara',
          Postcode: 'LS11 0ES',
          'demographics.ethnicity': 'Black British',
        },
      ],
    })
    .transform((given) => given as Record<string, unknown>),
  answers: {
    201: z.strictObject({ member: z.strictObject({ id: z.string() }) }),
    413: ErrorBody,
    415: ErrorBody,
    422: ErrorBody,
  },
} as const

const handler: Handler<Env, '/', Valid<typeof contract>> = async (c) => {
  const key = c.req.valid('header')['Idempotency-Key']
  const repeat = key === undefined ? undefined : { key, body: await bodyText(c.req) }
  const id = await c.var.records.createMember(c.req.valid('json'), repeat)
  return c.json({ member: { id } }, 201, { Location: `/api/v1/members/${id}` })
}

/** `POST /members`: creates a member of what the body gives by schema field (contract 4.2, decisions 6). */
export const createMember = [endpoint(contract), handler] as const
