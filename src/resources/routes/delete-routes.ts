import * as z from 'zod'
import { route } from '../../auth/route.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { lowerCaseBoolean } from '../../http/parameters.ts'
import { matchHeaders, parsePreconditions } from '../../http/preconditions.ts'
import { closedQuery } from '../../http/query.ts'
import { invalidField } from '../../model/api-error.ts'
import { collectionTitle, recordIdentifier } from '../../model/collection.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { sharedRecordsType } from './personal-data.ts'
import { pathParameters, type Resource } from './resource.ts'

/** The parameter that also deletes or unlinks the records that refer to the deleted one. */
const cascadeParameter = {
  $cascade: lowerCaseBoolean(
    'Whether to delete the records that depend on this one and to unlink it from all others.',
  ),
}

const ErasureType = z
  .strictObject({
    namedBy: z.record(z.string(), z.int()).meta({
      description: 'How many records of each collection referred to the person.',
      examples: [{ bookings: 3, 'case-notes': 1 }],
    }),
    matched: z.record(z.string(), z.int()).meta({
      description:
        'How many records of each collection had the id, e-mail address or telephone number of the person without referring to them.',
      examples: [{ 'grant-applications': 1 }],
    }),
    shared: sharedRecordsType(
      'The records that concern other people too: they stay without the link, or without the e-mail address and number. Read them: their text may still mention the person.',
    ),
  })
  .meta({ id: 'Erased' })

/** `DELETE /:id` of a person: deletes the record, or erases everything stored about the person. */
export function deletePerson(resource: Resource & { kind: Kind }) {
  const { name, singular, id: idName } = resource
  return route(
    {
      operationId: `erase${recordIdentifier(name)}`,
      summary: `Delete or erase a ${singular}`,
      description: `Deletes the record. If other records refer to it, the response is 409 with their number by collection. \`$erase=true\` erases the ${singular} everywhere: their bookings and grants stay, anonymised, and survey responses and case notes about them alone are deleted. Needs \`write\`, and to erase an unrestricted key or an administrator. Repeat an interrupted request.`,
      isAddition: true,
      path: pathParameters(resource),
      query: closedQuery({
        ...cascadeParameter,
        $erase: lowerCaseBoolean(`Whether to erase everything stored about the ${singular}.`),
      }),
      headers: matchHeaders,
      responses: () => ({
        200: ErasureType,
        204: null,
        403: ErrorBody,
        404: ErrorBody,
        409: ErrorBody,
        412: ErrorBody,
      }),
    },
    async (c) => {
      const id = String(c.req.param(idName))
      const preconditions = parsePreconditions(c.req.valid('header'))
      const { $cascade, $erase } = c.req.valid('query')
      if ($erase !== 'true') {
        const records = await c.var.openRecords()
        await records.delete(resource, id, preconditions, { cascade: $cascade === 'true' })
        return c.body(null, 204)
      }
      if ($cascade === 'true')
        throw invalidField('$cascade', 'not_allowed', 'cannot be combined with $erase=true.')
      const records = await c.var.openRecords()
      return c.json(await records.erase(resource, id, preconditions))
    },
  )
}

/** `DELETE /:id`: deletes a record, with `$cascade` also its dependent records. */
export function deleteRoute(resource: Resource) {
  const { name, id: idName } = resource
  return route(
    {
      operationId: `delete${recordIdentifier(name)}`,
      summary: `Delete one of the ${collectionTitle(name)}`,
      description: `Deletes the record. If other records refer to it, the response is 409 with their number by collection. Needs \`write\`.`,
      isAddition: true,
      path: pathParameters(resource),
      query: closedQuery(cascadeParameter),
      headers: matchHeaders,
      responses: () => ({
        204: null,
        403: ErrorBody,
        404: ErrorBody,
        409: ErrorBody,
        412: ErrorBody,
      }),
    },
    async (c) => {
      const id = String(c.req.param(idName))
      const preconditions = parsePreconditions(c.req.valid('header'))
      const cascades = c.req.valid('query').$cascade === 'true'
      const records = await c.var.openRecords()
      await records.delete(resource, id, preconditions, { cascade: cascades })
      return c.body(null, 204)
    },
  )
}
