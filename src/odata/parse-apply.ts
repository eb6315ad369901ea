import { invalidField } from '../model/api-error.ts'
import type { FilterExpression } from '../model/query/filter-expression.ts'
import { parseFilter } from '../model/query/parse-filter.ts'
import { type BucketName, bucketNames } from '../model/summary/buckets.ts'
import { type MeasureName, measureRules } from '../model/summary/measure-names.ts'
import { measureOf, type NamedMeasure, plainMeasure } from '../model/summary/parse-summary.ts'
import { isDated, isTextList, type ValueType } from '../model/value-types.ts'
import { joinNames } from '../platform/join-names.ts'
import type { EntitySet } from './entity-sets.ts'
import { UnsupportedError } from './errors.ts'
import { customMethods, namespace } from './metadata.ts'
import { parseEntityFilter, refuseWord, toProperty } from './options.ts'

/*
 * Parses `$apply` of OData Data Aggregation 4.0: `filter(…)` and `compute(…)`, then `aggregate(…)` or
 * `groupby((…),aggregate(…))`, and after these any of `filter(…)`, `aggregate(…)` and `groupby(…)` over the results, separated by
 * slashes. Other transformations are 501.
 */

/** A name of a record or of a result, with its field or a bucket of the dates in it. */
export type ApplyName = {
  name: string
  field: string
  type: ValueType
  bucket?: BucketName
  /** The field of the date on which ages are counted; by default today. */
  ageOn?: string | undefined
}

/** A result with its measure, and the type of its values. */
export type Aggregate = { alias: string; type: ValueType; measure: NamedMeasure }

/** A `groupby`, or without names an `aggregate`. */
export type Grouped = { by: readonly ApplyName[]; aggregates: readonly Aggregate[] }

/** A transformation of results. */
export type Step = Grouped | { filter: FilterExpression }

export type Apply = {
  /** The conditions on records. */
  filters: readonly FilterExpression[]
  records: Grouped
  steps: readonly Step[]
}

/** The measures of the aggregation methods: those of the standard, and those of this service after its namespace. */
const methods: ReadonlyMap<string, MeasureName> = new Map([
  ['sum', 'sum'],
  ['average', 'average'],
  ['min', 'min'],
  ['max', 'max'],
  ['countdistinct', 'distinct'],
  ...customMethods.map((name) => [`${namespace}.${name}`, name] as const),
])

const [maxTransformations, maxProperties, maxAggregates] = [10, 4, 20]

/** Parses `$apply`. Throws 400 with the first error, 501 for a transformation that this service does not have. */
export function parseApply(text: string, set: EntitySet): Apply {
  const transformations = split(text, '/').map(parseCall)
  if (transformations.length > maxTransformations)
    throw invalid(`must have at most ${maxTransformations} transformations.`)
  const first = transformations.findIndex(({ name }) => isGrouping(name))
  const before = transformations.slice(0, first)
  const [grouping, ...after] = transformations.slice(first)
  if (first < 0 || !grouping || before.some(({ name }) => !['filter', 'compute'].includes(name)))
    throw unsupported(
      'filter(…) and compute(…) in front of aggregate(…) or groupby((…),aggregate(…)), and these three after it, are supported',
    )
  const computed = before
    .filter(({ name }) => name === 'compute')
    .flatMap(({ argument }) => split(argument, ',').map((part) => parseComputed(part, set)))
  const records = parseGrouped(grouping, {
    find: (name) => computed.find((it) => it.name === name) ?? toProperty('$apply', name, set),
    names: [...listNamed(set), ...computed].map(({ name }) => name),
  })
  let results = readResults(records)
  const steps = after.map((call): Step => {
    if (call.name === 'filter') return { filter: parseResultFilter(call.argument, results) }
    if (!isGrouping(call.name))
      throw unsupported('after aggregate and groupby, there can be filter, aggregate and groupby')
    const grouped = parseGrouped(call, results)
    const ofPeople = grouped.aggregates.find(
      ({ measure }) => measureRules[measure.measure].countsPeople,
    )
    if (ofPeople) throw unsupported(`${ofPeople.measure.measure} measures records, not results`)
    results = readResults(grouped)
    return grouped
  })
  return {
    filters: before
      .filter(({ name }) => name === 'filter')
      .map(({ argument }) => parseEntityFilter('$apply', argument, set)),
    records,
    steps,
  }
}

/** Everything of a set that an alias must not repeat. */
const listNamed = ({ properties, derived }: EntitySet) =>
  derived ? [...properties, derived] : properties

const isGrouping = (name: string) => name === 'groupby' || name === 'aggregate'

/** The names of the results of a grouping. */
export const listNames = ({ by, aggregates }: Grouped): ApplyName[] => [
  ...by.map(
    ({ name, type, bucket }) => ({ name, field: name, type: bucket ? 'text' : type }) as const,
  ),
  ...aggregates.map(({ alias, type }) => ({ name: alias, field: alias, type })),
]

/** The results of a grouping as the input of the next transformation. */
function readResults(grouped: Grouped): Input {
  const results = listNames(grouped)
  const names = results.map(({ name }) => name)
  return {
    names,
    find(name) {
      const found = results.find((it) => it.name === name)
      if (found) return found
      throw invalid(`the results before have no "${name.slice(0, 256)}", but ${joinNames(names)}.`)
    },
  }
}

const parseResultFilter = (text: string, { find }: Input): FilterExpression =>
  parseFilter(text, {
    option: '$apply',
    toFieldName: (name) => find(name).field,
    refuseWord: refuseWord('$apply'),
  })

/** What a grouping names: properties of records, or earlier results. */
type Input = { find: (name: string) => ApplyName; names: readonly string[] }

function parseGrouped({ name, argument }: Call, input: Input): Grouped {
  if (name === 'aggregate') return { by: [], aggregates: parseAggregates(argument, input) }
  const [properties = '', aggregate, ...others] = split(argument, ',')
  const names = /^\((.*)\)$/s.exec(properties)?.[1]
  if (names === undefined) throw invalid('expected properties in parentheses after groupby(.')
  const call = aggregate === undefined ? undefined : parseCall(aggregate)
  if (others.length > 0 || (call && call.name !== 'aggregate'))
    throw unsupported('groupby takes properties and one aggregate(…)')
  const by = split(names, ',').map((it) => toGroup(it, input))
  if (by.length > maxProperties) throw unsupported(`at most ${maxProperties} properties can group`)
  const aggregates = call ? parseAggregates(call.argument, input) : []
  return { by, aggregates }
}

function toGroup(name: string, { find }: Input): ApplyName {
  if (name.includes('(')) throw unsupported('groupby takes the names of properties')
  const property = find(name)
  if (isTextList(property)) throw unsupported(`${name} is a list, which cannot group`)
  return property
}

/** A bucket of a date, such as `DataPlatform.weekday(date) as Day`. */
function parseComputed(text: string, set: EntitySet): ApplyName {
  const [, functionName = '', name = '', on, alias = ''] =
    new RegExp(
      `^${namespace}\\.(\\w+)\\(\\s*([^\\s(),]+)\\s*(?:,\\s*([^\\s(),]+)\\s*)?\\)\\s+as\\s+(${aliasPattern})$`,
      'u',
    ).exec(text) ?? []
  const bucket = bucketNames.find((it) => it === functionName)
  if (!bucket || (on !== undefined && bucket !== 'age'))
    throw unsupported(
      `compute takes functions of dates with an alias, such as ${namespace}.weekday(date) as Day. The functions are ${joinNames([...bucketNames])}`,
    )
  if (listNamed(set).some((property) => property.name === alias)) throw takenAlias(alias)
  const [property, date] = [name, on ?? name].map((it) => toProperty('$apply', it, set))
  if (!property || !date || !isDated(property) || !isDated(date))
    throw invalid(`${functionName} needs a date or a time.`)
  return {
    name: alias,
    field: property.field,
    type: property.type,
    bucket,
    ageOn: on === undefined ? undefined : date.field,
  }
}

const aliasPattern = '[\\p{L}_][\\p{L}\\p{N}_]{0,127}'

const aggregatePattern = new RegExp(
  `^(\\S+)(?:\\s+with\\s+(\\S+))?\\s+as\\s+(${aliasPattern})$`,
  'u',
)

function parseAggregates(text: string, input: Input): Aggregate[] {
  const aggregates = split(text, ',').map((part) => parseAggregate(part, input))
  const aliases = aggregates.map(({ alias }) => alias)
  const repeated = aliases.find((alias, index) => aliases.indexOf(alias) !== index)
  if (repeated !== undefined) throw invalid(`the alias ${repeated} may appear only once.`)
  if (aggregates.length > maxAggregates)
    throw invalid(`must have at most ${maxAggregates} results.`)
  return aggregates
}

function parseAggregate(text: string, { find, names }: Input): Aggregate {
  const [, expression = '', method, alias = ''] = aggregatePattern.exec(text) ?? []
  if (expression === '')
    throw invalid('expected an expression such as price with sum as Total, or $count as Number.')
  if (names.includes(alias)) throw takenAlias(alias)
  if (expression === '$count' && method === undefined)
    return { alias, type: 'number', measure: { ...plainMeasure('count'), option: '$apply' } }
  const measure = methods.get(method ?? '')
  if (!measure || /[($]/.test(expression))
    throw unsupported(
      `aggregate takes $count, and properties with ${joinNames([...methods.keys()])}`,
    )
  const { field, type } = find(expression)
  return {
    alias,
    type: measure === 'min' || measure === 'max' ? type : 'number',
    measure: measureOf(measure, field, '$apply'),
  }
}

type Call = { name: string; argument: string }

/** A transformation such as `filter(…)`. */
function parseCall(text: string): Call {
  const [, name = '', argument] = /^([\w.]+)(?:\((.*)\))?$/s.exec(text) ?? []
  if (name === '' || argument === undefined)
    throw invalid('expected a transformation, such as filter(…).')
  return { name, argument: argument.trim() }
}

/** Splits a text by a separator outside parentheses and quoted texts. */
function split(text: string, separator: ',' | '/'): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(/'[^']*'|[^']/gs)) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (depth < 0) throw invalid('has a closing parenthesis too many.')
    if (token === separator && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  if (depth > 0) throw invalid('has an opening parenthesis too many.')
  return parts.map((part) => part.trim())
}

const takenAlias = (alias: string) => invalid(`the alias ${alias} is the name of a property.`)

const invalid = (message: string) => invalidField('$apply', 'invalid_format', message)

const unsupported = (message: string) => new UnsupportedError(501, `$apply: ${message}.`)
