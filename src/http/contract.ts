import type { Context, Handler, HonoRequest, Input, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type * as z from 'zod'
import { ApiError, invalidInput } from '../model/api-error.ts'
import type { ValidationError } from '../model/validation-error.ts'
import type { HttpEnv } from './env.ts'
import type { OrganisationSource } from './organisation.ts'
import { type Parameters, parseParameters, type Values } from './parameters.ts'
import { parseQuery, type QueryContract } from './query.ts'

/** The response headers that OpenAPI documents. */
export type ResponseHeader =
  | 'Link'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'X-Request-Id'
  | 'ETag'
  | 'Last-Modified'
  | 'Location'
  | 'Warning'
  | 'Preference-Applied'
  | 'Content-Disposition'
  | 'Retry-After'

/** The requests and responses of a route: a route validates them, `buildOpenApiDocument` documents them. */
export type Contract<Query extends object = object> = {
  /** The unique name of the operation in generated clients: `listEvents`. */
  operationId: string
  summary: string
  description: string
  /** Marks an operation outside the contract with `x-addition` in OpenAPI. */
  isAddition?: boolean
  /** The tag of a route that OpenAPI describes once for all collections, with the parameters `collection` and `id`. */
  sharedTag?: string
  /** The path's parameters by name. */
  path?: Record<string, { description: string; example: string }>
  query: QueryContract<Query>
  /** Whether OpenAPI documents `ETag`, `If-None-Match` and 304. */
  isConditional?: boolean
  /** The request headers by name. */
  headers?: Parameters
  /** The schema of the JSON body. */
  body?: z.ZodType
  /** The documentation of a body that the handler validates itself. */
  input?: { type: z.ZodType; mediaTypes?: readonly string[] }
  /** The documentation of a file as the body, by media type. The handler reads the file. */
  file?: Readonly<Record<string, z.ZodType>>
  /** The part of the request that names the organisation; `query` by default. */
  organisation?: OrganisationSource
  /** The response headers by status, besides those of every response and of `isConditional`. */
  responseHeaders?: Readonly<Record<number, readonly ResponseHeader[]>>
  /** The response bodies by status, null for an empty body. Only the documentation needs them. */
  responses: () => Responses | Promise<Responses>
  /** An example of each response format besides JSON, by media type. */
  otherFormats?: Readonly<Record<string, string>>
}

type Responses = Record<number, z.ZodType | null>

/** The type of the input that the handler of a route reads with `c.req.valid`. */
export type ValidInput<C extends Contract> = {
  in: QueryOf<C> & HeaderOf<C> & BodyOf<C, 'input'>
  out: QueryOf<C> & HeaderOf<C> & BodyOf<C, 'output'>
}
type QueryOf<C> = C extends Contract<infer Query> ? { query: Query } : never
type HeaderOf<C> = C extends { headers: infer H extends Parameters }
  ? { header: Values<H> }
  : unknown
type BodyOf<C, Io extends 'input' | 'output'> = C extends { body: infer B extends z.ZodType }
  ? { json: B['_zod'][Io] }
  : C extends { input: object }
    ? { json: Record<string, unknown> }
    : unknown

const maxUrlLength = 16_384

const contracts = new WeakMap<object, Contract>()

/**
 * A function that builds routes for the handlers of an environment. A route validates query, headers and body by its
 * contract, or throws 400 with every error; the handler reads the result with `c.req.valid`. OpenAPI documents the contract.
 */
export const routeBuilder =
  <E extends HttpEnv>() =>
  <const C extends Contract>(
    contract: C,
    handle: Handler<E, string, ValidInput<C>>,
  ): Handler<E, string, ValidInput<C>> => {
    const { query, headers } = contract
    // Store the validators: in workerd, a request cannot await another request's promise.
    let bodyValidators: readonly MiddlewareHandler[] | undefined
    const handler: Handler<E, string, ValidInput<C>> = async (c, next) => {
      checkUrl(c.req.url)
      c.req.addValidatedData('query', parseQuery(query, c.req.queries()))
      bodyValidators ??= await loadBodyValidators(contract)
      for (const validator of bodyValidators) await validator(c, noop)
      if (headers) c.req.addValidatedData('header', parseHeaders(headers, c.req))
      return handle(c, next)
    }
    contracts.set(handler, contract)
    return handler
  }

/** The validators of the body. Other requests need neither them nor Zod. */
async function loadBodyValidators(contract: Contract): Promise<MiddlewareHandler[]> {
  if (!contract.body && !contract.input) return []
  const { buildBodyValidators } = await import('./body-validators.ts')
  return buildBodyValidators(contract)
}

function parseHeaders<H extends Parameters>(headers: H, req: HonoRequest): Values<H> {
  const errors: ValidationError[] = []
  const values = parseParameters(headers, (name) => req.header(name), errors)
  if (!values) throw invalidInput(errors)
  return values
}

const loaders = new WeakMap<object, () => Promise<void>>()

/** A handler that builds its route on the first request, so that a cold isolate builds only the routes that it uses. */
export function lazyRoute<E extends HttpEnv, I extends Input>(
  load: () => Promise<Handler<E, string, I>>,
): Handler<E, string, I> {
  // Store the route: in workerd, a request cannot await another request's promise.
  let route: Handler<E, string, I> | undefined
  const handler: Handler<E, string, I> = async (c, next) => {
    route ??= await load()
    return route(c, next)
  }
  loaders.set(handler, async () => {
    route ??= await load()
    const contract = contracts.get(route)
    if (contract) contracts.set(handler, contract)
  })
  return handler
}

/** The contract of a route or of a `lazyRoute`; undefined for any other handler. */
export async function loadContract(handler: object): Promise<Contract | undefined> {
  if (!contracts.has(handler)) await loaders.get(handler)?.()
  return contracts.get(handler)
}

export async function contractFor(c: Context): Promise<Contract | undefined> {
  // Middleware comes first and has no contract: to await each of its handlers would cost every request time.
  for (const { handler } of matchedRoutes(c)) {
    if (loaders.has(handler)) await loadContract(handler)
    const contract = contracts.get(handler)
    if (contract) return contract
  }
  return undefined
}

// Hono drops parameters without a name.
function checkUrl(url: string) {
  if (url.length > maxUrlLength) {
    throw new ApiError('BAD_REQUEST', `The URL must have at most ${maxUrlLength} characters.`)
  }
  if (/^[^?]*\?(.*&)?=/.test(url)) {
    throw new ApiError('BAD_REQUEST', 'Every query parameter must have a name.')
  }
}

const noop = async () => {}
