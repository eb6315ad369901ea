import type { HonoRequest } from 'hono'
import { invalidField } from '../model/api-error.ts'
import { fieldFunctionNames } from '../model/query/field-functions.ts'
import type { FilterExpression } from '../model/query/filter-expression.ts'
import { functionOperators, listComparisons, negationNames } from '../model/query/operators.ts'
import { parseFilter } from '../model/query/parse-filter.ts'
import { parseNames, parseOrder } from '../model/query/parse-names.ts'
import type { NamedOrder } from '../model/query/query-options.ts'
import { messages } from '../model/validation-error.ts'
import { isTextList } from '../model/value-types.ts'
import { formatNumber } from '../platform/format-number.ts'
import { joinNames } from '../platform/join-names.ts'
import type { ODataResource } from './address.ts'
import type { EntityProperty, EntitySet } from './entity-sets.ts'
import { UnsupportedError } from './errors.ts'

/** The system query options of a request, by name. */
export type Options = ReadonlyMap<string, string>

const allowedOptions: Readonly<Record<ODataResource['type'], readonly string[]>> = {
  service: ['$format'],
  metadata: ['$format'],
  entities: [
    ...['$filter', '$orderby', '$select', '$count', '$top', '$skip', '$skiptoken', '$apply'],
    '$format',
  ],
  count: ['$filter'],
  entity: ['$select', '$format'],
}

const maxSkip = 10_000

/** The query options of a request. Throws 501 for an option that the resource lacks, 400 for any other parameter. */
export function readOptions(req: HonoRequest, type: ODataResource['type']): Options {
  const options = new Map<string, string>()
  for (const [name, value] of new URL(req.url).searchParams) {
    if (!allowedOptions[type].includes(name)) throw unknownOption(name, type)
    if (options.has(name)) throw invalidField(name, 'duplicate', messages.repeated)
    options.set(name, value)
  }
  return options
}

/** The query options of an entity set. */
export type EntityQuery = {
  filter: FilterExpression | undefined
  orderBy: NamedOrder[]
  isCounted: boolean
  top: number | undefined
  skip: number
}

/** Parses the query options of an entity set. Throws 400 for the first invalid one. */
export function parseEntityQuery(options: Options, set: EntitySet): EntityQuery {
  const [filter, orderBy, count] = ['$filter', '$orderby', '$count'].map((name) =>
    options.get(name),
  )
  const toField = toFieldNames(set)
  if (count !== undefined && !['true', 'false'].includes(count))
    throw invalidField('$count', 'not_allowed', messages.boolean)
  return {
    filter: filter === undefined ? undefined : parseEntityFilter('$filter', filter, set),
    orderBy: orderBy === undefined ? [] : parseOrder(orderBy, toField('$orderby')),
    isCounted: count === 'true',
    top: parseNumber(options, '$top', Number.MAX_SAFE_INTEGER),
    skip: parseNumber(options, '$skip', maxSkip) ?? 0,
  }
}

/** Parses a condition of an option. */
export const parseEntityFilter = (option: string, text: string, set: EntitySet): FilterExpression =>
  parseFilter(text, {
    option,
    toFieldName: toFieldNames(set)(option),
    refuseWord: refuseWord(option),
  })

/** The functions and operators of OData 4.01 that filters do not have. */
const unsupportedWords = new Set([
  ...[
    'length',
    'indexof',
    'substring',
    'concat',
    'toupper',
    'trim',
    'matchespattern',
    'substringof',
  ],
  ...[
    'year',
    'month',
    'day',
    'hour',
    'minute',
    'second',
    'fractionalseconds',
    'date',
    'time',
    'now',
  ],
  ...[
    'totaloffsetminutes',
    'totalseconds',
    'mindatetime',
    'maxdatetime',
    'round',
    'floor',
    'ceiling',
  ],
  ...['cast', 'isof', 'case', 'all', 'any', 'hassubset', 'hassubsequence'],
  ...['geo.distance', 'geo.intersects', 'geo.length'],
  ...['add', 'sub', 'mul', 'div', 'divby', 'mod', 'has'],
])

/** A function that throws 501 for a function or an operator that this service does not have. */
export const refuseWord =
  (option: string) =>
  (word: string): void => {
    if (word === 'any')
      throw new UnsupportedError(
        501,
        `${option}: any is supported with comparisons by other operators than ${negationNames}, combined by or, such as tags/any(tag:tag eq 'Food').`,
      )
    if (unsupportedWords.has(word))
      throw new UnsupportedError(
        501,
        `${option}: ${word} is not supported here. Compare properties by ${listComparisons('texts')}, and use ${joinNames([...functionOperators, ...fieldFunctionNames, 'any'])}.`,
      )
  }

/** The properties that `$select` names; all without it. Throws 400 for an unknown name. */
export function selectEntityProperties(
  options: Options,
  set: EntitySet,
): readonly EntityProperty[] {
  const text = options.get('$select')
  if (text === undefined || text.trim() === '*') return set.properties
  const names = new Set(parseNames('$select', text))
  for (const name of names) requireProperty('$select', name, set)
  return set.properties.filter(({ name }) => names.has(name))
}

/** A function that converts the names of properties in an option to the names of fields. */
const toFieldNames =
  (set: EntitySet) =>
  (option: string) =>
  (name: string, isList = false) => {
    const property = toProperty(option, name, set)
    if (isList && !isTextList(property))
      throw invalidField(option, 'invalid_type', `${name} is not a list.`)
    return property.field
  }

/** The property that an option names. Throws 400 for an unknown name, and for a property that queries cannot name. */
export function toProperty(option: string, name: string, set: EntitySet): EntityProperty {
  const { derived } = set
  const property = derived?.name === name ? derived : requireProperty(option, name, set)
  if (!property.isQueryable) throw invalidField(option, 'not_allowed', `cannot use ${name}.`)
  return property
}

function requireProperty(
  option: string,
  name: string,
  { properties, references, name: set }: EntitySet,
): EntityProperty {
  const [, reference = '', path = ''] = /^([^/]+)\/(.+)$/s.exec(name) ?? []
  const referenced = references?.get(reference)
  if (referenced) {
    const property = requireProperty(option, path, referenced)
    return { ...property, name, field: `${reference}.${property.field}` }
  }
  const property = properties.find((it) => it.name === name)
  if (property) return property
  throw invalidField(option, 'unknown_field', `${set} has no property "${name}".`)
}

function parseNumber(options: Options, name: string, max: number): number | undefined {
  const text = options.get(name)
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= max) return number
  throw invalidField(
    name,
    'invalid_type',
    `must be a whole number of at most ${formatNumber(max)}.`,
  )
}

function unknownOption(name: string, type: ODataResource['type']): Error {
  const shown = name.slice(0, 64)
  if (/^[$@]/.test(name))
    return new UnsupportedError(
      501,
      `${shown} is not supported here. The options of this resource are: ${allowedOptions[type].join(', ')}.`,
    )
  return invalidField(
    shown,
    'unknown_field',
    'is not an option: the options of OData begin with $.',
  )
}
