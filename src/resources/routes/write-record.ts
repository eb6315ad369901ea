import type { Context } from 'hono'
import * as z from 'zod'
import type { Env } from '../../auth/env.ts'
import { route } from '../../auth/route.ts'
import { writtenResponse } from '../../formats/json.ts'
import { createdResponseType } from '../../formats/response-types.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { idempotencyHeaders, parseIdempotencyKey } from '../../http/idempotency-key.ts'
import { shortText } from '../../http/parameters.ts'
import { matchHeaders, parsePreconditions, putHeaders } from '../../http/preconditions.ts'
import { closedQuery } from '../../http/query.ts'
import { ApiError, invalidField } from '../../model/api-error.ts'
import { collectionIdentifier, collectionTitle, recordIdentifier } from '../../model/collection.ts'
import { messages } from '../../model/validation-error.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { maxValuesWritten } from '../../records/rules.ts'
import type { Single } from '../../store/read/single.ts'
import { countsType, shownCounts } from './counts.ts'
import { inputType, responseType } from './record-contracts.ts'
import { dependsOnOtherData, pathParameters, type Resource, removeEnvelope } from './resource.ts'

/** The parameter that identifies records by the value of a field. */
export const byField = shortText(
  256,
  {
    description:
      'The field that identifies a record instead of its id: a field with a text or a number, by its id or dotted path. Records match if they have exactly the value in the body, which has at most 256 bytes.',
    example: 'external.id',
  },
  { empty: messages.notEmpty, long: messages.maxCharacters(256) },
)

const writeNote = 'Needs `write`.'
export const readWriteNote = 'Needs `read` and `write`.'
export const commonErrors = { 403: ErrorBody, 413: ErrorBody, 415: ErrorBody } as const
const validators = ['ETag', 'Last-Modified'] as const
export const writtenHeaders = { 200: validators, 201: [...validators, 'Location'] } as const
const maxRecords = 250

const ignoredNumber = z
  .int()
  .meta({ id: 'IgnoredNumber', description: 'Ignored: part of a list.', examples: [0] })

/** The other properties of a list response, ignored so that a client can send it back. */
const listEnvelope = {
  schemaInfo: z
    .unknown()
    .meta({
      id: 'IgnoredSchemaInfo',
      description: 'Ignored: part of a list of people.',
      examples: [{ schemaId: 'master' }],
    })
    .optional(),
  offset: ignoredNumber.optional(),
  limit: ignoredNumber.optional(),
  total: ignoredNumber.optional(),
  next: z
    .string()
    .meta({ id: 'IgnoredAddress', description: 'Ignored: part of a list.', examples: ['/'] })
    .optional(),
}

const patchType = z.unknown().meta({
  type: 'object',
  additionalProperties: {},
  description: 'The properties to change; null clears a value.',
  examples: [{}],
  id: 'PatchInput',
})

/** The documentation of a body with one record, with or without the envelope that `removeEnvelope` unwraps. */
export function bodyType(resource: Resource): z.ZodType {
  const { name, singular, kind } = resource
  const type = inputType(resource)
  // The fields of people may have any names.
  if (kind) return type
  return z
    .union([
      type,
      z.strictObject({
        [singular]: type.meta({ description: 'The record, as `GET` returns it.' }),
      }),
    ])
    .meta({ id: `${recordIdentifier(name)}Body` })
}

/** `POST /`: creates a record. */
export function createRecord(resource: Resource) {
  const { name, singular, id: idName } = resource
  return route(
    {
      operationId: `create${recordIdentifier(name)}`,
      summary: `Create one of the ${collectionTitle(name)}`,
      description: `Creates a record from a body in the form that \`GET\` returns, with or without its envelope. A missing ${idName} is generated; other absent properties have no value. If anything is invalid, the response lists every error and nothing is created. ${writeNote}`,
      isAddition: true,
      query: closedQuery(),
      headers: idempotencyHeaders,
      input: { type: bodyType(resource) },
      responseHeaders: { 201: ['Location'] },
      responses: () => ({
        201: createdResponseType(singular),
        409: ErrorBody,
        422: ErrorBody,
        ...commonErrors,
      }),
    },
    async (c) => {
      const idempotencyKey = await parseIdempotencyKey(
        c.req,
        c.req.valid('header')['Idempotency-Key'],
      )
      const body = removeEnvelope(resource, c.req.valid('json'))
      const records = await c.var.openRecords()
      const id = await records.create(resource, body, idempotencyKey)
      return c.json({ [singular]: { id } }, 201, { Location: locationOf(name, id) })
    },
  )
}

/** `PATCH /`: creates or merges up to 250 records, all or none. */
export function mergeRecords(resource: Resource) {
  const { name, plural, singular, kind, id: idName } = resource
  return route(
    {
      operationId: `upsert${collectionIdentifier(name)}`,
      summary: `Create or change ${collectionTitle(name)}`,
      description: `Creates or changes each record by its ${idName}, or by the field in \`$by\`, as a JSON Merge Patch (RFC 7396): absent properties stay unchanged, null clears a value, and a list is replaced as a whole. The response of a list can be sent back. If anything is invalid, the response lists every error and nothing is written. ${writeNote} \`$by\` also needs \`read\`.`,
      isAddition: true,
      query: closedQuery({ $by: byField }),
      headers: idempotencyHeaders,
      input: {
        type: z.strictObject({
          [plural]: z
            .array(inputType(resource))
            .min(1)
            .max(maxRecords)
            .meta({
              description: `1 to ${maxRecords} records, each with its ${idName}. Those that change have at most ${formatNumber(maxValuesWritten)} values in total, before and after the change.`,
              ...(kind && { examples: [[{ [idName]: `${singular}-0001`, Postcode: 'LS11 0ES' }]] }),
            }),
          ...listEnvelope,
        }),
      },
      responses: () => ({
        200: countsType().meta({ id: 'Upserted' }),
        409: ErrorBody,
        422: ErrorBody,
        ...commonErrors,
      }),
    },
    async (c) => {
      const { [plural]: inputs, ...otherProperties } = c.req.valid('json')
      if (!Array.isArray(inputs) || inputs.length === 0 || inputs.length > maxRecords)
        throw invalidField(plural, 'invalid_type', `must be a list of 1 to ${maxRecords} records.`)
      const unknownProperty = Object.keys(otherProperties).find(
        (property) => !Object.hasOwn(listEnvelope, property),
      )
      if (unknownProperty !== undefined)
        throw invalidField(
          unknownProperty,
          'unknown_field',
          `is not a property of a list of ${collectionTitle(name)}.`,
        )
      const { $by: by } = c.req.valid('query')
      const key = await parseIdempotencyKey(c.req, c.req.valid('header')['Idempotency-Key'], by)
      const records = await c.var.openRecords()
      const counts = await records.upsertBatch(resource, inputs, { key, by })
      return c.json(shownCounts(counts, c.var.store))
    },
  )
}

/** `PUT /:id`: creates or replaces a record. */
export function replaceRecord(resource: Resource) {
  const { name, id: idName, query, related } = resource
  return route(
    {
      operationId: `replace${recordIdentifier(name)}`,
      summary: `Create or replace one of the ${collectionTitle(name)}`,
      description: `Replaces the record by a body in the form of \`GET\`, with or without its envelope. Absent properties lose their value. ${readWriteNote}`,
      isAddition: true,
      path: pathParameters(resource),
      query,
      headers: putHeaders,
      input: { type: bodyType(resource) },
      responseHeaders: writtenHeaders,
      responses: () => ({
        200: responseType(resource),
        201: responseType(resource),
        412: ErrorBody,
        ...commonErrors,
      }),
    },
    async (c) => {
      const id = String(c.req.param(idName))
      const preconditions = parsePreconditions(c.req.valid('header'))
      const body = removeEnvelope(resource, c.req.valid('json'))
      const records = await c.var.openRecords()
      const { created, single } = await records.replace(resource, id, body, preconditions, related)
      const { profileFields } = c.req.valid('query')
      const headers = created ? { Location: locationOf(name, id) } : undefined
      return respondWithRecord(
        c,
        resource,
        { id, single, profileFields },
        created ? 201 : 200,
        headers,
      )
    },
  )
}

/** `PATCH /:id`: merges a JSON Merge Patch into a record. */
export function mergeRecord(resource: Resource) {
  const { name, id: idName, query, related } = resource
  return route(
    {
      operationId: `update${recordIdentifier(name)}`,
      summary: `Change one of the ${collectionTitle(name)}`,
      description: `Applies a JSON Merge Patch (RFC 7396): null clears a value. A response of \`GET\` can be sent back as well. ${readWriteNote}`,
      isAddition: true,
      path: pathParameters(resource),
      query,
      headers: matchHeaders,
      input: { type: patchType, mediaTypes: ['application/merge-patch+json', 'application/json'] },
      responseHeaders: { 200: validators },
      responses: () => ({
        200: responseType(resource),
        404: ErrorBody,
        412: ErrorBody,
        ...commonErrors,
      }),
    },
    async (c) => {
      const id = String(c.req.param(idName))
      const preconditions = parsePreconditions(c.req.valid('header'))
      const patch = removeEnvelope(resource, c.req.valid('json'))
      const records = await c.var.openRecords()
      const single = await records.merge(resource, id, patch, preconditions, related)
      const { profileFields } = c.req.valid('query')
      return respondWithRecord(c, resource, { id, single, profileFields })
    },
  )
}

export async function respondWithRecord(
  c: Context<Env>,
  resource: Resource,
  { id, single, profileFields }: { id: string; single: Single; profileFields: string | undefined },
  status: 200 | 201 = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { record } = single
  // If nothing changed, another request may have deleted the record.
  if (!record) throw new ApiError('NOT_FOUND', 'The record was deleted by another request.')
  const { organisationId, policy } = c.var.store
  const { document } = record
  const properties = resource.render({ id, organisationId, document, single, profileFields })
  return writtenResponse(
    { record, properties, dependsOnOtherData: dependsOnOtherData(resource, policy) },
    status,
    headers,
  )
}

export const locationOf = (name: string, id: string) => `/api/v1/${name}/${encodeURIComponent(id)}`
