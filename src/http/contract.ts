import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import * as z from 'zod'
import { ApiError } from '../model/api-error.ts'
import { formatErrors, toValidationErrors } from '../model/validation-error.ts'
import { readJsonObject } from './body.ts'
import type { HttpEnv } from './env.ts'
import { type OrganisationSource, removeOrganisation } from './organisation.ts'

/** What a route takes and gives: validated by `endpoint`, documented by `openApiDocument`. */
export type Contract<Query extends z.ZodType = z.ZodType> = {
  summary: string
  description: string
  /** What the path's parameters are, each with an example, by name. */
  path?: Record<string, { description: string; example: string }>
  query: QueryContract<Query>
  /** The headers it looks at, by name. */
  headers?: z.ZodObject
  /** What its JSON object must be. */
  body?: z.ZodType
  /** What is documented of the body where the handler checks it itself, and as what it may be sent. */
  input?: { type: z.ZodType; mediaTypes?: readonly string[] }
  /** As what media types a file may be sent as the body, which the handler reads: what each holds. */
  file?: Readonly<Record<string, z.ZodType>>
  /** Where a request names the organisation; in the query unless told otherwise. */
  organisation?: OrganisationSource
  /** What it answers, by status; null where there is no body. */
  responses: Record<number, z.ZodType | null>
  /** What else it may answer with, by media type, told by an example. */
  otherFormats?: Readonly<Record<string, string>>
}

/** The schema that validates a whole query, and the parameters it documents. */
export type QueryContract<Query extends z.ZodType = z.ZodType> = {
  schema: Query
  parameters: z.ZodObject
  /** What any other parameter does, with an example of some; without this, another parameter is refused. */
  otherParameters?: { description: string; example: Readonly<Record<string, string>> }
}

/** What a handler behind `endpoint` reads with `c.req.valid`. */
export type ValidInput<C extends Contract> = {
  in: { query: z.input<C['query']['schema']> } & HeaderOf<C, 'input'> & BodyOf<C, 'input'>
  out: { query: z.output<C['query']['schema']> } & HeaderOf<C, 'output'> & BodyOf<C, 'output'>
}
type HeaderOf<C, Io extends 'input' | 'output'> = C extends { headers: infer H extends z.ZodType }
  ? { header: H['_zod'][Io] }
  : unknown
type BodyOf<C, Io extends 'input' | 'output'> = C extends { body: infer B extends z.ZodType }
  ? { json: B['_zod'][Io] }
  : C extends { input: object }
    ? { json: Record<string, unknown> }
    : unknown

// An object by now, and not z.record, which loses a field called __proto__.
const anyInput = z.unknown()

const maxUrlLength = 16_384

const contracts = new WeakMap<object, Contract>()

/** Middleware that lets a request pass if its query, headers and body fit the contract, and answers 400 with every fault named if not. */
export function endpoint<C extends Contract>(contract: C) {
  const { query, headers, organisation } = contract
  const body = contract.body ?? (contract.input && anyInput)
  const validators: MiddlewareHandler[] = [
    zValidator('query', query.schema, throwIfInvalid),
    ...(body ? [validateBody(body, organisation)] : []),
    ...(headers ? [validateHeaders(headers)] : []),
  ]
  const validate: MiddlewareHandler<HttpEnv, string, ValidInput<C>> = async (c, next) => {
    checkUrl(c.req.url)
    for (const validator of validators) await validator(c, noop)
    await next()
  }
  contracts.set(validate, contract)
  return validate
}

/** The contract a mounted middleware enforces, if it is one of `endpoint`. */
export const contractOf = (middleware: object) => contracts.get(middleware)

/** The contract of the route that will answer a request; undefined where there is none. */
export const contractFor = (c: Context) =>
  matchedRoutes(c)
    .map(({ handler }) => contractOf(handler))
    .find(Boolean)

// What Hono reads of a query lacks a parameter without a name.
function checkUrl(url: string) {
  if (url.length > maxUrlLength) {
    throw new ApiError('BAD_REQUEST', `The address must have at most ${maxUrlLength} characters.`)
  }
  if (/^[^?]*\?(.*&)?=/.test(url)) {
    throw new ApiError('BAD_REQUEST', 'Every parameter must have a name before its =.')
  }
}

const validateHeaders =
  (type: z.ZodObject): MiddlewareHandler =>
  async (c) => {
    const headers = Object.keys(type.shape).map((name) => [name, c.req.header(name)])
    c.req.addValidatedData('header', parse(type, Object.fromEntries(headers)))
  }

const validateBody =
  (type: z.ZodType, organisation?: OrganisationSource): MiddlewareHandler<HttpEnv> =>
  async (c) => {
    const input = await readJsonObject(c.req)
    const body = organisation === 'body' ? removeOrganisation(c.req, input) : input
    c.req.addValidatedData('json', parse(type, body))
  }

function parse(type: z.ZodType, input: object): object {
  const result = type.safeParse(input)
  throwIfInvalid(result)
  return result.data as object
}

function throwIfInvalid(result: { success: boolean; error?: z.core.$ZodError }) {
  if (result.error)
    throw new ApiError('BAD_REQUEST', formatErrors(toValidationErrors(result.error)))
}

const noop = async () => {}
