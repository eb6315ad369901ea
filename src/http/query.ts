import * as z from 'zod'
import { type Filter, spelled } from '../model/filter.ts'
import { toTimestamp } from '../model/properties.ts'
import type { QueryContract } from './contract.ts'

/** A query as Hono gives it: a repeated parameter is an array. */
type Given = Record<string, string | string[]>

const mostFilters = 20
const [longestName, longestValue] = [256, 4096]

const count = wholeNumber(1, 250, 100)

/** How many to give at most. */
export const limit = count.transform((limit) => limit ?? 100)

const paging = z.object({
  limit: count.meta({
    description: 'How many records to give at most. CSV and NDJSON give all if it is not given.',
  }),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0)
    .transform((offset) => offset ?? 0)
    .meta({ description: 'How many records to pass over.' }),
})

/** How a list may be written down (additions 6). */
export const forms = ['json', 'csv', 'ndjson'] as const

const form = z.object({
  $format: z
    .enum(forms, `must be one of ${forms.join(', ')}.`)
    .optional()
    .meta({
      description:
        'An addition to the contract: the form of the answer, whatever the `Accept` header asks for. CSV has a row for each record, NDJSON a line; both give everything that matches if `limit` is not given, and break off if they cannot be finished.',
    }),
  $labels: flag(
    'An addition to the contract: whether columns of CSV are headed by the labels of schema fields, and not by their ids.',
  ),
  $bom: flag(
    'An addition to the contract: whether CSV begins with a byte order mark, by which Excel knows that it is UTF-8.',
  ),
  $formulas: z.enum(['quoted', 'raw'], 'must be quoted or raw.').default('quoted').meta({
    description:
      "An addition to the contract: `raw` gives texts in CSV as they are. Otherwise one that a spreadsheet might take for a formula, as it begins with `=`, `+`, `-`, `@`, a tab or the end of a line, has a `'` in front of it, which imports take off again.",
  }),
})

const ofChange = 'The records then come in the order of their last change.'

/** When records were created and changed (additions 2). */
const times = z.object({
  $show: z.enum(['times'], 'must be times.').optional().meta({
    description:
      'An addition to the contract: `times` puts `$created`, `$updated` and `$version` on each record.',
  }),
  $createdFrom: time('Only records created at this time or later.'),
  $createdTo: time('Only records created before this time.'),
  $updatedFrom: time(`Only records last changed at this time or later. ${ofChange}`),
  $updatedTo: time(`Only records last changed before this time. ${ofChange}`),
})

// Authentication has settled this one before a query is looked at.
const organisation = z.object({
  organisationId: z.string().optional().meta({
    description:
      'The organisation of the credentials. A key knows its own, and may name no other. With a token it must be given, except where the path tells it: for one schema or one member.',
  }),
})

/** The query of a list: paging, named filters, the route's own options, a filter on any field (contract 4.1, decisions 3), and times (additions 2). */
export function listQuery<Options extends z.ZodRawShape = Record<never, never>>(
  named: Record<string, z.ZodType<Filter>>,
  options?: Options,
) {
  const filters = z.object(named).partial()
  const own = z.object({ ...options } as Options)
  const known = {
    ...paging.shape,
    ...form.shape,
    ...organisation.shape,
    ...filters.shape,
    ...own.shape,
    ...times.shape,
  }
  const isFilter = (name: string) =>
    Object.hasOwn(filters.shape, name) || !Object.hasOwn(known, name)
  const schema = z.custom<Given>().transform((given, ctx) => {
    const query = eachOnce(given, ctx)
    const others = [...query].filter(([name]) => !Object.hasOwn(known, name))
    refuse(ctx, others, ([name]) => name.startsWith('$'))
    refuseLong(
      ctx,
      [...query].filter(([name]) => isFilter(name)),
    )
    const page = parse(paging, query, ctx)
    const written = parse(form, query, ctx)
    const wanted = [
      ...Object.values(parse(filters, query, ctx) ?? {}).filter((filter) => filter !== undefined),
      ...others.map(([name, text]) => spelled(name, text)),
    ]
    if (wanted.length > mostFilters) report(ctx, [], `At most ${mostFilters} filters are allowed.`)
    const chosen = parse(own, query, ctx)
    const timed = parse(times, query, ctx)
    return page && written && chosen && timed
      ? { ...chosen, ...page, ...written, filters: wanted, ...rangesOf(timed) }
      : z.NEVER
  })
  return {
    schema,
    parameters: z.object(known),
    others: 'Only records in which the field at this path equals this value.',
  }
}

/** The query of a route that takes only `options`; any other parameter is refused by name. */
export function closedQuery<Options extends z.ZodRawShape = Record<never, never>>(
  options?: Options,
) {
  const own = z.object({ ...options } as Options)
  const known = { ...organisation.shape, ...own.shape }
  const schema = z.custom<Given>().transform((given, ctx) => {
    const query = eachOnce(given, ctx)
    refuse(ctx, [...query], ([name]) => !Object.hasOwn(known, name))
    return parse(own, query, ctx) ?? z.NEVER
  })
  return { schema, parameters: z.object(known) } satisfies QueryContract
}

/** A named filter on a text, matched whole and case-sensitively. */
export const textFilter = (field: string) =>
  z.string().transform((text): Filter => ({ field, values: [text] }))

/** A named filter on a boolean: `true` or `false` in any case. */
export const booleanFilter = (field: string) =>
  z
    .string()
    .regex(/^(true|false)$/i, 'must be true or false.')
    .meta({ type: 'boolean', pattern: undefined })
    .transform((text): Filter => ({ field, values: [text.toLowerCase() === 'true'] }))

/** A named filter on an enumeration: one of its values. */
export const enumFilter = <Value extends string>(field: string, values: readonly Value[]) =>
  z
    .enum(values, `must be one of ${values.join(', ')}.`)
    .transform((text): Filter => ({ field, values: [text] }))

/** A named filter on a plain date: a real `YYYY-MM-DD`. */
export const dateFilter = (field: string) =>
  z.iso
    .date('must be a real date in the form YYYY-MM-DD.')
    .transform((text): Filter => ({ field, values: [text] }))

function rangesOf(given: z.output<typeof times>) {
  const range = (from?: string, to?: string) =>
    from === undefined && to === undefined ? undefined : { from, to }
  return {
    times: given.$show === 'times',
    created: range(given.$createdFrom, given.$createdTo),
    changed: range(given.$updatedFrom, given.$updatedTo),
  }
}

function time(description: string) {
  const allowed = 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.'
  return z
    .string()
    .transform(toTimestamp)
    .refine((time) => time !== undefined, allowed)
    .optional()
    .meta({ description: `An addition to the contract: ${description}`, format: 'date-time' })
}

function wholeNumber(least: number, most: number, fallback: number) {
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
    .meta({ type: 'boolean', pattern: undefined, default: false, description })
    .transform((text) => text?.toLowerCase() === 'true')
}

function eachOnce(given: Given, ctx: z.core.$RefinementCtx): Map<string, string> {
  const query = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') query.set(name, value)
    else report(ctx, [name], 'may be given once only.')
  }
  return query
}

function refuse(
  ctx: z.core.$RefinementCtx,
  entries: [string, string][],
  unknown: (entry: [string, string]) => boolean,
) {
  for (const [name] of entries.filter(unknown)) report(ctx, [name], 'is not a parameter here.')
}

// A name is told by its beginning: it may be as long as the address.
function refuseLong(ctx: z.core.$RefinementCtx, filters: [string, string][]) {
  for (const [name, text] of filters) {
    if (name.length > longestName) {
      report(ctx, [`${name.slice(0, 32)}…`], `must have at most ${longestName} characters.`)
    } else if (text.length > longestValue) {
      report(ctx, [name], `must be compared with at most ${longestValue} characters.`)
    }
  }
}

function parse<Shape extends z.ZodRawShape>(
  object: z.ZodObject<Shape>,
  query: Map<string, string>,
  ctx: z.core.$RefinementCtx,
) {
  const given = Object.keys(object.shape).map((name) => [name, query.get(name)])
  const parsed = object.safeParse(Object.fromEntries(given))
  for (const issue of parsed.error?.issues ?? []) report(ctx, issue.path, issue.message)
  return parsed.data
}

const report = (ctx: z.core.$RefinementCtx, path: PropertyKey[], message: string) =>
  ctx.addIssue({ code: 'custom', path, message, input: undefined })
