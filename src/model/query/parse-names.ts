import { invalidField } from '../api-error.ts'
import type { NamedOrder } from './query-options.ts'
import { TokenReader } from './tokens.ts'

const maxOrders = 3
const maxNames = 250

/** Parses `$orderby`: up to three fields, each with `asc` or `desc`. Throws 400 with the position of the first error. */
export const parseOrder = (
  text: string,
  toFieldName = (name: string): string => name,
): NamedOrder[] =>
  parseList('$orderby', text, maxOrders, 'fields', (reader) => {
    const name = parseName(reader, toFieldName)
    const isDescending = reader.skipKeyword('desc')
    if (!isDescending) reader.skipKeyword('asc')
    return { name, isDescending }
  })

/** Parses a list of names for `$select` or `$expand`. Throws 400 with the position of the first error. */
export const parseNames = (option: string, text: string): string[] =>
  parseList(option, text, maxNames, 'names', (reader) => parseName(reader))

function parseList<Item>(
  option: string,
  text: string,
  maxItems: number,
  plural: string,
  parseItem: (reader: TokenReader) => Item,
): Item[] {
  const reader = new TokenReader(option, text)
  const items = [parseItem(reader)]
  while (reader.skipSymbol(',')) items.push(parseItem(reader))
  if (!('isEnd' in reader.token)) reader.fail('a comma or the end')
  if (items.length > maxItems)
    throw invalidField(option, 'too_long', `must have at most ${maxItems} ${plural}.`)
  return items
}

function parseName(reader: TokenReader, toFieldName = (name: string): string => name): string {
  const { token } = reader
  if (!('name' in token)) return reader.fail('a field')
  reader.advance()
  return token.isQuoted ? token.name : toFieldName(token.name)
}
