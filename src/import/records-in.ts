import { csvRecords } from './csv.ts'
import { jsonElements } from './json-elements.ts'
import { areJsonLines } from './json-lines.ts'
import { linesOf } from './lines.ts'
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
      return yield* (await areJsonLines(textOf(source), target.plural))
        ? ndjsonRecords(text)
        : jsonRecords(text, target)
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
