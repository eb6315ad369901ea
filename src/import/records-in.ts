import { readCsvRecords } from './csv.ts'
import { readJsonElements } from './read/json-elements.ts'
import { isJsonLines } from './read/json-lines.ts'
import { readLines } from './read/lines.ts'
import {
  type ParsedRecord,
  parseRecord,
  readUtf8,
  type Source,
  UnreadableFileError,
} from './read.ts'
import type { ImportTarget } from './target.ts'

/** The records of a JSON, NDJSON or CSV file, one by one. Throws UnreadableFileError when the file as a whole cannot be read. */
export async function* readRecords(
  source: Source,
  target: ImportTarget,
): AsyncGenerator<ParsedRecord> {
  const [, extension] = /\.(csv|ndjson|json)$/i.exec(source.name) ?? []
  const text = readUtf8(source)
  switch (extension?.toLowerCase()) {
    case 'csv':
      return yield* readCsvRecords(text, target)
    case 'ndjson':
      return yield* readNdjsonRecords(text)
    case 'json':
      return yield* (await isJsonLines(readUtf8(source), target.plural))
        ? readNdjsonRecords(text)
        : readJsonRecords(text, target)
    default:
      throw new UnreadableFileError(0, 'must be a .json, .ndjson or .csv file.')
  }
}

async function* readNdjsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<ParsedRecord> {
  for await (const { line, text } of readLines(chunks)) {
    if (text.trim() !== '') yield parseRecord(line, text)
  }
}

async function* readJsonRecords(
  chunks: AsyncIterable<string>,
  target: ImportTarget,
): AsyncGenerator<ParsedRecord> {
  for await (const { line, text } of readJsonElements(chunks, target.plural))
    yield parseRecord(line, text)
}
