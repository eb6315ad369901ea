import { isPrintableAscii } from '../../platform/ascii.ts'
import { invalidField } from '../api-error.ts'
import { toTimestamp } from '../timestamp.ts'
import { messages } from '../validation-error.ts'
import type { Literal } from './filter-expression.ts'

/** A token of a query option: a name or keyword, a literal, a symbol, or the end. */
type Token = { index: number } & TokenContent
type TokenContent =
  | { name: string; isQuoted: boolean }
  | { literal: Literal }
  | { symbol: string }
  | { isEnd: true }

const maxCharacters = 4096

// Each pattern takes linear time, because its parts match different characters.
const patterns = {
  space: /\s+/uy,
  symbol: /[(),:]/uy,
  text: /'[^']*(?:''[^']*)*'/uy,
  quotedName: /"[^"]*(?:""[^"]*)*"/uy,
  time: /\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?/iuy,
  number: /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iuy,
}

// OData separates the names of a path by slashes.
const asciiPatterns = { name: /[a-z_][\w\-./]*/iy, continuation: /[\w'"]/ }
const unicodePatterns = {
  name: /[\p{L}_][\p{L}\p{N}_\-./]*/uy,
  continuation: /[\p{L}\p{N}_'"]/u,
}

/** Reads the tokens of a query option. Throws 400 with the position of an error, counted from 1, and never with a value. */
export class TokenReader {
  readonly option: string
  readonly #text: string
  readonly #namePatterns: typeof asciiPatterns
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(option: string, text: string) {
    this.option = option
    this.#text = text
    this.#namePatterns = isPrintableAscii(text) ? asciiPatterns : unicodePatterns
    if (text.length > maxCharacters)
      throw invalidField(option, 'too_long', messages.maxCharacters(maxCharacters))
    this.#tokens = this.#readTokens()
  }

  /** The next token. */
  get token(): Token {
    return this.#tokens[this.#next] ?? { isEnd: true, index: this.#text.length }
  }

  advance(): void {
    this.#next++
  }

  isBefore(symbol: string): boolean {
    const token = this.#tokens[this.#next + 1]
    return token !== undefined && isSymbol(token, symbol)
  }

  /** Skips a symbol; returns whether it came next. */
  skipSymbol(symbol: string): boolean {
    const isNext = isSymbol(this.token, symbol)
    if (isNext) this.advance()
    return isNext
  }

  requireSymbol(symbol: string, expected = symbol): void {
    if (!this.skipSymbol(symbol)) this.fail(expected)
  }

  /** The keyword that comes next, in lower case and without skipping it; '' for any other token. */
  get keyword(): string {
    const { token } = this
    return 'name' in token && !token.isQuoted ? token.name.toLowerCase() : ''
  }

  /** Skips a keyword; returns whether it came next. */
  skipKeyword(keyword: string): boolean {
    const isNext = this.keyword === keyword
    if (isNext) this.advance()
    return isNext
  }

  /** Throws 400 for a token, by default the next. */
  fail(expected: string, { index } = this.token): never {
    this.#failAt(index, `expected ${expected}`)
  }

  #failAt(index: number, problem: string): never {
    const position = index < this.#text.length ? `at character ${index + 1}` : 'at the end'
    throw invalidField(this.option, 'invalid_format', `${problem} ${position}.`)
  }

  #readTokens(): Token[] {
    const text = this.#text
    const tokens: Token[] = []
    let index = 0
    const match = (pattern: RegExp) => {
      pattern.lastIndex = index
      return pattern.exec(text)?.[0]
    }
    while (index < text.length) {
      const space = match(patterns.space)
      if (space !== undefined) {
        index += space.length
        continue
      }
      const { length, content } = this.#readToken(index, match)
      tokens.push({ index, ...content })
      index += length
      if (!('symbol' in content) && this.#namePatterns.continuation.test(text[index] ?? ''))
        this.#failAt(index, 'expected a space, a comma or a parenthesis')
    }
    return tokens
  }

  #readToken(
    index: number,
    match: (pattern: RegExp) => string | undefined,
  ): { length: number; content: TokenContent } {
    const symbol = match(patterns.symbol)
    if (symbol !== undefined) return { length: symbol.length, content: { symbol } }
    const text = match(patterns.text)
    if (text !== undefined) return literalToken(text, { type: 'text', value: unquote(text, "'") })
    const quotedName = match(patterns.quotedName)
    if (quotedName !== undefined) {
      const name = unquote(quotedName, '"')
      return { length: quotedName.length, content: { name, isQuoted: true } }
    }
    const time = match(patterns.time)
    if (time !== undefined) return literalToken(time, this.#parseTime(index, time))
    const number = match(patterns.number)
    if (number !== undefined) {
      const value = Number(number)
      if (!Number.isFinite(value)) this.#failAt(index, 'expected a smaller number')
      return literalToken(number, { type: 'number', value })
    }
    const name = match(this.#namePatterns.name)
    if (name !== undefined) return { length: name.length, content: { name, isQuoted: false } }
    const isOpen = ["'", '"'].includes(this.#text[index] ?? '')
    return this.#failAt(
      index,
      isOpen ? 'expected a closing quotation mark for the one' : 'cannot read the text',
    )
  }

  #parseTime(index: number, text: string): Literal {
    const time = toTimestamp(text)
    if (time === undefined)
      this.#failAt(
        index,
        'expected a real date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z,',
      )
    return /t/i.test(text) ? { type: 'time', value: time } : { type: 'date', value: text }
  }
}

export const isSymbol = (token: Token, symbol: string) =>
  'symbol' in token && token.symbol === symbol

const literalToken = (text: string, literal: Literal) => ({
  length: text.length,
  content: { literal },
})

const unquote = (text: string, quote: string) => text.slice(1, -1).replaceAll(quote + quote, quote)
