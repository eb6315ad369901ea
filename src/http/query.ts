import * as z from 'zod'
import { invalidInput } from '../model/api-error.ts'
import {
  type ErrorCode,
  messages,
  toValidationErrors,
  withCode,
} from '../model/validation-error.ts'
import type { QueryContract } from './contract.ts'

/** A query in Hono's form: a repeated parameter is an array. */
export type RawQuery = Record<string, string | string[]>

/** The number of items in a page by default, and the maximum. */
export const [defaultLimit, maxLimit] = [100, 250]

/** The optional maximum number of items. */
export const optionalLimit = wholeNumber(1, maxLimit, defaultLimit)

/** The maximum number of items; 100 by default. */
export const limit = optionalLimit.transform((limit) => limit ?? defaultLimit)

/** The parameter that every route accepts. Authentication reads it before the query is validated. */
export const organisationParameter = z.object({
  organisationId: z
    .string()
    .optional()
    .meta({
      description:
        'The organisation of the credentials. Optional with a key, which belongs to one organisation. Required with a token, except for a single schema or member, where the path determines it.',
      examples: ['oak-trust'],
    }),
})

/** A query that accepts only `options` and rejects other parameters by name. */
export function closedQuery<Options extends z.ZodRawShape = Record<never, never>>(
  options?: Options,
) {
  const routeOptions = z.object({ ...options } as Options)
  const knownParameters = { ...organisationParameter.shape, ...routeOptions.shape }
  const parseRouteOptions = createParser(routeOptions)
  const schema = z.custom<RawQuery>().transform((rawQuery, ctx) => {
    const query = rejectDuplicates(rawQuery, ctx)
    rejectUnknown(
      ctx,
      [...query.keys()].filter((name) => !Object.hasOwn(knownParameters, name)),
    )
    return parseRouteOptions(query, ctx) ?? z.NEVER
  })
  return { schema, parameters: z.object(knownParameters) } satisfies QueryContract
}

/** A parameter for a whole number from `min` to `max`. `fallback` appears only in the documentation. */
export function wholeNumber(min: number, max: number, fallback?: number) {
  const message =
    max < Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${min} to ${max}.`
      : `must be a whole number of at least ${min}.`
  return z
    .string()
    .regex(/^\d+$/, message)
    .meta({ type: 'integer', pattern: undefined, minimum: min, maximum: max, default: fallback })
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .optional()
}

/** A parameter for `true` or `false` in any case; false by default. */
export function booleanOption(description: string) {
  return z
    .string()
    .regex(/^(true|false)$/i, messages.boolean)
    .optional()
    .meta({ type: 'boolean', pattern: undefined, default: false })
    .transform((text) => text?.toLowerCase() === 'true')
    .meta({ description, examples: [true] })
}

export function rejectDuplicates(
  rawQuery: RawQuery,
  ctx: z.core.$RefinementCtx,
): Map<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of Object.entries(rawQuery)) {
    if (typeof value === 'string') query.set(name, value)
    else addIssue(ctx, [name], 'duplicate', messages.repeated)
  }
  return query
}

/** Reports unknown parameters. */
export function rejectUnknown(ctx: z.core.$RefinementCtx, names: Iterable<string>) {
  for (const name of names)
    addIssue(ctx, [name], 'unknown_field', 'is not a parameter of this route.')
}

/** A function that parses the object's parameters and reports invalid ones. Caches the result for no parameters, the most common case. */
export function createParser<Shape extends z.ZodRawShape>(object: z.ZodObject<Shape>) {
  const names = Object.keys(object.shape)
  let emptyResult: z.output<typeof object> | undefined
  return (query: Map<string, string>, ctx: z.core.$RefinementCtx) => {
    const isEmpty = !names.some((name) => query.has(name))
    if (isEmpty && emptyResult) return emptyResult
    const result = object.safeParse(
      Object.fromEntries(names.map((name) => [name, query.get(name)])),
    )
    for (const issue of result.error?.issues ?? []) ctx.addIssue({ ...issue })
    if (isEmpty) emptyResult = result.data
    return result.data
  }
}

/** Reports an error of a parameter. */
export const addIssue = (
  ctx: z.core.$RefinementCtx,
  path: PropertyKey[],
  code: ErrorCode,
  message: string,
) => ctx.addIssue({ code: 'custom', path, message, ...withCode(code), input: undefined })

/** Parses a query as a route does. Throws 400 with every error. */
export function parseQuery<Query>(
  { schema }: QueryContract<z.ZodType<Query>>,
  params: URLSearchParams,
): Query {
  const names = [...new Set(params.keys())]
  const input: RawQuery = Object.fromEntries(
    names.map((name) => {
      const [value = '', ...others] = params.getAll(name)
      return [name, others.length > 0 ? [value, ...others] : value]
    }),
  )
  const result = schema.safeParse(input)
  if (!result.success) throw invalidInput(toValidationErrors(result.error, input))
  return result.data
}
