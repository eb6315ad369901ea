import { longestRecord, tooLong, Unreadable } from './read.ts'

/** A record as a file has it: where it begins, and what it says. */
export type Element = { line: number; text: string }

/**
 * The elements of a JSON file that is a list, or an object with a list under `key`: their texts, one
 * by one, so that memory does not grow with the file and a fault can be given its line.
 */
export async function* jsonElements(
  chunks: AsyncIterable<string>,
  key: string,
): AsyncGenerator<Element> {
  const scan = new Scan(key)
  for await (const chunk of chunks) yield* scan.elementsIn(chunk)
  scan.end()
}

class Scan {
  #line = 1
  #closed = false
  readonly #key: string
  #depth = 0
  #inString = false
  #escaped = false
  #string = ''
  /** The depth at which the list's elements stand, once it is open. */
  #listDepth = 0
  #element: Element | undefined
  /** Whether an element must follow: the list has said so by a comma. */
  #owed = false

  constructor(key: string) {
    this.#key = key
  }

  *elementsIn(chunk: string): Generator<Element> {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk.charAt(at)
      if (character === '\n') this.#line++
      if (this.#inString) {
        this.#readString(character)
        continue
      }
      const space = /\s/.test(character)
      if (this.#closed && this.#depth === 0 && !space) {
        throw new Unreadable(this.#line, 'has more after its end: is it two files in one?')
      }
      if (!this.#closed && this.#listDepth > 0 && this.#depth === this.#listDepth) {
        const ends = character === ',' || character === ']'
        if (ends && (this.#element || this.#owed || character === ',')) {
          const { line, text } = this.#element ?? { line: this.#line, text: '' }
          yield { line, text: text + (this.#element ? chunk.slice(from, at) : '') }
          this.#element = undefined
        }
        if (ends) {
          this.#owed = character === ','
          this.#closed = character === ']'
        } else if (!this.#element && !space) {
          this.#element = { line: this.#line, text: '' }
          from = at
        }
      }
      this.#readToken(character)
    }
    if (this.#element) this.#element.text += chunk.slice(from)
    if (this.#element && this.#element.text.length > longestRecord) {
      throw new Unreadable(this.#element.line, tooLong)
    }
  }

  /** Throws Unreadable unless the text was a whole one. */
  end() {
    if (this.#listDepth === 0) {
      const reason = `is not a JSON list, nor an object with a list under "${this.#key}".`
      throw new Unreadable(this.#line, reason)
    }
    if (!this.#closed || this.#depth > 0) {
      throw new Unreadable(this.#line, 'is not whole: it ends before its brackets do.')
    }
  }

  #readString(character: string) {
    if (!this.#escaped && character === '"') this.#inString = false
    else if (
      this.#depth === 1 &&
      this.#listDepth === 0 &&
      this.#string.length <= this.#key.length
    ) {
      this.#string += character
    }
    this.#escaped = !this.#escaped && character === '\\'
  }

  #readToken(character: string) {
    if (character === '"') {
      this.#inString = true
      this.#escaped = false
      if (this.#depth === 1 && this.#listDepth === 0) this.#string = ''
    } else if (character === '[' || character === '{') {
      const opens = this.#depth === 0 || (this.#depth === 1 && this.#string === this.#key)
      this.#depth++
      if (character === '[' && opens && this.#listDepth === 0) this.#listDepth = this.#depth
    } else if (character === ']' || character === '}') {
      this.#depth--
    }
  }
}
