import { route } from '../../auth/route.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { idempotencyHeaders, parseIdempotencyKey } from '../../http/idempotency-key.ts'
import { matchHeaders, parsePreconditions } from '../../http/preconditions.ts'
import { closedQuery } from '../../http/query.ts'
import { collectionTitle, recordIdentifier } from '../../model/collection.ts'
import { isObject } from '../../model/json.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { idText } from '../../model/properties/types.ts'
import { references } from '../../model/references.ts'
import { withCode } from '../../model/validation-error.ts'
import * as z from '../../model/zod.ts'
import { pathParameters, type Resource } from './resource.ts'

/** `POST /:id/$merge`: merges another person into this one. */
export function mergeRoute(resource: Resource & { kind: Kind }) {
  const { singular, id: idName, kind } = resource
  const referring = references
    .filter(({ to }) => to === kind)
    .map(({ from }) => collectionTitle(from))
  return route(
    {
      operationId: `merge${recordIdentifier(kind)}`,
      summary: `Merge two ${kind}`,
      description: `Merges another ${singular} into this one, in one transaction. Records that refer to the other (${referring.join(', ')}) then refer to this one, and the other is deleted. Values in \`fields\` win; fields without a value here take the other's. Moves at most 1,000 records. Needs the \`write\` permission, and a key must see every record.`,
      isAddition: true,
      path: pathParameters(resource),
      query: closedQuery(),
      headers: { ...matchHeaders, ...idempotencyHeaders },
      body: z.strictObject({
        from: idText(z).meta({
          description: `The ${idName} of the ${singular} to delete.`,
          examples: [`${singular}-2`],
        }),
        // z.record would lose a field called __proto__.
        fields: z
          .unknown()
          .pipe(
            z.custom<Record<string, unknown>>(isObject, {
              error: 'must be an object.',
              ...withCode('invalid_type'),
            }),
          )
          .optional()
          .meta({
            type: 'object',
            additionalProperties: {},
            description: `The chosen values of this ${singular}, as a JSON Merge Patch; null clears a value.`,
            examples: [{ Phone: '0113 496 0999' }],
          }),
      }),
      responses: () => ({
        200: z.strictObject({
          [singular]: z
            .strictObject({
              id: z.string().meta({
                description: `The ${idName} of the ${singular} who stays.`,
                examples: [`${singular}-1`],
              }),
            })
            .meta({ description: `The ${singular} who stays.` }),
          moved: z.record(z.string(), z.int()).meta({
            description: 'How many records of each collection moved.',
            examples: [{ bookings: 3, 'case-notes': 1 }],
          }),
        }),
        403: ErrorBody,
        404: ErrorBody,
        412: ErrorBody,
        413: ErrorBody,
        415: ErrorBody,
        422: ErrorBody,
      }),
    },
    async (c) => {
      const id = String(c.req.param(idName))
      const headers = c.req.valid('header')
      const { from, fields = {} } = c.req.valid('json')
      const records = await c.var.openRecords()
      const moved = await records.mergePeople(
        resource,
        { id, from, fields },
        parsePreconditions(headers),
        await parseIdempotencyKey(c.req, headers['Idempotency-Key']),
      )
      return c.json({ [singular]: { id }, moved })
    },
  )
}
