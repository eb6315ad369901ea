import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../../auth/env.ts'
import { type Contract, endpoint, type ValidInput } from '../../http/contract.ts'
import { matchHeaders, parsePreconditions } from '../../http/preconditions.ts'
import { closedQuery } from '../../http/query.ts'
import { ApiError } from '../../model/api-error.ts'
import { ErrorBody } from '../../model/error-body.ts'
import type { Kind } from '../../model/schema.ts'
import { cascadeParameter } from './cascade.ts'
import { pathParameters, type Resource } from './resource.ts'
import { sharedRecordsType } from './shared.ts'

const ErasureType = z
  .strictObject({
    namedBy: z.record(z.string(), z.int()).meta({
      description: 'How many records of each collection named the person.',
      examples: [{ bookings: 3, 'case-notes': 1 }],
    }),
    shared: sharedRecordsType(
      'Those that are of others too: they stay, without the link. What is written in them may still speak of the person: read it.',
    ),
  })
  .meta({ id: 'Erased' })

/** `DELETE /:id` of a person: deletes their record, or erases them with all that is kept of them (additions 5). */
export function deletePerson(resource: Resource & { kind: Kind }) {
  const { singular, id: idName } = resource
  const contract = {
    summary: `Delete or erase a ${singular}`,
    description: `An addition to the contract, for credentials with the right to write. A record that others name stays, and the answer counts them by collection. With \`$erase=true\` the ${singular} is nowhere afterwards: the record goes, their bookings lose whose they were, and survey responses and case notes go that are theirs alone. Keys that are held to less than everything, and people who are no administrators, cannot erase. If it breaks off, send it again.`,
    path: pathParameters(resource),
    query: closedQuery({
      ...cascadeParameter,
      $erase: z
        .enum(['true', 'false'], 'must be true or false.')
        .default('false')
        .meta({
          description: `Whether to erase the ${singular}, with all that is kept of them in every collection.`,
          examples: ['true'],
        }),
    }),
    headers: matchHeaders,
    responses: {
      200: ErasureType,
      204: null,
      403: ErrorBody,
      404: ErrorBody,
      409: ErrorBody,
      412: ErrorBody,
    },
  } satisfies Contract
  const handler: Handler<Env, string, ValidInput<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const preconditions = parsePreconditions(c.req.valid('header'))
    const { $cascade, $erase } = c.req.valid('query')
    if ($erase !== 'true') {
      await c.var.records.delete(resource, id, preconditions, $cascade === 'true')
      return c.body(null, 204)
    }
    if ($cascade === 'true')
      throw new ApiError('BAD_REQUEST', '$cascade: says nothing where $erase=true; leave it out.')
    return c.json(await c.var.records.erase(resource, id, preconditions))
  }
  return [endpoint(contract), handler] as const
}
