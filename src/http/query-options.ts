import * as z from 'zod'
import { ApiError } from '../model/api-error.ts'
import { fieldFunctionNames } from '../model/query/field-functions.ts'
import type { FilterExpression } from '../model/query/filter-expression.ts'
import { functionOperators, infixOperators } from '../model/query/operators.ts'
import { parseFilter } from '../model/query/parse-filter.ts'
import { parseNames, parseOrder } from '../model/query/parse-names.ts'
import type { NamedOrder, QueryOptions } from '../model/query/query-options.ts'
import type { NamedReference } from '../model/references.ts'
import { joinNames } from '../platform/join-names.ts'
import { addIssue, booleanOption, createParser, wholeNumber } from './query.ts'

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
export const queryOptions = z.object({
  $filter: parsedOption<FilterExpression>(parseFilter).meta({
    description: `Only records that pass a condition in the syntax of OData 4.01: ${joinNames(filterWords)}, with texts in single quotation marks, such as \`start ge 2026-01-01 and tags in ('Food','Music')\`. Names with spaces have double quotation marks.`,
    examples: ['created ge 2026-01-01'],
  }),
  $orderby: parsedOption<NamedOrder[]>(parseOrder).meta({
    description:
      'Up to three fields, each with `asc` or `desc`. Records without a value come last, and equal ones in order of arrival.',
    examples: ['created desc'],
  }),
  $select: parsedOption((text) => parseNames('$select', text)).meta({
    description:
      'The properties or fields to show, by dotted path and separated by commas. Each record also shows its id.',
    examples: ['name,start'],
  }),
  $count: booleanOption(
    'Whether to return the `total`, also in the list of members. With `$top=0` the response has nothing else.',
  ),
  // Without a default in the documentation: a client might send that of `limit` too.
  $top: wholeNumber(0, 250).meta({
    description: 'The maximum number of records; another name of `limit`, which also takes 0.',
    examples: [10],
  }),
  $skiptoken: z
    .string()
    .optional()
    .meta({
      description:
        'The page after a token from `next`; `start` returns the first page. Unlike with `offset`, no record that stays in the list is skipped or repeated while others are written or deleted.',
      examples: ['start'],
    }),
})

/** The parameter `$expand` for records with these references. */
export function expandOption(references: readonly NamedReference[]) {
  const names = references.map(({ name }) => name)
  return {
    $expand: parsedOption((text) => parseNames('$expand', text)).meta({
      description: `The referenced records to show in each record, separated by commas: ${names.join(', ')}. Each is a property such as \`$${names[0]}\`, null without one.`,
      examples: [names.join(',')],
    }),
  }
}

const parseOptions = createParser(queryOptions)

/** The parsed query options of a request, and the token of a page other than the first. */
type RequestedOptions = {
  limit?: number | undefined
  options?: QueryOptions | undefined
  token?: string | undefined
  $select?: string[] | undefined
}

/** Parses the query options of a list. Reports options that exclude each other. */
export function parseQueryOptions(
  query: Map<string, string>,
  ctx: z.core.$RefinementCtx,
  { limit, offset }: { limit?: number | undefined; offset: number },
): RequestedOptions | undefined {
  const values = parseOptions(query, ctx)
  if (!values) return undefined
  const { $filter, $orderby = [], $select, $count, $top, $skiptoken } = values
  if ($top !== undefined && limit !== undefined)
    addIssue(ctx, ['$top'], 'not_allowed', 'must not be combined with limit.')
  const paging = { limit: $top ?? limit, $select }
  if (!['$filter', '$orderby', '$count', '$skiptoken'].some((name) => query.has(name)))
    return paging
  if (offset > maxOffset)
    addIssue(ctx, ['offset'], 'too_large', `must be at most ${maxOffset} with query options.`)
  if (query.has('$skiptoken') && query.has('offset'))
    addIssue(ctx, ['offset'], 'not_allowed', 'must not be combined with $skiptoken.')
  return {
    ...paging,
    token: $skiptoken === 'start' ? undefined : $skiptoken,
    options: { filter: $filter, orderBy: $orderby, isCounted: $count },
  }
}

/** A parameter that a parser of `src/model/query/` parses. */
function parsedOption<Value>(parse: (text: string) => Value) {
  return z
    .string()
    .transform((text, ctx): Value => {
      try {
        return parse(text)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        for (const { code, message } of error.errors) addIssue(ctx, [], code, message)
        return z.NEVER
      }
    })
    .optional()
}
