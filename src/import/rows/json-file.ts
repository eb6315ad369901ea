import { readUtf8, type Source, UnreadableFileError } from '../source/source.ts'

const maxBytes = 10_000_000

/** Parses a JSON file. Returns an UnreadableFileError about the whole file if it is too large or not JSON. */
export async function readJsonFile(source: Source): Promise<unknown> {
  try {
    if (source.size > maxBytes) throw new UnreadableFileError(0, `has more than ${maxBytes} bytes.`)
    return JSON.parse((await Array.fromAsync(readUtf8(source))).join(''))
  } catch (error) {
    if (error instanceof SyntaxError) return new UnreadableFileError(0, 'is not valid JSON.')
    if (error instanceof UnreadableFileError) return error
    throw error
  }
}
