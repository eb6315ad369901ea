import { type Context, type Handler, Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../../auth/env.ts'
import { createdResponseType, writtenResponse } from '../../formats/json.ts'
import { readText } from '../../http/body.ts'
import { type Contract, endpoint, type ValidInput } from '../../http/contract.ts'
import { idempotencyHeaders } from '../../http/idempotency-key.ts'
import { matchHeaders, parsePreconditions, putHeaders } from '../../http/preconditions.ts'
import { closedQuery } from '../../http/query.ts'
import { ApiError } from '../../model/api-error.ts'
import { collectionTitle } from '../../model/collection-title.ts'
import { ErrorBody } from '../../model/error-body.ts'
import { maxValuesWritten } from '../../records/size-limits.ts'
import type { Single } from '../../store/read/single.ts'
import { cascadeParameter } from './cascade.ts'
import { countsType, shownCounts } from './counts.ts'
import { deletePerson } from './delete-person.ts'
import { removeEnvelope } from './envelope.ts'
import { pathParameters, type Resource } from './resource.ts'

const additionNote = 'An addition to the contract, for credentials with the right to write.'
const readWriteNote =
  'An addition to the contract, for credentials with the rights to write and to read.'
const commonErrors = { 403: ErrorBody, 413: ErrorBody, 415: ErrorBody } as const
const maxRecords = 250

/** The properties beside the records of a list answer: accepted and ignored, so that the answer can be sent back whole. */
const listEnvelope = {
  schemaInfo: z
    .unknown()
    .optional()
    .meta({
      description: 'Ignored: part of a list answer of people.',
      examples: [{ schemaId: 'master' }],
    }),
  offset: z
    .int()
    .optional()
    .meta({ description: 'Ignored: part of a list answer.', examples: [0] }),
  limit: z
    .int()
    .optional()
    .meta({ description: 'Ignored: part of a list answer.', examples: [100] }),
  total: z
    .int()
    .optional()
    .meta({ description: 'Ignored: part of a list answer.', examples: [2] }),
}

const patchType = z.unknown().meta({
  type: 'object',
  additionalProperties: {},
  description: 'What to change of the record; null takes a value away.',
  examples: [{}],
})

/** Every way to write the records of a collection (additions 1), but for members' `POST`, which the contract has. */
export function writeRoutes(resource: Resource) {
  const { id, name, kind } = resource
  const deletion = kind ? deletePerson({ ...resource, kind }) : deleteRecord(resource)
  const routes = new Hono<Env>()
    .patch('/', ...mergeRecords(resource))
    .put(`/:${id}`, ...replaceRecord(resource))
    .patch(`/:${id}`, ...mergeRecord(resource))
    .delete(`/:${id}`, ...deletion)
  return name === 'members' ? routes : routes.post('/', ...createRecord(resource))
}

/** `POST /`: creates a record, of the id it gives or of a new one. */
function createRecord(resource: Resource) {
  const { name, singular, id: idName, inputType } = resource
  const contract = {
    summary: `Create one of the ${collectionTitle(name)}`,
    description: `${additionNote} The body is a record as a single answer shows it, or the whole answer; without a ${idName} it gets one. Everything that is wrong with it is named in one answer, and then nothing is created.`,
    query: closedQuery(),
    headers: idempotencyHeaders,
    input: { type: inputType },
    responses: {
      201: createdResponseType(singular),
      409: ErrorBody,
      422: ErrorBody,
      ...commonErrors,
    },
  } satisfies Contract
  const handler: Handler<Env, string, ValidInput<typeof contract>> = async (c) => {
    const idempotencyKey = await parseIdempotencyKey(c, c.req.valid('header')['Idempotency-Key'])
    const body = removeEnvelope(resource, c.req.valid('json'))
    const id = await c.var.records.create(resource, body, idempotencyKey)
    return c.json({ [singular]: { id } }, 201, { Location: locationOf(name, id) })
  }
  return [endpoint(contract), handler] as const
}

/** `PATCH /`: merges up to 250 records into those of their ids, or creates them; all or none. */
function mergeRecords(resource: Resource) {
  const { name, plural, singular, kind, id: idName, inputType } = resource
  const contract = {
    summary: `Create or change ${collectionTitle(name)}`,
    description: `${additionNote} Each record is a JSON Merge Patch (RFC 7396) for the one with its ${idName}, or is created: a property that is left out stays as it is, null takes its value away, and a list is replaced as a whole. The whole answer of a list can be sent back. If anything is wrong with any of them, all of that is named in one answer and none is written.`,
    query: closedQuery(),
    headers: idempotencyHeaders,
    input: {
      type: z.strictObject({
        [plural]: z
          .array(inputType)
          .min(1)
          .max(maxRecords)
          .meta({
            description: `The records, each with its ${idName}: 1 to ${maxRecords}. Those that change may have at most ${maxValuesWritten.toLocaleString('en-GB')} values altogether, counted before and after the change.`,
            ...(kind && { examples: [[{ [idName]: `${singular}-0001`, Postcode: 'LS11 0ES' }]] }),
          }),
        ...listEnvelope,
      }),
    },
    responses: {
      200: countsType(),
      422: ErrorBody,
      ...commonErrors,
    },
  } satisfies Contract
  const handler: Handler<Env, string, ValidInput<typeof contract>> = async (c) => {
    const { [plural]: records, ...otherProperties } = c.req.valid('json')
    if (!Array.isArray(records) || records.length === 0 || records.length > maxRecords)
      throw new ApiError('BAD_REQUEST', `${plural}: must be a list of 1 to ${maxRecords} records.`)
    const unknownProperty = Object.keys(otherProperties).find(
      (property) => !Object.hasOwn(listEnvelope, property),
    )
    if (unknownProperty !== undefined)
      throw new ApiError(
        'BAD_REQUEST',
        `${unknownProperty}: is not a property of a list of ${collectionTitle(name)}.`,
      )
    const idempotencyKey = await parseIdempotencyKey(c, c.req.valid('header')['Idempotency-Key'])
    const counts = await c.var.records.upsertBatch(resource, records, idempotencyKey)
    return c.json(shownCounts(counts, c.var.store))
  }
  return [endpoint(contract), handler] as const
}

/** `PUT /:id`: a record in the place of the one with this id, or a new one. */
function replaceRecord(resource: Resource) {
  const { name, id: idName, query, inputType, responseType, related } = resource
  const contract = {
    summary: `Create or replace one of the ${collectionTitle(name)}`,
    description: `${readWriteNote} The body is a record as a single answer shows it, or the whole answer; properties that it leaves out have no value, and derived properties are worked out again.`,
    path: pathParameters(resource),
    query,
    headers: putHeaders,
    input: { type: inputType },
    responses: { 200: responseType, 201: responseType, 412: ErrorBody, ...commonErrors },
  } satisfies Contract
  const handler: Handler<Env, string, ValidInput<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const preconditions = parsePreconditions(c.req.valid('header'))
    const body = removeEnvelope(resource, c.req.valid('json'))
    const { created, single } = await c.var.records.replace(
      resource,
      id,
      body,
      preconditions,
      related,
    )
    const { profileFields } = c.req.valid('query')
    const headers = created ? { Location: locationOf(name, id) } : undefined
    return respondWithRecord(
      c,
      resource,
      { id, single, profileFields },
      created ? 201 : 200,
      headers,
    )
  }
  return [endpoint(contract), handler] as const
}

/** `PATCH /:id`: merges a JSON Merge Patch into a record. */
function mergeRecord(resource: Resource) {
  const { name, id: idName, query, responseType, related } = resource
  const contract = {
    summary: `Change one of the ${collectionTitle(name)}`,
    description: `${readWriteNote} A JSON Merge Patch (RFC 7396): the values it names replace those of the record, null removes a value, and all others stay. A whole answer may be sent back as well.`,
    path: pathParameters(resource),
    query,
    headers: matchHeaders,
    input: { type: patchType, mediaTypes: ['application/merge-patch+json', 'application/json'] },
    responses: { 200: responseType, 404: ErrorBody, 412: ErrorBody, ...commonErrors },
  } satisfies Contract
  const handler: Handler<Env, string, ValidInput<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const preconditions = parsePreconditions(c.req.valid('header'))
    const patch = removeEnvelope(resource, c.req.valid('json'))
    const single = await c.var.records.merge(resource, id, patch, preconditions, related)
    const { profileFields } = c.req.valid('query')
    return respondWithRecord(c, resource, { id, single, profileFields })
  }
  return [endpoint(contract), handler] as const
}

/** `DELETE /:id`: deletes a record that no other names, or along with those that do. */
function deleteRecord(resource: Resource) {
  const { name, id: idName } = resource
  const contract = {
    summary: `Delete one of the ${collectionTitle(name)}`,
    description: `${additionNote} A record that others name stays, and the answer counts them by collection.`,
    path: pathParameters(resource),
    query: closedQuery(cascadeParameter),
    headers: matchHeaders,
    responses: { 204: null, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
  } satisfies Contract
  const handler: Handler<Env, string, ValidInput<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const preconditions = parsePreconditions(c.req.valid('header'))
    const cascades = c.req.valid('query').$cascade === 'true'
    await c.var.records.delete(resource, id, preconditions, cascades)
    return c.body(null, 204)
  }
  return [endpoint(contract), handler] as const
}

/** The answer with a record that was just written. */
async function respondWithRecord(
  c: Context<Env>,
  { render, related }: Resource,
  { id, single, profileFields }: { id: string; single: Single; profileFields: string | undefined },
  status: 200 | 201 = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { kept } = single
  // Another may have deleted it in the same moment, if nothing had to be changed.
  if (!kept) throw new ApiError('NOT_FOUND', 'The record was deleted in the meantime.')
  const { organisationId } = c.var.store
  const { document } = kept
  const properties = render({ id, organisationId, document, single: single, profileFields })
  return writtenResponse({ kept, properties, showsOther: !!related.withMember }, status, headers)
}

const locationOf = (name: string, id: string) => `/api/v1/${name}/${encodeURIComponent(id)}`

/** The request as one that may be sent again: the same key on another path is another request. */
async function parseIdempotencyKey({ req }: Context<Env>, key: string | undefined) {
  return key === undefined
    ? undefined
    : { key, body: JSON.stringify([req.method, req.path, await readText(req)]) }
}
