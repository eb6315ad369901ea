import * as z from 'zod'
import { type Filter, parseFilter } from '../model/filter.ts'
import { toTimestamp } from '../model/properties/types.ts'
import {
  addIssue,
  booleanOption,
  createParser,
  optionalLimit,
  organisationParameter,
  type RawQuery,
  rejectDuplicates,
  rejectUnknown,
  wholeNumber,
} from './query.ts'

const maxFilters = 20
const [maxNameLength, maxValueLength] = [256, 4096]

const pagingOptions = z.object({
  limit: optionalLimit.meta({
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
export const formatNames = ['json', 'csv', 'ndjson'] as const

const formatOptions = z.object({
  $format: z
    .enum(formatNames, `must be one of ${formatNames.join(', ')}.`)
    .optional()
    .meta({
      description:
        'An addition to the contract: the form of the answer, whatever the `Accept` header asks for. CSV has a row for each record, NDJSON a line; both give everything that matches if `limit` is not given, and break off if they cannot be finished.',
      examples: ['csv'],
    }),
  $labels: booleanOption(
    'An addition to the contract: whether columns of CSV are headed by the labels of schema fields, and not by their ids.',
  ),
  $bom: booleanOption(
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

const changeOrderNote =
  'The records then come in the order of their last change, so one that changes between two pages by `offset` moves to the end: `/changes` misses nothing.'

/** When records were created and changed (additions 2). */
const timeOptions = z.object({
  $show: z
    .enum(['times'], 'must be times.')
    .optional()
    .meta({
      description:
        'An addition to the contract: `times` puts `$created`, `$updated` and `$version` on each record.',
      examples: ['times'],
    }),
  $createdFrom: timeOption('Only records created at this time or later.'),
  $createdTo: timeOption('Only records created before this time.'),
  $updatedFrom: timeOption(`Only records last changed at this time or later. ${changeOrderNote}`),
  $updatedTo: timeOption(`Only records last changed before this time. ${changeOrderNote}`),
})

const [parsePaging, parseFormat, parseTimes] = [
  createParser(pagingOptions),
  createParser(formatOptions),
  createParser(timeOptions),
]

/** The query of a list: paging, named filters, the route's own options, a filter on any field (contract 4.1, decisions 3), and times (additions 2). Some such filters are the example. */
export function listQuery<Options extends z.ZodRawShape = Record<never, never>>(
  namedFilters: Record<string, z.ZodType<Filter>>,
  example: Readonly<Record<string, string>>,
  options?: Options,
) {
  const filters = z.object(namedFilters).partial()
  const routeOptions = z.object({ ...options } as Options)
  const knownParameters = {
    ...pagingOptions.shape,
    ...formatOptions.shape,
    ...organisationParameter.shape,
    ...filters.shape,
    ...routeOptions.shape,
    ...timeOptions.shape,
  }
  const [parseFilters, parseRouteOptions] = [createParser(filters), createParser(routeOptions)]
  const isFilter = (name: string) =>
    Object.hasOwn(filters.shape, name) || !Object.hasOwn(knownParameters, name)
  const schema = z.custom<RawQuery>().transform((rawQuery, ctx) => {
    const query = rejectDuplicates(rawQuery, ctx)
    const fieldFilters = [...query].filter(([name]) => !Object.hasOwn(knownParameters, name))
    rejectUnknown(
      ctx,
      fieldFilters.map(([name]) => name).filter((name) => name.startsWith('$')),
    )
    rejectLong(
      ctx,
      [...query].filter(([name]) => isFilter(name)),
    )
    const page = parsePaging(query, ctx)
    const format = parseFormat(query, ctx)
    const allFilters = [
      ...Object.values(parseFilters(query, ctx) ?? {}).filter((filter) => filter !== undefined),
      ...fieldFilters.map(([name, text]) => parseFilter(name, text)),
    ]
    if (allFilters.length > maxFilters)
      addIssue(ctx, [], `At most ${maxFilters} filters are allowed.`)
    const routeValues = parseRouteOptions(query, ctx)
    const timeValues = parseTimes(query, ctx)
    return page && format && routeValues && timeValues
      ? { ...routeValues, ...page, ...format, filters: allFilters, ...toTimeRanges(timeValues) }
      : z.NEVER
  })
  return {
    schema,
    parameters: z.object(knownParameters),
    otherParameters: {
      description:
        'Filters: any parameter that is not named here, each called by the dotted path of a field. Only records in which the field equals the value are given.',
      example,
    },
  }
}

function toTimeRanges(values: z.output<typeof timeOptions>) {
  const range = (from?: string, to?: string) =>
    from === undefined && to === undefined ? undefined : { from, to }
  return {
    times: values.$show === 'times',
    created: range(values.$createdFrom, values.$createdTo),
    changed: range(values.$updatedFrom, values.$updatedTo),
  }
}

function timeOption(description: string) {
  const message = 'must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.'
  return z
    .string()
    .transform(toTimestamp)
    .refine((time) => time !== undefined, message)
    .optional()
    .meta({
      description: `An addition to the contract: ${description}`,
      format: 'date-time',
      examples: ['2026-01-01T00:00:00.000Z'],
    })
}

// A name is told by its beginning: it may be as long as the address.
function rejectLong(ctx: z.core.$RefinementCtx, filters: [string, string][]) {
  for (const [name, text] of filters) {
    if (name.length > maxNameLength) {
      addIssue(ctx, [`${name.slice(0, 32)}…`], `must have at most ${maxNameLength} characters.`)
    } else if (text.length > maxValueLength) {
      addIssue(ctx, [name], `must be compared with at most ${maxValueLength} characters.`)
    }
  }
}
