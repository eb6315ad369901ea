import { csvRecords } from './csv.ts'
import { type Element, jsonElements } from './json-elements.ts'
import {
  longestRecord,
  parsed,
  type Read,
  type Source,
  textOf,
  tooLong,
  Unreadable,
} from './read.ts'
import type { Target } from './target.ts'

/** The records of a JSON, NDJSON or CSV file, one by one. Throws Unreadable when the file as a whole cannot be read. */
export async function* recordsIn(source: Source, target: Target): AsyncGenerator<Read> {
  const [, extension] = /\.(csv|ndjson|json)$/i.exec(source.name) ?? []
  const text = textOf(source)
  switch (extension?.toLowerCase()) {
    case 'csv':
      return yield* csvRecords(text, target)
    case 'ndjson':
      return yield* ndjsonRecords(text)
    case 'json':
      return yield* jsonRecords(text, target)
    default:
      throw new Unreadable(0, 'is neither .json, .ndjson nor .csv.')
  }
}

async function* ndjsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<Read> {
  for await (const { line, text } of linesOf(chunks)) {
    if (text.trim() !== '') yield parsed(line, text)
  }
}

async function* jsonRecords(chunks: AsyncIterable<string>, target: Target): AsyncGenerator<Read> {
  for await (const { line, text } of jsonElements(chunks, target.plural)) yield parsed(line, text)
}

// Node's readline also ends a line at U+2028, which a JSON text may hold.
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<Element> {
  let line = 1
  let text = ''
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n')
    text += first
    for (const other of others) {
      yield { line, text }
      line++
      text = other
    }
    if (text.length > longestRecord) throw new Unreadable(line, tooLong)
  }
  yield { line, text }
}
