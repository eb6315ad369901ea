import { isObject } from '../model/is-object.ts'
import { linesOf } from './lines.ts'
import { parsed, Unreadable } from './read.ts'

/** Whether a text that is called JSON is JSON lines: its first line is an object by itself, without a list under `key`, and the next begins another. */
export async function areJsonLines(chunks: AsyncIterable<string>, key?: string): Promise<boolean> {
  let hasFirst = false
  try {
    for await (const { line, text } of linesOf(chunks)) {
      const trimmed = text.trim()
      if (trimmed === '') continue
      if (!trimmed.startsWith('{')) return false
      if (hasFirst) return true
      const read = parsed(line, text)
      if ('broken' in read) return false
      const isEnvelope = key !== undefined && isObject(read.value) && Array.isArray(read.value[key])
      if (isEnvelope) return false
      hasFirst = true
    }
  } catch (error) {
    // Whoever reads the whole text says what is wrong with it.
    if (!(error instanceof Unreadable)) throw error
  }
  return false
}
