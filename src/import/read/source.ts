import type { ValidationError } from '../../model/validation-error.ts'

/** A file to import, which can be read more than once: its name, and its bytes in order. */
export type Source = { name: string; size: number; bytes(): AsyncIterable<Uint8Array> }

/** A parsed record with its line; `broken` says why the line could not be parsed. */
export type ParsedRecord = { line: number; value: unknown } | { line: number; broken: string }

/** An error in a line of a file; line 0 means the whole file. */
export type LineError = ValidationError & { line: number }

/** The maximum length of a record's text. It exceeds the limit for stored records because JSON may be written with much white space. */
export const maxRecordCharacters = 2_000_000

export const recordTooLong = `has a record of more than ${maxRecordCharacters} characters.`

/** A file, or a line of it, that cannot be read as what its name says it is. */
export class UnreadableFileError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** Returns the error of a file, or a part of it, that cannot be read. */
export const unreadable = (message: string): ValidationError => ({
  field: '',
  message,
  code: 'unreadable',
})

/** An import that could not go on: of which file, and how much of it is kept. */
export class ImportInterruptedError extends Error {
  constructor(file: string, written: number, records: number, cause: unknown) {
    super(
      `${file}: ${written} of ${records} records are kept, then the import broke off. Run again, it keeps every record once.`,
      { cause },
    )
  }
}

/** A file's text, chunk by chunk, without a byte order mark. Throws UnreadableFileError when it is not UTF-8: a letter that cannot be read is a name spoilt. */
export const readUtf8 = ({ bytes }: Source): AsyncGenerator<string> =>
  decode('utf-8', bytes(), 'is not text in UTF-8; a spreadsheet saves it as "CSV UTF-8".')

/** Bytes as text in an encoding, chunk by chunk, without a byte order mark. Throws UnreadableFileError with this message where they are none. */
export async function* decode(
  encoding: string,
  bytes: AsyncIterable<Uint8Array>,
  message: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: false })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableFileError(0, message)
  }
}

/** A line of JSON read; why it cannot be, without the text, which may be personal. */
export function parseRecord(line: number, text: string): ParsedRecord {
  try {
    return { line, value: JSON.parse(text) }
  } catch {
    return { line, broken: 'is not valid JSON.' }
  }
}
