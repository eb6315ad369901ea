import { isObject } from '../../model/json.ts'
import { maxRecordCharacters, parseRecord, recordTooLong, UnreadableFileError } from './source.ts'

/** Whether a text that is called JSON is JSON lines: its first line is an object by itself, without a list under `key`, and the next begins another. */
export async function isJsonLines(chunks: AsyncIterable<string>, key?: string): Promise<boolean> {
  let hasFirst = false
  try {
    for await (const { line, text } of readLines(chunks)) {
      const trimmed = text.trim()
      if (trimmed === '') continue
      if (!trimmed.startsWith('{')) return false
      if (hasFirst) return true
      const record = parseRecord(line, text)
      if ('broken' in record) return false
      const isEnvelope =
        key !== undefined && isObject(record.value) && Array.isArray(record.value[key])
      if (isEnvelope) return false
      hasFirst = true
    }
  } catch (error) {
    // The caller that reads the whole text reports the error.
    if (!(error instanceof UnreadableFileError)) throw error
  }
  return false
}

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
