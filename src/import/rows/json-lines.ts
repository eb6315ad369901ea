import { isObject } from '../../model/json.ts'
import {
  maxRecordCharacters,
  parseRecord,
  recordTooLong,
  UnreadableFileError,
} from '../source/source.ts'

/** Whether a text is JSON lines: its first line is a complete object without a list under `key`, and the next line begins another object. */
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
    // The caller reports the error when it reads the whole text.
    if (!(error instanceof UnreadableFileError)) throw error
  }
  return false
}

/** Yields the lines of a text with their numbers. Node's readline would also split at U+2028, but JSON strings may contain it. */
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
