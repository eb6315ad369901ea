import { csvRecords } from './csv.ts'
import { jsonElements } from './json-elements.ts'
import { parsed, type Read, type Source, textOf, Unreadable } from './read.ts'
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
  let line = 0
  for await (const text of linesOf(chunks)) {
    line++
    if (text.trim() !== '') yield parsed(line, text)
  }
}

async function* jsonRecords(chunks: AsyncIterable<string>, target: Target): AsyncGenerator<Read> {
  for await (const { line, text } of jsonElements(chunks, target.plural)) yield parsed(line, text)
}

// Node's readline also ends a line at U+2028, which a JSON text may hold.
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}
