import {
  booleanOption,
  convertedText,
  oneOf,
  parsedText,
  parseParameters,
  toValidated,
  type Values,
  valueIfAbsent,
  wholeNumber,
  withDefault,
} from '../../http/parameters.ts'
import type { QueryContract, RawQuery } from '../../http/query.ts'
import { tenYears } from '../../model/summary/buckets.ts'
import { describeMeasures } from '../../model/summary/measure-names.ts'
import {
  parseGroups,
  parseHaving,
  parseMeasures,
  parseSummaryOrder,
  plainMeasure,
} from '../../model/summary/parse-summary.ts'
import { messages, type ValidationError } from '../../model/validation-error.ts'
import type { SummaryRequest } from '../summary/summary-request.ts'
import type { RecordList } from './list-route.ts'
import type { ListOptions } from './list-source.ts'

const maxBands = 50

const summaryParameters = {
  $by: valueIfAbsent(
    parsedText(parseGroups, {
      description:
        'Up to two names to group by, separated by a comma. A name can follow one reference, such as `event.tags`; `answers.question-3` has the answers of survey responses to a question. Dates group by `day(x)`, `week(x)`, `month(x)`, `quarter(x)`, `year(x)`, `financialYear(x)` (from 1 April) or `weekday(x)` (`1` for Monday to `7`), dates of birth by `age(x)`, or `age(x,y)` on the day in `y`. A record whose field is a list is in several groups.',
      example: 'month(created)',
    }),
    [],
  ),
  $measures: valueIfAbsent(
    parsedText(parseMeasures, {
      description: `What to measure of each group, separated by commas; \`count\` by default. ${describeMeasures()}.`,
      example: 'count',
    }),
    [plainMeasure('count')],
  ),
  $having: parsedText(parseHaving, {
    description:
      'Only groups that pass a condition on measures, such as `count ge 5 and average(x) gt 2.5`, with `and`, `or` and parentheses.',
    example: 'count ge 5',
  }),
  $orderby: valueIfAbsent(
    parsedText(parseSummaryOrder, {
      description:
        'Up to three measures or groups, each with `asc` or `desc`. Equal groups are in the order of their values.',
      example: 'count desc',
    }),
    [],
  ),
  $limit: withDefault(
    wholeNumber(1, 1000, { description: 'The maximum number of groups.', example: 10 }),
    1000,
  ),
  $bands: valueIfAbsent(
    convertedText(parseBands, 'must be ages from 0 to 150 in ascending order, such as 0,18,65.', {
      description: 'The first age of each band of `age(x)`; every ten years by default.',
      example: '0,11,18,25,65',
    }),
    tenYears,
  ),
  $compare: oneOf(
    ['previousYear'],
    {
      description:
        '`previousYear` adds `previous`: the same with all dates of the filters a year earlier.',
      example: 'previousYear',
    },
    'must be previousYear.',
  ),
  $hideBelow: wholeNumber(2, 1000, {
    description:
      'Hides groups of fewer people or records, and others from which the total would give them away: their measures are null, and `hidden` is true.',
    example: 5,
  }),
  $format: oneOf(['json', 'csv'], {
    description:
      'The format of the response; it overrides the `Accept` header. CSV has a row for each group.',
    example: 'csv',
  }),
  $bom: booleanOption('Whether CSV begins with a byte order mark, so that Excel recognises UTF-8.'),
}

function parseBands(text: string): readonly number[] | undefined {
  const ages = text.split(',').map((age) => (/^\d{1,3}$/.test(age) ? Number(age) : Number.NaN))
  const isAscending = ages.every((age, index) => age <= 150 && age > (ages[index - 1] ?? -1))
  return isAscending && ages.length <= maxBands ? ages : undefined
}

/** The parameters of a list that a summary also has, besides the filters of its properties. */
const selectingParameters = [
  'organisationId',
  '$filter',
  '$createdFrom',
  '$createdTo',
  '$updatedFrom',
  '$updatedTo',
]

/** A parsed summary, with the options of its format. */
export type SummaryOptions = {
  request: SummaryRequest
  format: Pick<Values<typeof summaryParameters>, '$format' | '$bom'>
}

/** The query of a collection's summary: its own parameters, and those of the list that select records. */
export function summaryQuery({ contract }: RecordList): QueryContract<SummaryOptions> {
  const { parameters: ofList, parse: parseList } = contract.query
  const shared = Object.fromEntries(
    selectingParameters.flatMap((name) => {
      const parameter = ofList[name]
      return parameter ? [[name, parameter]] : []
    }),
  )
  return {
    parameters: { ...summaryParameters, ...shared },
    parse(rawQuery) {
      const errors: ValidationError[] = []
      const own = parseOwn(rawQuery, errors)
      const selecting = Object.entries(rawQuery).filter(
        ([name]) => !Object.hasOwn(summaryParameters, name) && selects(name, ofList),
      )
      rejectOthers(rawQuery, ofList, errors)
      const selected = parseList(Object.fromEntries(selecting))
      if ('errors' in selected) errors.push(...selected.errors)
      const value =
        own && 'value' in selected
          ? { request: toRequest(own, selected.value, rawQuery), format: own }
          : undefined
      return toValidated(value, errors)
    },
  }
}

type OwnValues = Values<typeof summaryParameters>

function parseOwn(rawQuery: RawQuery, errors: ValidationError[]): OwnValues | undefined {
  for (const name of Object.keys(summaryParameters))
    if ((rawQuery[name]?.length ?? 0) > 1)
      errors.push({ field: name, message: messages.repeated, code: 'duplicate' })
  return parseParameters(summaryParameters, (name) => rawQuery[name]?.[0], errors)
}

/** Whether a parameter of a list selects records: a time, `$filter` or a filter, but no page or format. */
const selects = (name: string, ofList: QueryContract['parameters']): boolean =>
  selectingParameters.includes(name) || !isOption(name, ofList)

/** Whether a parameter of a list is none of its filters. */
const isOption = (name: string, ofList: QueryContract['parameters']): boolean =>
  name.startsWith('$') || (Object.hasOwn(ofList, name) && optionsOfLists.includes(name))

const optionsOfLists = ['limit', 'offset', 'profileFields']

function rejectOthers(
  rawQuery: RawQuery,
  ofList: QueryContract['parameters'],
  errors: ValidationError[],
): void {
  for (const field of Object.keys(rawQuery))
    if (!Object.hasOwn(summaryParameters, field) && !selects(field, ofList))
      errors.push({ field, message: 'is not a parameter of this route.', code: 'unknown_field' })
}

function toRequest(own: OwnValues, selected: ListOptions, rawQuery: RawQuery): SummaryRequest {
  const { filters, options, created, changed } = selected
  return {
    filters,
    filter: options?.filter,
    created,
    changed,
    words: describeSelection(rawQuery),
    by: own.$by,
    measures: own.$measures,
    having: own.$having,
    order: own.$orderby,
    limit: own.$limit,
    bands: own.$bands,
    isCompared: own.$compare !== undefined,
    hideBelow: own.$hideBelow,
  }
}

/** The selection in the words of the request. */
const describeSelection = (rawQuery: RawQuery): string[] =>
  Object.entries(rawQuery)
    .filter(([name]) => name !== 'organisationId' && !Object.hasOwn(summaryParameters, name))
    .map(([name, [text = '']]) => (name === '$filter' ? text : `${name} is ${text}`))
