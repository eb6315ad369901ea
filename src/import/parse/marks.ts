import { parseBoolean } from './booleans.ts'
import { normaliseKey } from './text.ts'

/*
 * The marks in a sheet of ticks, besides yes and no. "√", "ü" and "û" are the tick and the cross of fonts with symbols.
 */

const cameMarks = new Set([
  ...['p', 'present', 'here', 'attended', 'came', 'in', 'tick', '/', '\\', '√', 'ü'],
  ...['l', 'late', 'arrived late'],
])

const absentMarks = new Set([
  ...['a', 'abs', 'absent', 'away', 'out', 'ill', 'illness', 'sick', 'unwell', 'holiday'],
  ...['apologies', 'apols', 'sent apologies', 'did not attend', 'did not come', 'dna'],
  ...['no show', 'no-show', 'excused', '×', 'û'],
])

/** Marks of people who are booked and have not been marked yet. */
const openMarks = new Set(['booked', '?'])

/** A cross, which means "came" in one sheet and "did not come" in another. */
const cross = 'x'

/** Whether a cell of a sheet may be a mark. */
export function isMark(cell: string): boolean {
  const text = normaliseKey(cell)
  return (
    parseBoolean(text) !== undefined ||
    text === cross ||
    cameMarks.has(text) ||
    absentMarks.has(text) ||
    openMarks.has(text)
  )
}

/**
 * The values of the marks of a sheet besides yes and no: `true` for "came", `false` for "did not come", null for
 * a person who is only booked. A cross means "came" if nothing else does, and the letter A "absent" if something else means
 * "came". Any other text needs the answer of a person.
 */
export function chooseMarkValues(texts: readonly string[]): Record<string, string | null> {
  const marks = texts.map(normaliseKey)
  const hasTicks = marks.some((mark) => parseBoolean(mark) === true || cameMarks.has(mark))
  const hasCrosses = marks.includes(cross)
  return Object.fromEntries(
    marks.flatMap((mark): [string, string | null][] => {
      if (parseBoolean(mark) !== undefined) return []
      if (mark === cross) return hasTicks ? [] : [[mark, 'true']]
      if (mark === 'a' && !hasTicks && !hasCrosses) return []
      if (cameMarks.has(mark)) return [[mark, 'true']]
      if (absentMarks.has(mark)) return [[mark, 'false']]
      return openMarks.has(mark) ? [[mark, null]] : []
    }),
  )
}
