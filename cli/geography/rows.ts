import { pipeline } from 'node:stream'
// As fast as a file of 1.5 GB needs; which line a row is on does not matter here.
import Papa from 'papaparse'
import { Refusal } from '../terminal/refusal.ts'
import type { Source } from './source.ts'

/** Is told how many of how many bytes are read. */
export type Progress = (read: number, of: number) => void

/** The header of a directory and its rows, which are read one by one and have as many cells as the header. */
export async function rowsOf(source: Source, progress: Progress) {
  const parser = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ',', skipEmptyLines: true })
  // A stream that fails destroys the parser with its fault, and the parser's reader gets it.
  pipeline(withProgress(source, progress), parser, () => {})
  const all: AsyncIterableIterator<string[]> = parser[Symbol.asyncIterator]()
  const { value: header, done } = await all.next()
  if (done) throw new Refusal(`${source.file} is empty.`)
  return { header, rows: evenRows(all, header.length, source.file) }
}

async function* withProgress({ read, size }: Source, progress: Progress) {
  let done = 0
  for await (const chunk of read()) {
    done += chunk.length
    progress(done, size)
    yield chunk
  }
}

async function* evenRows(rows: AsyncIterable<string[]>, length: number, file: string) {
  let line = 1
  for await (const row of rows) {
    line++
    if (row.length !== length) {
      throw new Refusal(`${file}:${line} has ${row.length} columns and the header ${length}.`)
    }
    yield row
  }
}
