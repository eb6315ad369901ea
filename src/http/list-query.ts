import * as z from 'zod'
import { type Filter, spelled } from '../model/filter.ts'
import { toTimestamp } from '../model/properties.ts'
import {
  count,
  eachOnce,
  flag,
  type Given,
  organisation,
  parser,
  refuse,
  report,
  wholeNumber,
} from './query.ts'

const mostFilters = 20
const [longestName, longestValue] = [256, 4096]

const paging = z.object({
  limit: count.meta({
    description: 'How many records to give at most. CSV and NDJSON give all if it is not given.',
    examples: [250],
  }),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0)
    .transform((offset) => offset ?? 0)
    .meta({
      description:
        'How many records to skip. New records go to the end. When a record is deleted or stops matching the filters, those behind it move up by one, so a client that pages with `offset` can miss a record; CSV, NDJSON and `/changes` miss none.',
      examples: [250],
    }),
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
      examples: ['csv'],
    }),
  $labels: flag(
    'An addition to the contract: whether columns of CSV are headed by the labels of schema fields, and not by their ids.',
  ),
  $bom: flag(
    'An addition to the contract: whether CSV begins with a byte order mark, by which Excel knows that it is UTF-8.',
  ),
  $formulas: z
    .enum(['quoted', 'raw'], 'must be quoted or raw.')
    .default('quoted')
    .meta({
      description:
        "An addition to the contract: `raw` gives texts in CSV as they are. Otherwise one that a spreadsheet might take for a formula, as it begins with `=`, `+`, `-`, `@`, a tab or the end of a line, has a `'` in front of it, which imports take off again.",
      examples: ['raw'],
    }),
})

const ofChange =
  'The records then come in the order of their last change, so one that changes between two pages by `offset` moves to the end: `/changes` misses nothing.'

/** When records were created and changed (additions 2). */
const times = z.object({
  $show: z
    .enum(['times'], 'must be times.')
    .optional()
    .meta({
      description:
        'An addition to the contract: `times` puts `$created`, `$updated` and `$version` on each record.',
      examples: ['times'],
    }),
  $createdFrom: time('Only records created at this time or later.'),
  $createdTo: time('Only records created before this time.'),
  $updatedFrom: time(`Only records last changed at this time or later. ${ofChange}`),
  $updatedTo: time(`Only records last changed before this time. ${ofChange}`),
})

const [parsePaging, parseForm, parseTimes] = [parser(paging), parser(form), parser(times)]

/** The query of a list: paging, named filters, the route's own options, a filter on any field (contract 4.1, decisions 3), and times (additions 2). Some such filters are the example. */
export function listQuery<Options extends z.ZodRawShape = Record<never, never>>(
  named: Record<string, z.ZodType<Filter>>,
  example: Readonly<Record<string, string>>,
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
  const [parseFilters, parseOwn] = [parser(filters), parser(own)]
  const isFilter = (name: string) =>
    Object.hasOwn(filters.shape, name) || !Object.hasOwn(known, name)
  const schema = z.custom<Given>().transform((given, ctx) => {
    const query = eachOnce(given, ctx)
    const others = [...query].filter(([name]) => !Object.hasOwn(known, name))
    refuse(
      ctx,
      others.map(([name]) => name).filter((name) => name.startsWith('$')),
    )
    refuseLong(
      ctx,
      [...query].filter(([name]) => isFilter(name)),
    )
    const page = parsePaging(query, ctx)
    const written = parseForm(query, ctx)
    const wanted = [
      ...Object.values(parseFilters(query, ctx) ?? {}).filter((filter) => filter !== undefined),
      ...others.map(([name, text]) => spelled(name, text)),
    ]
    if (wanted.length > mostFilters) report(ctx, [], `At most ${mostFilters} filters are allowed.`)
    const chosen = parseOwn(query, ctx)
    const timed = parseTimes(query, ctx)
    return page && written && chosen && timed
      ? { ...chosen, ...page, ...written, filters: wanted, ...rangesOf(timed) }
      : z.NEVER
  })
  return {
    schema,
    parameters: z.object(known),
    others: {
      description:
        'Filters: any parameter that is not named here, each called by the dotted path of a field. Only records in which the field equals the value are given.',
      example,
    },
  }
}

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
    .meta({
      description: `An addition to the contract: ${description}`,
      format: 'date-time',
      examples: ['2026-01-01T00:00:00.000Z'],
    })
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
