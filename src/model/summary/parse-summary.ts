import { invalidField } from '../api-error.ts'
import { infixOperators, testNumber } from '../query/operators.ts'
import { TokenReader } from '../query/tokens.ts'
import { type BucketName, bucketNames } from './buckets.ts'
import { type MeasureName, measureNames, measureRules } from './measure-names.ts'

/** A name of `$by` before it is known to be a field, and the bucket of its dates. */
export type NamedGroup = {
  /** The group as answers and `$orderby` name it, such as `month(date)`. */
  text: string
  name: string
  bucket: BucketName | undefined
  /** The name of the date on which ages are counted; by default today. */
  ageOn?: string | undefined
  /** The parameter that names the group. */
  option: string
}

/** A measure before its name is known to be a field. */
export type NamedMeasure = {
  /** The measure as answers name it, such as `sum(hours)`. */
  text: string
  measure: MeasureName
  name: string | undefined
  /** The least number of records of the people that the measure is of; 0 if it is of all. */
  least: number
  /** The parameter that names the measure. */
  option: string
}

/** A group by the values of a field. */
export const plainGroup = (name: string, option = '$by'): NamedGroup => ({
  text: name,
  name,
  bucket: undefined,
  option,
})

/** A group by a bucket of the dates of a field. */
export const bucketGroup = (
  bucket: BucketName,
  name: string,
  { ageOn, option = '$by' }: { ageOn?: string | undefined; option?: string } = {},
): NamedGroup => ({
  text: ageOn === undefined ? `${bucket}(${name})` : `${bucket}(${name},${ageOn})`,
  name,
  bucket,
  ageOn,
  option,
})

/** A measure of a field, of people with at least some records, or of both, as `$measures` names it. */
export function nameMeasure(
  measure: MeasureName,
  { name, least = 0 }: Partial<Pick<NamedMeasure, 'name' | 'least'>>,
  option = '$measures',
): NamedMeasure {
  const parts = [name ?? [], least > 0 ? String(least) : []].flat()
  const text = parts.length > 0 ? `${measure}(${parts.join()})` : measure
  return { text, measure, name, least, option }
}

/** A measure without an argument, as `$measures` names it. */
export const plainMeasure = (measure: 'count' | 'people') => nameMeasure(measure, {})

/** A measure of a field, as `$measures` names it. */
export const measureOf = (measure: MeasureName, name: string, option?: string) =>
  nameMeasure(measure, { name }, option)

/** The number of people with at least some records, as `$measures` names it. */
export const peopleWithAtLeast = (least: number) => nameMeasure('peopleWithAtLeast', { least })

/** A condition on the measures of a group. */
export type Having =
  | { and: readonly Having[] }
  | { or: readonly Having[] }
  | { measure: NamedMeasure; test: (value: number) => boolean }

/** A measure or a name of `$by` to order groups by. */
export type SummaryOrder = { by: NamedMeasure | NamedGroup; isDescending: boolean }

const [maxGroups, maxMeasures, maxOrders, maxComparisons] = [2, 20, 3, 20]

/** Parses `$by`. Throws 400 with the position of the first error. */
export const parseGroups = (text: string): NamedGroup[] =>
  parseList('$by', text, maxGroups, parseGroup)

/** Parses `$measures`. Throws 400 with the position of the first error. */
export const parseMeasures = (text: string): NamedMeasure[] =>
  parseList('$measures', text, maxMeasures, parseMeasure)

/** Parses `$orderby` of a summary. Throws 400 with the position of the first error. */
export const parseSummaryOrder = (text: string): SummaryOrder[] =>
  parseList('$orderby', text, maxOrders, (reader) => {
    const by = startsMeasure(reader) ? parseMeasure(reader) : parseGroup(reader)
    const isDescending = reader.skipKeyword('desc')
    if (!isDescending) reader.skipKeyword('asc')
    return { by, isDescending }
  })

/** Parses `$having`. Throws 400 with the position of the first error. */
export function parseHaving(text: string): Having {
  const reader = new TokenReader('$having', text)
  let comparisons = 0
  const parseOr = (): Having => parseJoined('or', () => parseJoined('and', parseCondition))
  const parseJoined = (word: 'and' | 'or', parsePart: () => Having): Having => {
    const first = parsePart()
    const parts = [first]
    while (reader.skipKeyword(word)) parts.push(parsePart())
    if (parts.length === 1) return first
    return word === 'and' ? { and: parts } : { or: parts }
  }
  const parseCondition = (): Having => {
    if (++comparisons > maxComparisons)
      throw invalidField(
        '$having',
        'too_long',
        `must have at most ${maxComparisons} comparisons and parentheses.`,
      )
    if (!reader.skipSymbol('(')) return parseComparison(reader)
    const inner = parseOr()
    reader.requireSymbol(')', 'and, or, or )')
    return inner
  }
  const having = parseOr()
  if (!('isEnd' in reader.token)) reader.fail('and, or, or the end')
  return having
}

export const measuresIn = (having: Having): NamedMeasure[] => {
  if ('and' in having) return having.and.flatMap(measuresIn)
  return 'or' in having ? having.or.flatMap(measuresIn) : [having.measure]
}

function parseList<Item>(
  option: string,
  text: string,
  max: number,
  parseItem: (reader: TokenReader) => Item,
): Item[] {
  const reader = new TokenReader(option, text)
  const items = [parseItem(reader)]
  while (reader.skipSymbol(',')) items.push(parseItem(reader))
  if (!('isEnd' in reader.token)) reader.fail('a comma or the end')
  if (items.length > max) throw invalidField(option, 'too_long', `must have at most ${max}.`)
  return items
}

function parseGroup(reader: TokenReader): NamedGroup {
  const bucket = bucketNames.find((name) => name.toLowerCase() === reader.keyword)
  if (!bucket || !reader.isBefore('(')) {
    return plainGroup(parseName(reader), reader.option)
  }
  reader.advance()
  const { name, ageOn } = parseArgument(reader, () => ({
    name: parseName(reader),
    ageOn: bucket === 'age' && reader.skipSymbol(',') ? parseName(reader) : undefined,
  }))
  return bucketGroup(bucket, name, { ageOn, option: reader.option })
}

/** Whether a measure comes next: a name before a parenthesis, or `count` or `people`. */
const startsMeasure = (reader: TokenReader): boolean =>
  measureNames.some(
    (name) =>
      name.toLowerCase() === reader.keyword &&
      reader.isBefore('(') === measureRules[name].arguments.length > 0,
  )

function parseMeasure(reader: TokenReader): NamedMeasure {
  const measure = measureNames.find((name) => name.toLowerCase() === reader.keyword)
  if (!measure) return reader.fail(`a measure (${measureNames.join(', ')})`)
  reader.advance()
  const { option } = reader
  const expected = measureRules[measure].arguments
  if (expected.length === 0) return nameMeasure(measure, {}, option)
  const given = parseArgument(reader, () => {
    const name = expected.includes('field') ? parseName(reader) : undefined
    if (expected.length > 1) reader.requireSymbol(',')
    return { name, least: expected.includes('number') ? parseLeast(reader, measure) : 0 }
  })
  return nameMeasure(measure, given, option)
}

function parseLeast(reader: TokenReader, measure: MeasureName): number {
  const least = parseNumber(reader)
  if (Number.isInteger(least) && least > 0) return least
  throw invalidField(
    reader.option,
    'invalid_format',
    `${measure} must have a whole number of at least 1.`,
  )
}

function parseComparison(reader: TokenReader): Having {
  const measure = parseMeasure(reader)
  const operator = infixOperators.find((name) => name === reader.keyword)
  if (!operator) return reader.fail(infixOperators.join(', '))
  reader.advance()
  const number = parseNumber(reader)
  return { measure, test: testNumber(operator, number) }
}

function parseArgument<Value>(reader: TokenReader, parse: () => Value): Value {
  reader.requireSymbol('(')
  const value = parse()
  reader.requireSymbol(')')
  return value
}

function parseName(reader: TokenReader): string {
  const { token } = reader
  if (!('name' in token)) return reader.fail('a field')
  reader.advance()
  return token.name
}

function parseNumber(reader: TokenReader): number {
  const { token } = reader
  if (!('literal' in token) || token.literal.type !== 'number') return reader.fail('a number')
  reader.advance()
  return token.literal.value
}
