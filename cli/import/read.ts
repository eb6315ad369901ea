import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'
import { csvRecords } from './csv.ts'
import { jsonElements } from './json-elements.ts'
import type { Target } from './target.ts'
import { Unreadable } from './unreadable.ts'

/** A record as it was read: its line, and its value unless the line is broken. */
export type Read = { line: number; value: unknown } | { line: number; broken: string }

/** The records of a JSON, NDJSON or CSV file, one by one. Throws Unreadable when the file as a whole cannot be read. */
export async function* recordsIn(path: string, target: Target): AsyncGenerator<Read> {
  const extension = extname(path)
  if (extension === '.csv') {
    yield* csvRecords(textOf(path), target)
  } else if (extension === '.ndjson') {
    let line = 0
    for await (const text of createInterface({ input: createReadStream(path) })) {
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

/** A file's text, chunk by chunk. */
export const textOf = (path: string): AsyncIterable<string> =>
  createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })

/** A line of JSON read; why it cannot be, without the text, which may be personal. */
export function parsed(line: number, text: string): Read {
  try {
    return { line, value: JSON.parse(text) }
  } catch {
    return { line, broken: 'is not valid JSON.' }
  }
}
