import { fieldFunctionNames } from '../model/query/field-functions.ts'
import { functionOperators, infixOperators } from '../model/query/operators.ts'
import { parseFilter } from '../model/query/parse-filter.ts'
import { parseNames, parseOrder } from '../model/query/parse-names.ts'
import type { QueryOptions } from '../model/query/query-options.ts'
import type { NamedReference } from '../model/references.ts'
import type { ValidationError } from '../model/validation-error.ts'
import { joinNames } from '../platform/join-names.ts'
import {
  booleanOption,
  parsedText,
  parseParameters,
  textParameter,
  wholeNumber,
} from './parameters.ts'

const maxOffset = 10_000

const filterWords = [
  ...infixOperators,
  'in',
  'and',
  'or',
  'not',
  ...functionOperators,
  ...fieldFunctionNames,
].map((word) => `\`${word}\``)

/** The query options of every list. */
export const queryOptions = {
  $filter: parsedText(parseFilter, {
    description: `Only records that pass a condition in the syntax of OData 4.01: ${joinNames(filterWords)}, with texts in single quotation marks, such as \`start ge 2026-01-01 and tags in ('Food','Music')\`. Names with spaces have double quotation marks.`,
    example: 'created ge 2026-01-01',
  }),
  $orderby: parsedText((text) => parseOrder(text), {
    description:
      'Up to three fields, each with `asc` or `desc`. Records without a value come last, and equal ones in order of arrival.',
    example: 'created desc',
  }),
  $select: parsedText((text) => parseNames('$select', text), {
    description:
      'The properties or fields to show, by dotted path and separated by commas. Each record also shows its id.',
    example: 'name,start',
  }),
  $count: booleanOption(
    'Whether to return the `total`, also in the list of members. With `$top=0` the response has nothing else.',
  ),
  // Without a default in the documentation: a client might send that of `limit` too.
  $top: wholeNumber(0, 250, {
    description: 'The maximum number of records; another name of `limit`, which also takes 0.',
    example: 10,
  }),
  $skiptoken: textParameter({
    description:
      'The page after a token from `next`; `start` returns the first page. Unlike with `offset`, no record that stays in the list is skipped or repeated while others are written or deleted.',
    example: 'start',
  }),
}

/** The parameter `$expand` for records with these references. */
export function expandOption(references: readonly NamedReference[]) {
  const names = references.map(({ name }) => name)
  return {
    $expand: parsedText((text) => parseNames('$expand', text), {
      description: `The referenced records to show in each record, separated by commas: ${names.join(', ')}. Each is a property such as \`$${names[0]}\`, null without one.`,
      example: names.join(','),
    }),
  }
}

/** The parsed query options of a request, and the token of a page other than the first. */
type RequestedOptions = {
  limit?: number | undefined
  options?: QueryOptions | undefined
  token?: string | undefined
  $select?: string[] | undefined
}

/** Parses the query options of a list. Reports options that exclude each other. */
export function parseQueryOptions(
  query: ReadonlyMap<string, string>,
  errors: ValidationError[],
  { limit, offset }: { limit?: number | undefined; offset: number },
): RequestedOptions | undefined {
  const values = parseParameters(queryOptions, (name) => query.get(name), errors)
  if (!values) return undefined
  const { $filter, $orderby = [], $select, $count, $top, $skiptoken } = values
  if ($top !== undefined && limit !== undefined)
    errors.push(notAllowed('$top', 'must not be combined with limit.'))
  const paging = { limit: $top ?? limit, $select }
  if (!['$filter', '$orderby', '$count', '$skiptoken'].some((name) => query.has(name)))
    return paging
  if (offset > maxOffset)
    errors.push({
      field: 'offset',
      message: `must be at most ${maxOffset} with query options.`,
      code: 'too_large',
    })
  if (query.has('$skiptoken') && query.has('offset'))
    errors.push(notAllowed('offset', 'must not be combined with $skiptoken.'))
  return {
    ...paging,
    token: $skiptoken === 'start' ? undefined : $skiptoken,
    options: { filter: $filter, orderBy: $orderby, isCounted: $count },
  }
}

const notAllowed = (field: string, message: string): ValidationError => ({
  field,
  message,
  code: 'not_allowed',
})
