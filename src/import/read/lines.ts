import { maxRecordCharacters, recordTooLong, UnreadableFileError } from '../read.ts'

/** The lines of a text with their numbers. Node's readline also ends a line at U+2028, which a JSON text may hold. */
export async function* readLines(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ line: number; text: string }> {
  let line = 1
  let text = ''
  for await (const chunk of chunks) {
    const [first = '', ...rest] = chunk.split('\n')
    text += first
    for (const lineText of rest) {
      yield { line, text }
      line++
      text = lineText
    }
    if (text.length > maxRecordCharacters) throw new UnreadableFileError(line, recordTooLong)
  }
  yield { line, text }
}
