import { type Filter, parseFieldFilter } from '../model/filter.ts'
import { toTimestamp } from '../model/timestamp.ts'
import { messages, type ValidationError } from '../model/validation-error.ts'
import {
  booleanOption,
  convertedText,
  oneOf,
  type Parameter,
  type Parameters,
  parseParameters,
  toValidated,
  type Values,
  wholeNumber,
  withDefault,
} from './parameters.ts'
import {
  limitParameter,
  organisationParameter,
  type QueryContract,
  type RawQuery,
  rejectDuplicates,
  rejectUnknown,
} from './query.ts'
import { parseQueryOptions, queryOptions } from './query-options.ts'

const maxFilters = 20
const maxNameLength = 256
const maxValueLength = 4096

const pagingOptions = {
  limit: limitParameter(
    'The maximum number of records to return. Without it, CSV and NDJSON return all.',
    250,
  ),
  offset: withDefault(
    wholeNumber(0, Number.MAX_SAFE_INTEGER, {
      description:
        'The number of records to skip. New records go to the end. When a record is deleted or no longer matches the filters, later records move up, so a client that pages with `offset` can miss one. CSV, NDJSON and `/changes` miss none.',
      example: 250,
    }),
    0,
  ),
}

/** The formats of a list. */
export const formatNames = ['json', 'csv', 'ndjson'] as const

const formatOptions = {
  $format: oneOf(formatNames, {
    description:
      'The format of the response; it overrides the `Accept` header. CSV has a row for each record, NDJSON a line. Without `limit` both return every match. A transfer that fails is aborted.',
    example: 'csv',
  }),
  $labels: booleanOption(
    'Whether CSV headers show the labels of schema fields instead of their ids.',
  ),
  $bom: booleanOption('Whether CSV begins with a byte order mark, so that Excel recognises UTF-8.'),
  $formulas: withDefault(
    oneOf(
      ['quoted', 'raw'],
      {
        description:
          "`raw` leaves texts in CSV unchanged. By default, texts that a spreadsheet might run as a formula get a `'` in front: texts that begin with `=`, `+`, `-`, `@`, a tab or a line break. Imports remove it.",
        example: 'raw',
      },
      'must be quoted or raw.',
    ),
    'quoted',
  ),
}

const changeOrderNote =
  'Records are then ordered by their last change, so a record that changes between two pages moves to the end: use `/changes` to miss nothing.'

/** The parameters for the times of creation and last change. */
const timeOptions = {
  $include: oneOf(
    ['times'],
    {
      description: '`times` adds `$created`, `$updated` and `$version` to each record.',
      example: 'times',
    },
    'must be times.',
  ),
  $createdFrom: timeOption('Only records created at this time or later.'),
  $createdTo: timeOption('Only records created before this time.'),
  $updatedFrom: timeOption(`Only records last changed at this time or later. ${changeOrderNote}`),
  $updatedTo: timeOption(`Only records last changed before this time. ${changeOrderNote}`),
}

/** The named filters of a list by parameter. */
export type NamedFilters = Readonly<Record<string, Parameter<Filter>>>

/** The query of a list: paging, named filters, options of the route, times, and filters on any field. */
export function listQuery<Options extends Parameters = Record<never, never>>(
  namedFilters: NamedFilters,
  filteredProperties: QueryContract['filteredProperties'],
  options?: Options,
) {
  const routeOptions = { ...options } as Options
  const parameters = {
    ...pagingOptions,
    ...formatOptions,
    ...organisationParameter,
    ...namedFilters,
    ...routeOptions,
    ...timeOptions,
    ...queryOptions,
  }
  const isFilter = (name: string) =>
    Object.hasOwn(namedFilters, name) || !Object.hasOwn(parameters, name)
  const parse = (rawQuery: RawQuery) => {
    const errors: ValidationError[] = []
    const query = rejectDuplicates(rawQuery, errors)
    const textOf = (name: string) => query.get(name)
    const fieldFilters = [...query].filter(([name]) => !Object.hasOwn(parameters, name))
    rejectUnknown(
      fieldFilters.map(([name]) => name).filter((name) => name.startsWith('$')),
      errors,
    )
    rejectBracketed(fieldFilters, errors)
    rejectLong(
      [...query].filter(([name]) => isFilter(name)),
      errors,
    )
    const page = parseParameters(pagingOptions, textOf, errors)
    const format = parseParameters(formatOptions, textOf, errors)
    const filters = [
      ...Object.entries(parseParameters(namedFilters, textOf, errors) ?? {}).flatMap(
        ([parameter, filter]) => (filter ? [{ ...filter, parameter }] : []),
      ),
      ...fieldFilters.map(([name, text]) => parseFieldFilter(name, text)),
    ]
    if (filters.length > maxFilters)
      errors.push({
        field: '',
        message: `At most ${maxFilters} filters are allowed.`,
        code: 'too_long',
      })
    const routeValues = parseParameters(routeOptions, textOf, errors)
    const timeValues = parseParameters(timeOptions, textOf, errors)
    const requested = page && parseQueryOptions(query, errors, page)
    const value = page &&
      format &&
      routeValues &&
      timeValues &&
      requested && {
        ...routeValues,
        ...page,
        ...requested,
        ...format,
        filters,
        ...toTimeRanges(timeValues),
      }
    return toValidated(value, errors)
  }
  return { parse, parameters, filteredProperties }
}

function toTimeRanges(values: Values<typeof timeOptions>) {
  const range = (from?: string, to?: string) =>
    from === undefined && to === undefined ? undefined : { from, to }
  return {
    times: values.$include === 'times',
    created: range(values.$createdFrom, values.$createdTo),
    changed: range(values.$updatedFrom, values.$updatedTo),
  }
}

function timeOption(description: string) {
  return convertedText(toTimestamp, messages.time, {
    description,
    example: '2026-01-01T00:00:00.000Z',
    format: 'date-time',
  })
}

// Some clients write an object of filters this way; as a field it would match no record.
function rejectBracketed(filters: readonly [string, string][], errors: ValidationError[]) {
  for (const [name] of filters) {
    const [, field] = /^filters\[(.{0,256})\]$/s.exec(name) ?? []
    if (field !== undefined)
      errors.push({
        field: name,
        message: `must be a parameter with the name of the field, such as ${field || 'name'}=….`,
        code: 'unknown_field',
      })
  }
}

// A name can be as long as the URL, so the message shows its first characters.
function rejectLong(filters: readonly [string, string][], errors: ValidationError[]) {
  for (const [name, text] of filters) {
    if (name.length > maxNameLength)
      errors.push({
        field: `${name.slice(0, 32)}…`,
        message: messages.maxCharacters(maxNameLength),
        code: 'too_long',
      })
    else if (text.length > maxValueLength)
      errors.push({
        field: name,
        message: `must be compared with at most ${maxValueLength} characters.`,
        code: 'too_long',
      })
  }
}
