import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { csvRecords } from './csv.ts'
import { jsonElements } from './json-elements.ts'
import type { Target } from './target.ts'
import { Unreadable } from './unreadable.ts'

/** A record as it was read: its line, and its value unless the line is broken. */
export type Read = { line: number; value: unknown } | { line: number; broken: string }

/** The records of a JSON, NDJSON or CSV file, one by one. Throws Unreadable when the file as a whole cannot be read. */
export async function* recordsIn(path: string, target: Target): AsyncGenerator<Read> {
  const extension = extname(path).toLowerCase()
  if (extension === '.csv') {
    yield* csvRecords(textOf(path), target)
  } else if (extension === '.ndjson') {
    let line = 0
    for await (const text of linesOf(textOf(path))) {
      line++
      if (text.trim() !== '') yield parsed(line, text)
    }
  } else if (extension === '.json') {
    for await (const { line, text } of jsonElements(textOf(path), target.plural)) {
      yield parsed(line, text)
    }
  } else {
    throw new Unreadable(0, 'is neither .json, .ndjson nor .csv.')
  }
}

/** A file's text, chunk by chunk, without a byte order mark. Throws Unreadable when it is not UTF-8: a letter that cannot be read is a name spoilt. */
export async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  const bytes: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 18 })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Unreadable(0, 'is not text in UTF-8; a spreadsheet saves it as "CSV UTF-8".')
  }
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

/** A line of JSON read; why it cannot be, without the text, which may be personal. */
export function parsed(line: number, text: string): Read {
  try {
    return { line, value: JSON.parse(text) }
  } catch {
    return { line, broken: 'is not valid JSON.' }
  }
}
