import * as z from 'zod'
import type { QueryContract } from './contract.ts'

/** A query as Hono gives it: a repeated parameter is an array. */
export type RawQuery = Record<string, string | string[]>

/** A parameter that says how many to give at most, if it is given. */
export const optionalLimit = wholeNumber(1, 250, 100)

/** The same, or 100. */
export const limit = optionalLimit.transform((limit) => limit ?? 100)

/** The parameter that every route takes; authentication has settled it before a query is looked at. */
export const organisationParameter = z.object({
  organisationId: z
    .string()
    .optional()
    .meta({
      description:
        'The organisation of the credentials. A key knows its own, and may name no other. With a token it must be given, except where the path tells it: for one schema or one member.',
      examples: ['oak-trust'],
    }),
})

/** The query of a route that takes only `options`; any other parameter is refused by name. */
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

/** A parameter that is a whole number from `least` to `most`; `fallback` is documented. */
export function wholeNumber(min: number, max: number, fallback: number) {
  const message =
    max < Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${min} to ${max}.`
      : `must be a whole number of at least ${min}.`
  return z
    .string()
    .regex(/^\d+$/, message)
    .meta({ type: 'integer', pattern: undefined, minimum: min, maximum: max, default: fallback })
    .transform(Number)
    .refine((number) => number >= min && number <= max, message)
    .optional()
}

/** A parameter that is `true` or `false` in any case, and false if not given. */
export function booleanOption(description: string) {
  return z
    .string()
    .regex(/^(true|false)$/i, 'must be true or false.')
    .optional()
    .meta({ type: 'boolean', pattern: undefined, default: false })
    .transform((text) => text?.toLowerCase() === 'true')
    .meta({ description, examples: [true] })
}

/** The parameters by name; reports those given several times. */
export function rejectDuplicates(
  rawQuery: RawQuery,
  ctx: z.core.$RefinementCtx,
): Map<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of Object.entries(rawQuery)) {
    if (typeof value === 'string') query.set(name, value)
    else addIssue(ctx, [name], 'may be given once only.')
  }
  return query
}

/** Reports parameters that a route does not take. */
export function rejectUnknown(ctx: z.core.$RefinementCtx, names: Iterable<string>) {
  for (const name of names) addIssue(ctx, [name], 'is not a parameter here.')
}

/** What an object makes of its own parameters; reports each that does not fit. Most queries give none, which is worked out once. */
export function createParser<Shape extends z.ZodRawShape>(object: z.ZodObject<Shape>) {
  const names = Object.keys(object.shape)
  let emptyResult: z.output<typeof object> | undefined
  return (query: Map<string, string>, ctx: z.core.$RefinementCtx) => {
    const isEmpty = !names.some((name) => query.has(name))
    if (isEmpty && emptyResult) return emptyResult
    const result = object.safeParse(
      Object.fromEntries(names.map((name) => [name, query.get(name)])),
    )
    for (const issue of result.error?.issues ?? []) addIssue(ctx, issue.path, issue.message)
    if (isEmpty) emptyResult = result.data
    return result.data
  }
}

/** Adds a fault, named by a parameter. */
export const addIssue = (ctx: z.core.$RefinementCtx, path: PropertyKey[], message: string) =>
  ctx.addIssue({ code: 'custom', path, message, input: undefined })
