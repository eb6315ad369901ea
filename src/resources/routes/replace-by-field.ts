import { route } from '../../auth/route.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { required } from '../../http/parameters.ts'
import { parsePreconditions, putHeaders } from '../../http/preconditions.ts'
import { closedQuery } from '../../http/query.ts'
import { collectionTitle, recordIdentifier } from '../../model/collection.ts'
import { responseType } from './record-contracts.ts'
import { type Resource, removeEnvelope } from './resource.ts'
import {
  bodyType,
  byField,
  commonErrors,
  locationOf,
  readWriteNote,
  respondWithRecord,
  writtenHeaders,
} from './write-record.ts'

/** `PUT /?$by=`: replaces the record that has the body's value of a field, or creates it. */
export function replaceByField(resource: Resource) {
  const { name, id: idName, query, related } = resource
  return route(
    {
      operationId: `replace${recordIdentifier(name)}ByField`,
      summary: `Create or replace one of the ${collectionTitle(name)} by a field`,
      description: `Replaces the record that has the same value of the field \`$by\` as the body, or creates one with a new ${idName} if none has. If several have it, the response is 409 and nothing is written. The body has the form of \`GET\`, with or without its envelope; its ${idName} is optional. ${readWriteNote}`,
      isAddition: true,
      query: closedQuery({
        ...query.parameters,
        $by: required(byField, 'must be the name of a field.'),
      }),
      headers: putHeaders,
      input: { type: bodyType(resource) },
      responseHeaders: writtenHeaders,
      responses: () => ({
        200: responseType(resource),
        201: responseType(resource),
        409: ErrorBody,
        412: ErrorBody,
        ...commonErrors,
      }),
    },
    async (c) => {
      const { $by: by } = c.req.valid('query')
      const preconditions = parsePreconditions(c.req.valid('header'))
      const body = removeEnvelope(resource, c.req.valid('json'))
      const records = await c.var.openRecords()
      const written = await records.replaceBy(resource, by, body, preconditions, related)
      const { id, created, single } = written
      const record = { id, single, profileFields: c.req.query('profileFields') }
      const headers = created ? { Location: locationOf(name, id) } : undefined
      return respondWithRecord(c, resource, record, created ? 201 : 200, headers)
    },
  )
}
