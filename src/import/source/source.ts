import type { ValidationError } from '../../model/validation-error.ts'
import { single } from '../../platform/single.ts'

/** A file to import. Its bytes can be read more than once. */
export type Source = { name: string; size: number; bytes(): AsyncIterable<Uint8Array> }

/** A text as a file to import. */
export function textSource(name: string, text: string): Source {
  const bytes = new TextEncoder().encode(text)
  return { name, size: bytes.length, bytes: () => single(bytes) }
}

/** A parsed record with its line; `broken` is the reason for a parse error. */
export type ParsedRecord = { line: number; value: unknown } | { line: number; broken: string }

/** An error in a line of a file; line 0 means the whole file. */
export type LineError = ValidationError & { line: number }

/** The maximum length of a record's text. It exceeds the limit for stored records because JSON may contain much white space. */
export const maxRecordCharacters = 2_000_000

export const recordTooLong = `has a record of more than ${maxRecordCharacters} characters.`

/** The error for a file, or a line of it, that cannot be read. */
export class UnreadableFileError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** The validation error for an unreadable file, or a part of it. */
export const unreadable = (message: string): ValidationError => ({
  field: '',
  message,
  code: 'unreadable',
})

/** The error for an import that failed partway. */
export class ImportInterruptedError extends Error {
  constructor(file: string, written: number, records: number, cause: unknown) {
    super(
      `${file}: ${written} of ${records} records are kept, then the import broke off. Run again, it keeps every record once.`,
      { cause },
    )
  }
}

/** Yields a file's text in chunks, without a byte order mark. Throws UnreadableFileError if it is not UTF-8: replacement characters would spoil names. */
export const readUtf8 = ({ bytes }: Source): AsyncGenerator<string> =>
  decode('utf-8', bytes(), 'is not text in UTF-8; a spreadsheet saves it as "CSV UTF-8".')

/** Decodes bytes in chunks, without a byte order mark. Throws UnreadableFileError with this message if they are invalid. */
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

/** Parses a JSON record. The error omits the text, because it may be personal. */
export function parseRecord(line: number, text: string): ParsedRecord {
  try {
    return { line, value: JSON.parse(text) }
  } catch {
    return { line, broken: 'is not valid JSON.' }
  }
}
