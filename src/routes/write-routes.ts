import { type Context, type Handler, Hono } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { bodyText } from '../http/body.ts'
import { type Contract, endpoint, type Valid } from '../http/contract.ts'
import { conditionsOf, matchHeaders, putHeaders } from '../http/preconditions.ts'
import { closedQuery } from '../http/query.ts'
import { repeatHeaders } from '../http/repeat.ts'
import { ApiError } from '../model/api-error.ts'
import { ErrorBody } from '../model/error-body.ts'
import { words } from '../model/words.ts'
import { maxValuesWritten } from '../records/bounds.ts'
import { createdType, writtenAnswer } from '../representations/json.ts'
import type { Single } from '../store/single.ts'
import { cascade } from './cascade.ts'
import { countsType, shownCounts } from './counts.ts'
import { withoutEnvelope } from './envelope.ts'
import { removePerson } from './remove-person.ts'
import { pathOf, type Subject } from './subject.ts'

const addition = 'An addition to the contract, for credentials with the right to write.'
const shown = 'An addition to the contract, for credentials with the rights to write and to read.'
const refusals = { 403: ErrorBody, 413: ErrorBody, 415: ErrorBody } as const
const mostRecords = 250

/** The properties beside the records of a list answer: accepted and ignored, so that the answer can be sent back whole. */
const envelope = {
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

const patch = z.unknown().meta({
  type: 'object',
  additionalProperties: {},
  description: 'What to change of the record; null takes a value away.',
  examples: [{}],
})

/** Every way to write the records of a collection (additions 1), but for members' `POST`, which the contract has. */
export function writes(subject: Subject) {
  const { id, name, kind } = subject
  const removal = kind ? removePerson({ ...subject, kind }) : remove(subject)
  const routes = new Hono<Env>()
    .patch('/', ...mergeAll(subject))
    .put(`/:${id}`, ...replace(subject))
    .patch(`/:${id}`, ...merge(subject))
    .delete(`/:${id}`, ...removal)
  return name === 'members' ? routes : routes.post('/', ...create(subject))
}

/** `POST /`: creates a record, of the id it gives or of a new one. */
function create(subject: Subject) {
  const { name, singular, id: idName, given } = subject
  const contract = {
    summary: `Create one of the ${words(name)}`,
    description: `${addition} The body is a record as a single answer shows it, or the whole answer; without a ${idName} it gets one. Everything that is wrong with it is named in one answer, and then nothing is created.`,
    query: closedQuery(),
    headers: repeatHeaders,
    given: { type: given },
    answers: {
      201: createdType(singular),
      409: ErrorBody,
      422: ErrorBody,
      ...refusals,
    },
  } satisfies Contract
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const repeat = await repeatOf(c, c.req.valid('header')['Idempotency-Key'])
    const body = withoutEnvelope(subject, c.req.valid('json'))
    const id = await c.var.records.create(subject, body, repeat)
    return c.json({ [singular]: { id } }, 201, { Location: locationOf(name, id) })
  }
  return [endpoint(contract), handler] as const
}

/** `PATCH /`: merges up to 250 records into those of their ids, or creates them; all or none. */
function mergeAll(subject: Subject) {
  const { name, plural, singular, kind, id: idName, given } = subject
  const contract = {
    summary: `Create or change ${words(name)}`,
    description: `${addition} Each record is a JSON Merge Patch (RFC 7396) for the one with its ${idName}, or is created: a property that is left out stays as it is, null takes its value away, and a list is replaced as a whole. The whole answer of a list can be sent back. If anything is wrong with any of them, all of that is named in one answer and none is written.`,
    query: closedQuery(),
    headers: repeatHeaders,
    given: {
      type: z.strictObject({
        [plural]: z
          .array(given)
          .min(1)
          .max(mostRecords)
          .meta({
            description: `The records, each with its ${idName}: 1 to ${mostRecords}. Those that change may have at most ${maxValuesWritten.toLocaleString('en-GB')} values altogether, counted before and after the change.`,
            ...(kind && { examples: [[{ [idName]: `${singular}-0001`, Postcode: 'LS11 0ES' }]] }),
          }),
        ...envelope,
      }),
    },
    answers: {
      200: countsType(),
      422: ErrorBody,
      ...refusals,
    },
  } satisfies Contract
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const { [plural]: records, ...beside } = c.req.valid('json')
    if (!Array.isArray(records) || records.length === 0 || records.length > mostRecords)
      throw new ApiError('BAD_REQUEST', `${plural}: must be a list of 1 to ${mostRecords} records.`)
    const unknown = Object.keys(beside).find((property) => !Object.hasOwn(envelope, property))
    if (unknown !== undefined)
      throw new ApiError(
        'BAD_REQUEST',
        `${unknown}: is not a property of a list of ${words(name)}.`,
      )
    const repeat = await repeatOf(c, c.req.valid('header')['Idempotency-Key'])
    const counts = await c.var.records.mergeAll(subject, records, repeat)
    return c.json(shownCounts(counts, c.var.store))
  }
  return [endpoint(contract), handler] as const
}

/** `PUT /:id`: a record in the place of the one with this id, or a new one. */
function replace(subject: Subject) {
  const { name, id: idName, query, given, answer, sought } = subject
  const contract = {
    summary: `Create or replace one of the ${words(name)}`,
    description: `${shown} The body is a record as a single answer shows it, or the whole answer; properties that it leaves out have no value, and derived properties are worked out again.`,
    path: pathOf(subject),
    query,
    headers: putHeaders,
    given: { type: given },
    answers: { 200: answer, 201: answer, 412: ErrorBody, ...refusals },
  } satisfies Contract
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const conditions = conditionsOf(c.req.valid('header'))
    const body = withoutEnvelope(subject, c.req.valid('json'))
    const { created, single } = await c.var.records.replace(subject, id, body, conditions, sought)
    const { profileFields } = c.req.valid('query')
    const headers = created ? { Location: locationOf(name, id) } : undefined
    return written(c, subject, { id, single, profileFields }, created ? 201 : 200, headers)
  }
  return [endpoint(contract), handler] as const
}

/** `PATCH /:id`: merges a JSON Merge Patch into a record. */
function merge(subject: Subject) {
  const { name, id: idName, query, answer, sought } = subject
  const contract = {
    summary: `Change one of the ${words(name)}`,
    description: `${shown} A JSON Merge Patch (RFC 7396): the values it names replace those of the record, null removes a value, and all others stay. A whole answer may be sent back as well.`,
    path: pathOf(subject),
    query,
    headers: matchHeaders,
    given: { type: patch, as: ['application/merge-patch+json', 'application/json'] },
    answers: { 200: answer, 404: ErrorBody, 412: ErrorBody, ...refusals },
  } satisfies Contract
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const conditions = conditionsOf(c.req.valid('header'))
    const patch = withoutEnvelope(subject, c.req.valid('json'))
    const single = await c.var.records.merge(subject, id, patch, conditions, sought)
    const { profileFields } = c.req.valid('query')
    return written(c, subject, { id, single, profileFields })
  }
  return [endpoint(contract), handler] as const
}

/** `DELETE /:id`: deletes a record that no other names, or along with those that do. */
function remove(subject: Subject) {
  const { name, id: idName } = subject
  const contract = {
    summary: `Delete one of the ${words(name)}`,
    description: `${addition} A record that others name stays, and the answer counts them by collection.`,
    path: pathOf(subject),
    query: closedQuery(cascade),
    headers: matchHeaders,
    answers: { 204: null, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
  } satisfies Contract
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const conditions = conditionsOf(c.req.valid('header'))
    const cascade = c.req.valid('query').$cascade === 'true'
    await c.var.records.remove(subject, id, conditions, cascade)
    return c.body(null, 204)
  }
  return [endpoint(contract), handler] as const
}

/** The answer with a record that was just written. */
async function written(
  c: Context<Env>,
  { show, sought }: Subject,
  { id, single, profileFields }: { id: string; single: Single; profileFields: string | undefined },
  status: 200 | 201 = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { kept } = single
  // Another may have deleted it in the same moment, if nothing had to be changed.
  if (!kept) throw new ApiError('NOT_FOUND', 'The record was deleted in the meantime.')
  const { organisationId } = c.var.store
  const { document } = kept
  const members = show({ id, organisationId, document, found: single, profileFields })
  return writtenAnswer({ kept, members, showsOther: !!sought.withMember }, status, headers)
}

const locationOf = (name: string, id: string) => `/api/v1/${name}/${encodeURIComponent(id)}`

/** The request as one that may be sent again: the same key on another path is another request. */
async function repeatOf({ req }: Context<Env>, key: string | undefined) {
  return key === undefined
    ? undefined
    : { key, body: JSON.stringify([req.method, req.path, await bodyText(req)]) }
}
