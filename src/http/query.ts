import * as z from 'zod'
import type { QueryContract } from './contract.ts'

/** A query as Hono gives it: a repeated parameter is an array. */
export type Given = Record<string, string | string[]>

/** A parameter that says how many to give at most, if it is given. */
export const count = wholeNumber(1, 250, 100)

/** The same, or 100. */
export const limit = count.transform((limit) => limit ?? 100)

/** The parameter that every route takes; authentication has settled it before a query is looked at. */
export const organisation = z.object({
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
  const own = z.object({ ...options } as Options)
  const known = { ...organisation.shape, ...own.shape }
  const parseOwn = parser(own)
  const schema = z.custom<Given>().transform((given, ctx) => {
    const query = eachOnce(given, ctx)
    refuse(
      ctx,
      [...query.keys()].filter((name) => !Object.hasOwn(known, name)),
    )
    return parseOwn(query, ctx) ?? z.NEVER
  })
  return { schema, parameters: z.object(known) } satisfies QueryContract
}

/** A parameter that is a whole number from `least` to `most`; `fallback` is documented. */
export function wholeNumber(least: number, most: number, fallback: number) {
  const allowed =
    most < Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${least} to ${most}.`
      : `must be a whole number of at least ${least}.`
  return z
    .string()
    .regex(/^\d+$/, allowed)
    .meta({ type: 'integer', pattern: undefined, minimum: least, maximum: most, default: fallback })
    .transform(Number)
    .refine((number) => number >= least && number <= most, allowed)
    .optional()
}

/** A parameter that is `true` or `false` in any case, and false if not given. */
export function flag(description: string) {
  return z
    .string()
    .regex(/^(true|false)$/i, 'must be true or false.')
    .optional()
    .meta({ type: 'boolean', pattern: undefined, default: false })
    .transform((text) => text?.toLowerCase() === 'true')
    .meta({ description, examples: [true] })
}

/** The parameters by name; reports those given several times. */
export function eachOnce(given: Given, ctx: z.core.$RefinementCtx): Map<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') query.set(name, value)
    else report(ctx, [name], 'may be given once only.')
  }
  return query
}

/** Reports parameters that a route does not take. */
export function refuse(ctx: z.core.$RefinementCtx, names: Iterable<string>) {
  for (const name of names) report(ctx, [name], 'is not a parameter here.')
}

/** What an object makes of its own parameters; reports each that does not fit. Most queries give none, which is worked out once. */
export function parser<Shape extends z.ZodRawShape>(object: z.ZodObject<Shape>) {
  const names = Object.keys(object.shape)
  let ofNone: z.output<typeof object> | undefined
  return (query: Map<string, string>, ctx: z.core.$RefinementCtx) => {
    const isNone = !names.some((name) => query.has(name))
    if (isNone && ofNone) return ofNone
    const parsed = object.safeParse(
      Object.fromEntries(names.map((name) => [name, query.get(name)])),
    )
    for (const issue of parsed.error?.issues ?? []) report(ctx, issue.path, issue.message)
    if (isNone) ofNone = parsed.data
    return parsed.data
  }
}

/** Adds a fault, named by a parameter. */
export const report = (ctx: z.core.$RefinementCtx, path: PropertyKey[], message: string) =>
  ctx.addIssue({ code: 'custom', path, message, input: undefined })
