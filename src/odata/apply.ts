import { invalidField } from '../model/api-error.ts'
import type { FilterExpression } from '../model/query/filter-expression.ts'
import { tenYears } from '../model/summary/buckets.ts'
import type { MeasureName } from '../model/summary/measure-names.ts'
import { type NamedMeasure, plainGroup, plainMeasure } from '../model/summary/parse-summary.ts'
import { isTextList } from '../model/value-types.ts'
import { loadCollection } from '../resources/resources.ts'
import { summarise } from '../resources/summary/summarise.ts'
import type { Store } from '../store/store.ts'
import type { EntityProperty, EntitySet } from './entity-sets.ts'
import { UnsupportedError } from './errors.ts'
import { parseEntityFilter, toProperty } from './options.ts'

/*
 * `$apply` of OData Data Aggregation 4.0: `filter(…)`, then `aggregate(…)` or `groupby((…),aggregate(…))`, separated by
 * slashes. The service counts through the same summaries as `$summary`, and other transformations are 501.
 */

/** A parsed `$apply`: the conditions of its filters, the properties to group by, and the results by alias. */
type Apply = {
  filters: FilterExpression[]
  by: readonly EntityProperty[]
  aggregates: readonly { alias: string; measure: NamedMeasure }[]
}

/** The measures of the aggregation methods. */
const methods: ReadonlyMap<string, MeasureName> = new Map([
  ['sum', 'sum'],
  ['average', 'average'],
  ['min', 'min'],
  ['max', 'max'],
  ['countdistinct', 'distinct'],
])

const [maxProperties, maxAggregates, maxGroups] = [2, 20, 50_000]

/** Reads the groups of an entity set, as entities without an id. Returns them with the names of their properties. */
export async function readApplied(store: Store, set: EntitySet, text: string) {
  const { filters, by, aggregates } = parseApply(text, set)
  const { list } = await loadCollection(set.collection)
  const { answer } = await summarise(store, list, {
    filters: [],
    filter: filters.length > 0 ? { and: filters } : undefined,
    words: [],
    by: by.map(({ field }) => plainGroup(field)),
    measures: aggregates.map(({ measure }) => measure),
    groupsMissing: true,
    having: undefined,
    order: [],
    limit: maxGroups,
    bands: tenYears,
    isCompared: false,
    hideBelow: undefined,
  })
  const groups = by.length > 0 ? answer.groups : [{ ...answer.total, by: [] }]
  return {
    names: [...by.map(({ name }) => name), ...aggregates.map(({ alias }) => alias)],
    value: groups.map((group) => ({
      '@odata.id': null,
      ...Object.fromEntries(by.map(({ name }, index) => [name, group.by[index] ?? null])),
      ...Object.fromEntries(aggregates.map(({ alias, measure }) => [alias, group[measure.text]])),
    })),
  }
}

/** Throws 400 with the first error, 501 for a transformation that this service does not have. */
function parseApply(text: string, set: EntitySet): Apply {
  const transformations = split(text, '/').map(parseCall)
  const last = transformations.at(-1)
  const isInOrder = transformations.slice(0, -1).every(({ name }) => name === 'filter')
  if (!last || !isInOrder || !['aggregate', 'groupby'].includes(last.name))
    throw unsupported(
      'filter(…) in front of one aggregate(…) or groupby((…),aggregate(…)) is supported',
    )
  const filters = transformations
    .filter(({ name }) => name === 'filter')
    .map(({ argument }) => parseEntityFilter('$apply', argument, set))
  if (last.name === 'aggregate')
    return { filters, by: [], aggregates: parseAggregates(last.argument, set) }
  const [properties = '', aggregate, ...others] = split(last.argument, ',')
  const names = /^\((.*)\)$/s.exec(properties)?.[1]
  if (names === undefined) throw invalid('expected properties in parentheses after groupby(.')
  const call = aggregate === undefined ? undefined : parseCall(aggregate)
  if (others.length > 0 || (call && call.name !== 'aggregate'))
    throw unsupported('groupby takes properties and one aggregate(…)')
  const by = split(names, ',').map((name) => toGroup(name, set))
  if (by.length > maxProperties) throw unsupported(`at most ${maxProperties} properties can group`)
  return { filters, by, aggregates: call ? parseAggregates(call.argument, set) : [] }
}

function toGroup(name: string, set: EntitySet): EntityProperty {
  if (/[(/]/.test(name)) throw unsupported('groupby takes the names of properties')
  const property = toProperty('$apply', name, set)
  if (isTextList(property)) throw unsupported(`${name} is a list, which cannot group`)
  return property
}

function parseAggregates(text: string, set: EntitySet): Apply['aggregates'] {
  const aggregates = split(text, ',').map((part) => parseAggregate(part, set))
  const aliases = aggregates.map(({ alias }) => alias)
  const repeated = aliases.find((alias, index) => aliases.indexOf(alias) !== index)
  if (repeated !== undefined) throw invalid(`the alias ${repeated} may appear only once.`)
  if (aggregates.length > maxAggregates)
    throw invalid(`must have at most ${maxAggregates} results.`)
  return aggregates
}

function parseAggregate(text: string, set: EntitySet): Apply['aggregates'][number] {
  const [, expression = '', method, alias = ''] =
    /^(\S+)(?:\s+with\s+(\S+))?\s+as\s+([\p{L}_][\p{L}\p{N}_]{0,127})$/u.exec(text) ?? []
  if (expression === '')
    throw invalid('expected an expression such as price with sum as Total, or $count as Number.')
  if (set.properties.some(({ name }) => name === alias))
    throw invalid(`the alias ${alias} is the name of a property.`)
  if (expression === '$count' && method === undefined)
    return { alias, measure: { ...plainMeasure('count'), option: '$apply' } }
  const measure = methods.get(method ?? '')
  if (!measure || /[($/]/.test(expression))
    throw unsupported(
      `aggregate takes $count, and properties with ${[...methods.keys()].join(', ')}`,
    )
  const { field } = toProperty('$apply', expression, set)
  const named = { measure, name: field, least: 0, option: '$apply' }
  return { alias, measure: { ...named, text: `${measure}(${field})` } }
}

/** A transformation such as `filter(…)`. */
function parseCall(text: string): { name: string; argument: string } {
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

const invalid = (message: string) => invalidField('$apply', 'invalid_format', message)

const unsupported = (message: string) => new UnsupportedError(501, `$apply: ${message}.`)
