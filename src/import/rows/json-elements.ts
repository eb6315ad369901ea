import { maxRecordCharacters, recordTooLong, UnreadableFileError } from '../source/source.ts'

/** The JSON text of a record, and its first line. */
type JsonElement = { line: number; text: string }

/**
 * Yields the elements of a JSON list, or of the list under `key` in an object. Reads them one by
 * one to bound memory and to report errors with their line.
 */
export async function* readJsonElements(
  chunks: AsyncIterable<string>,
  key: string,
): AsyncGenerator<JsonElement> {
  const scanner = new JsonScanner(key)
  for await (const chunk of chunks) yield* scanner.readChunk(chunk)
  scanner.finish()
}

/**
 * Follows the brackets, strings and commas of a JSON text, which arrives in chunks, to find where each element of the
 * list begins and ends. It does not parse the elements.
 */
class JsonScanner {
  #line = 1
  /** Whether the list has ended. */
  #isClosed = false
  readonly #key: string
  /** The number of open brackets. */
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The last string of the outermost object, which may be the name of the list. */
  #keyText = ''
  /** The nesting depth of the list's elements; 0 until the list opens. */
  #listDepth = 0
  #element: JsonElement | undefined
  /** Whether an element must follow, after a comma. */
  #needsElement = false

  constructor(key: string) {
    this.#key = key
  }

  /** Yields the elements that end in a chunk. */
  *readChunk(chunk: string): Generator<JsonElement> {
    let from = 0
    for (let index = 0; index < chunk.length; index++) {
      const character = chunk.charAt(index)
      if (character === '\n') this.#line++
      if (this.#isInString) {
        this.#readString(character)
        continue
      }
      const isSpace = /\s/.test(character)
      if (this.#isClosed && this.#depth === 0 && !isSpace) {
        throw new UnreadableFileError(this.#line, 'has more after its end: is it two files in one?')
      }
      if (!this.#isClosed && this.#listDepth > 0 && this.#depth === this.#listDepth) {
        const endsElement = character === ',' || character === ']'
        // A comma without an element before or after it yields an empty text, which is an invalid record.
        if (endsElement && (this.#element || this.#needsElement || character === ',')) {
          const { line, text } = this.#element ?? { line: this.#line, text: '' }
          yield { line, text: text + (this.#element ? chunk.slice(from, index) : '') }
          this.#element = undefined
        }
        if (endsElement) {
          this.#needsElement = character === ','
          this.#isClosed = character === ']'
        } else if (!this.#element && !isSpace) {
          this.#element = { line: this.#line, text: '' }
          from = index
        }
      }
      this.#readToken(character)
    }
    if (this.#element) this.#element.text += chunk.slice(from)
    if (this.#element && this.#element.text.length > maxRecordCharacters) {
      throw new UnreadableFileError(this.#element.line, recordTooLong)
    }
  }

  /** Throws UnreadableFileError if the text has no list or is incomplete. */
  finish() {
    if (this.#listDepth === 0) {
      const message = `must be a JSON list or an object with a list under "${this.#key}".`
      throw new UnreadableFileError(this.#line, message)
    }
    if (!this.#isClosed || this.#depth > 0) {
      throw new UnreadableFileError(this.#line, 'is not whole: it ends before its brackets do.')
    }
  }

  #readString(character: string) {
    if (!this.#isEscaped && character === '"') this.#isInString = false
    // A longer string than the key cannot be it, so it need not be stored whole.
    else if (
      this.#depth === 1 &&
      this.#listDepth === 0 &&
      this.#keyText.length <= this.#key.length
    ) {
      this.#keyText += character
    }
    this.#isEscaped = !this.#isEscaped && character === '\\'
  }

  #readToken(character: string) {
    if (character === '"') {
      this.#isInString = true
      this.#isEscaped = false
      if (this.#depth === 1 && this.#listDepth === 0) this.#keyText = ''
    } else if (character === '[' || character === '{') {
      const opensList = this.#depth === 0 || (this.#depth === 1 && this.#keyText === this.#key)
      this.#depth++
      if (character === '[' && opensList && this.#listDepth === 0) this.#listDepth = this.#depth
    } else if (character === ']' || character === '}') {
      this.#depth--
    }
  }
}
