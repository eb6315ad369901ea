import * as z from 'zod'
import { type Filter, parseFieldFilter } from '../model/filter.ts'
import { toTimestamp } from '../model/timestamp.ts'
import { messages } from '../model/validation-error.ts'
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
import { parseQueryOptions, queryOptions } from './query-options.ts'

const maxFilters = 20
const [maxNameLength, maxValueLength] = [256, 4096]

const pagingOptions = z.object({
  limit: optionalLimit.meta({
    description: 'The maximum number of records to return. Without it, CSV and NDJSON return all.',
    examples: [250],
  }),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0)
    .transform((offset) => offset ?? 0)
    .meta({
      description:
        'The number of records to skip. New records go to the end. When a record is deleted or no longer matches the filters, later records move up, so a client that pages with `offset` can miss one. CSV, NDJSON and `/changes` miss none.',
      examples: [250],
    }),
})

/** The formats of a list. */
export const formatNames = ['json', 'csv', 'ndjson'] as const

const formatOptions = z.object({
  $format: z
    .enum(formatNames, messages.oneOf(formatNames))
    .optional()
    .meta({
      description:
        'The format of the response; it overrides the `Accept` header. CSV has a row for each record, NDJSON a line. Without `limit` both return every match. A transfer that fails is aborted.',
      examples: ['csv'],
    }),
  $labels: booleanOption(
    'Whether CSV headers show the labels of schema fields instead of their ids.',
  ),
  $bom: booleanOption('Whether CSV begins with a byte order mark, so that Excel recognises UTF-8.'),
  $formulas: z
    .enum(['quoted', 'raw'], 'must be quoted or raw.')
    .default('quoted')
    .meta({
      description:
        "`raw` leaves texts in CSV unchanged. By default, texts that a spreadsheet might run as a formula get a `'` in front: texts that begin with `=`, `+`, `-`, `@`, a tab or a line break. Imports remove it.",
      examples: ['raw'],
    }),
})

const changeOrderNote =
  'Records are then ordered by their last change, so a record that changes between two pages moves to the end: use `/changes` to miss nothing.'

/** The parameters for the times of creation and last change. */
const timeOptions = z.object({
  $include: z
    .enum(['times'], 'must be times.')
    .optional()
    .meta({
      description: '`times` adds `$created`, `$updated` and `$version` to each record.',
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

/** The query of a list: paging, named filters, options of the route, times, and filters on any field. */
export function listQuery<Options extends z.ZodRawShape = Record<never, never>>(
  namedFilters: Record<string, z.ZodType<Filter>>,
  filteredRecord: () => z.ZodObject,
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
    ...queryOptions.shape,
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
    rejectBracketed(ctx, fieldFilters)
    rejectLong(
      ctx,
      [...query].filter(([name]) => isFilter(name)),
    )
    const page = parsePaging(query, ctx)
    const format = parseFormat(query, ctx)
    const allFilters = [
      ...Object.entries(parseFilters(query, ctx) ?? {}).flatMap(([parameter, filter]) =>
        filter ? [{ ...filter, parameter }] : [],
      ),
      ...fieldFilters.map(([name, text]) => parseFieldFilter(name, text)),
    ]
    if (allFilters.length > maxFilters)
      addIssue(ctx, [], 'too_long', `At most ${maxFilters} filters are allowed.`)
    const routeValues = parseRouteOptions(query, ctx)
    const timeValues = parseTimes(query, ctx)
    const options = page && parseQueryOptions(query, ctx, page)
    return page && format && routeValues && timeValues && options
      ? {
          ...{ ...routeValues, ...page, ...options, ...format },
          filters: allFilters,
          ...toTimeRanges(timeValues),
        }
      : z.NEVER
  })
  return { schema, parameters: z.object(knownParameters), filteredRecord }
}

function toTimeRanges(values: z.output<typeof timeOptions>) {
  const range = (from?: string, to?: string) =>
    from === undefined && to === undefined ? undefined : { from, to }
  return {
    times: values.$include === 'times',
    created: range(values.$createdFrom, values.$createdTo),
    changed: range(values.$updatedFrom, values.$updatedTo),
  }
}

function timeOption(description: string) {
  return z
    .string()
    .transform(toTimestamp)
    .refine((time) => time !== undefined, messages.time)
    .optional()
    .meta({
      description,
      format: 'date-time',
      examples: ['2026-01-01T00:00:00.000Z'],
    })
}

// Some clients write an object of filters this way; as a field it would match no record.
function rejectBracketed(ctx: z.core.$RefinementCtx, filters: [string, string][]) {
  for (const [name] of filters) {
    const [, field] = /^filters\[(.{0,256})\]$/s.exec(name) ?? []
    if (field !== undefined)
      addIssue(
        ctx,
        [name],
        'unknown_field',
        `must be a parameter with the name of the field, such as ${field || 'name'}=….`,
      )
  }
}

// A name can be as long as the URL, so the message shows its first characters.
function rejectLong(ctx: z.core.$RefinementCtx, filters: [string, string][]) {
  for (const [name, text] of filters) {
    if (name.length > maxNameLength) {
      addIssue(ctx, [`${name.slice(0, 32)}…`], 'too_long', messages.maxCharacters(maxNameLength))
    } else if (text.length > maxValueLength) {
      addIssue(
        ctx,
        [name],
        'too_long',
        `must be compared with at most ${maxValueLength} characters.`,
      )
    }
  }
}
