import type { Context, Handler } from 'hono'
import * as z from 'zod'
import { hashOf } from '../auth/api-key.ts'
import type { Env } from '../env.ts'
import { bodyText, jsonObject } from '../http/body.ts'
import { endpoint, sentence } from '../http/contract.ts'
import { ApiError, ErrorBody } from '../http/errors.ts'
import { closedQuery } from '../http/query.ts'
import { isRemembered, type Made, type Repeatable } from '../store/create.ts'
import { isConnectionLost } from '../store/outage.ts'
import { enriched } from './enriched.ts'
import type { Values } from './layout.ts'
import { checkPerson, personDocument } from './person.ts'
import type { Schema } from './schema.ts'

/** `POST /members`: creates a member of what the body gives by schema field (contract 4.2, decisions 6). */
export function createMember() {
  const contract = endpoint({
    summary: 'Create a member',
    description:
      "A member of the organisation, from values by the id or the name of the schema's fields. Everything that is wrong with the body is named in one answer, and then nothing is created.",
    query: closedQuery(),
    headers: {
      'Idempotency-Key':
        'Any text of up to 255 characters. A request that is sent again with it within 24 hours gets the first answer again and creates nothing.',
    },
    body: z.record(z.string(), z.unknown()).meta({
      description: 'Values by schema field; nested fields by dotted key, or nested.',
      examples: [
        {
          'Full Name': 'Amara Abara',
          Postcode: 'LS11 0ES',
          'demographics.ethnicity': 'Black British',
        },
      ],
    }),
    answers: {
      201: z.strictObject({ member: z.strictObject({ id: z.string() }) }),
      413: ErrorBody,
      415: ErrorBody,
      422: ErrorBody,
    },
  })
  const handler: Handler<Env> = async (c) => {
    const given = givenValues(c, await jsonObject(c))
    const request = await repeatable(c)
    const { schema: kept, before } = await c.var.store.creation('members', request)
    if (request && before) return repeated(c, request, before)
    const schema: Schema = kept ? JSON.parse(kept) : { name: '', fields: [] }
    const [values = {}] = await enriched(c.env.GEOGRAPHY, schema, [checked(schema, given)])
    const id = crypto.randomUUID()
    const unique = schema.fields.flatMap(({ id: field, type }) =>
      type === 'uniqueId' && Object.hasOwn(values, field)
        ? [{ field, value: String(values[field]) }]
        : [],
    )
    const member = { id, document: personDocument('members', id, values) }
    try {
      const { taken } = await c.var.store.createMember(member, unique, request)
      const faults = taken.map((field) => ({ field, reason: 'is the value of another member.' }))
      if (faults.length > 0) throw new ApiError('BAD_REQUEST', sentence(faults))
      return created(c, id)
    } catch (error) {
      // The same request was answered in the meantime, and its member may have the unique values; or
      // this one was and only its answer is lost.
      const mayBeAnswered =
        isRemembered(error) || isConnectionLost(error) || error instanceof ApiError
      if (!request || !mayBeAnswered) throw error
      const { before } = await c.var.store.creation('members', request)
      if (!before) throw error
      return repeated(c, request, before)
    }
  }
  return [contract, handler] as const
}

/** What is to be kept; 400 when there is nothing or something is wrong with it. */
function checked(schema: Schema, given: Record<string, unknown>): Values {
  const person = checkPerson('members', schema, given)
  if ('faults' in person) throw new ApiError('BAD_REQUEST', sentence(person.faults))
  if (Object.keys(person.kept).length === 0) {
    throw new ApiError('BAD_REQUEST', 'The body gives no field a value.')
  }
  return person.kept
}

/** The body less the organisation, which a token must name somewhere and a key may not name. */
function givenValues(c: Context<Env>, body: Record<string, unknown>): Record<string, unknown> {
  const { organisationId, ...given } = body
  const withKey = c.req.header('x-api-key') !== undefined
  if (withKey && (organisationId !== undefined || c.req.query('organisationId') !== undefined)) {
    throw new ApiError('BAD_REQUEST', 'organisationId: must not be given with a key.')
  }
  return given
}

async function repeatable(c: Context<Env>): Promise<Repeatable | undefined> {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return undefined
  if (key === '' || key.length > 255) {
    throw new ApiError('BAD_REQUEST', 'Idempotency-Key: must have 1 to 255 characters.')
  }
  const { who, organisationId } = c.var.store
  return {
    id: await hashOf(JSON.stringify([who, organisationId, key])),
    body: await hashOf(await bodyText(c)),
  }
}

function repeated(c: Context<Env>, { body }: Repeatable, before: string): Response {
  const made: Made = JSON.parse(before)
  if (made.body === body) return created(c, made.memberId)
  throw new ApiError('UNPROCESSABLE', 'Idempotency-Key: was used with another body.')
}

const created = (c: Context<Env>, id: string) =>
  c.json({ member: { id } }, 201, { Location: `/api/v1/members/${id}` })
