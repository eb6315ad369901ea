import { pipeline } from 'node:stream'
// A file of 1.5 GB needs a fast parser; line numbers do not matter here.
import Papa from 'papaparse'
import { CommandError } from '../terminal/report.ts'
import type { DirectorySource } from './source.ts'

/** Receives the number of bytes read. */
export type ReadProgress = (read: number, total: number) => void

/** Reads a directory's header and an iterator over its rows. Every row has as many cells as the header. */
export async function readDirectoryRows(source: DirectorySource, progress: ReadProgress) {
  const parser = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ',', skipEmptyLines: true })
  // If the source fails, pipeline destroys the parser with the error, and the iterator throws it.
  pipeline(reportProgress(source, progress), parser, () => {})
  const iterator: AsyncIterableIterator<string[]> = parser[Symbol.asyncIterator]()
  const { value: header, done } = await iterator.next()
  if (done) throw new CommandError(`${source.file} is empty.`)
  return { header, rows: requireEvenRows(iterator, header.length, source.file) }
}

async function* reportProgress({ read, size }: DirectorySource, progress: ReadProgress) {
  let done = 0
  for await (const chunk of read()) {
    done += chunk.length
    progress(done, size)
    yield chunk
  }
}

async function* requireEvenRows(rows: AsyncIterable<string[]>, length: number, file: string) {
  let line = 1
  for await (const row of rows) {
    line++
    if (row.length !== length) {
      throw new CommandError(`${file}:${line} has ${row.length} columns and the header ${length}.`)
    }
    yield row
  }
}
