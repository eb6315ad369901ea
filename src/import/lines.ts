import { longestRecord, tooLong, Unreadable } from './read.ts'

/** The lines of a text with their numbers. Node's readline also ends a line at U+2028, which a JSON text may hold. */
export async function* linesOf(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ line: number; text: string }> {
  let line = 1
  let text = ''
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n')
    text += first
    for (const other of others) {
      yield { line, text }
      line++
      text = other
    }
    if (text.length > longestRecord) throw new Unreadable(line, tooLong)
  }
  yield { line, text }
}
