import { type Handler, Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { Env } from '../env.ts'
import { endpoint } from '../http/contract.ts'
import { envelope, json } from '../http/envelope.ts'
import { ApiError, ErrorBody } from '../http/errors.ts'
import { closedQuery, type QueryInput } from '../http/query.ts'
import { Field, type Schema as Kept } from '../people/schema.ts'

/** Contract 2.5. */
const Schema = z
  .strictObject({
    organisationId: z.string(),
    schemaId: z.literal('master'),
    name: z.string(),
    fields: z.array(Field),
  })
  .meta({ id: 'Schema' })

const query = closedQuery({
  kind: z
    .enum(['members', 'volunteers', 'partners'], 'must be one of members, volunteers, partners.')
    .default('members')
    .meta({ description: 'Whose schema to give.' }),
})

const contract = endpoint({
  summary: "Get an organisation's schema",
  description: 'The fields of its members, volunteers or partners, in display order.',
  path: { organisationId: 'The organisation of the credentials.' },
  query,
  answers: {
    200: Schema.extend({ schema: Schema }).meta({ id: 'SchemaAnswer' }),
    404: ErrorBody,
  },
})

// Whose schema it may be is part of authentication, so it comes before the contract (decisions 5).
const ownOrganisation: MiddlewareHandler<Env, '/:organisationId'> = async (c, next) => {
  if (c.req.param('organisationId') !== c.var.store.organisationId) {
    throw new ApiError('UNAUTHORIZED', 'These credentials are not of this organisation.')
  }
  await next()
}

// Both documented shapes in one answer (decisions 1).
const handler: Handler<Env, '/:organisationId', QueryInput<typeof query>> = async (c) => {
  const { kind } = c.req.valid('query')
  const kept = await c.var.store.schema(kind)
  if (kept === undefined) throw new ApiError('NOT_FOUND', `There is no schema of ${kind}.`)
  const { name, fields }: Kept = JSON.parse(kept)
  const schema = {
    organisationId: JSON.stringify(c.var.store.organisationId),
    schemaId: '"master"',
    name: JSON.stringify(name),
    fields: JSON.stringify(fields),
  }
  return json(envelope({ ...schema, schema: envelope(schema) }))
}

export const routes = new Hono<Env>().get('/:organisationId', ownOrganisation, contract, handler)
