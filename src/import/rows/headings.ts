import { UnreadableFileError } from '../source/source.ts'
import { columnLetters, type SourceRow } from './table.ts'

/** Number of rows to examine for the headings: a title, a date or a note may come before them. */
export const sampleRows = 100
const maxRowsAbove = 30

/**
 * The heading row of a table: the first row that fills most of the width with words.
 * Throws UnreadableFileError if no row does.
 */
export function findHeadingRow(rows: readonly SourceRow[]): SourceRow {
  const widths = rows.map(({ cells }) => filledCells(cells).length).toSorted((a, b) => a - b)
  // The 80th percentile, because notes above or below a table fill few cells.
  const usualWidth = widths[Math.floor(widths.length * 0.8)] ?? widths.at(-1) ?? 0
  const minFilled = Math.max(1, Math.min(usualWidth, 2), Math.ceil(usualWidth * 0.6))
  const headingRow = rows
    .slice(0, maxRowsAbove)
    .find(({ cells }) => filledCells(cells).length >= minFilled && areHeadingTexts(cells))
  if (headingRow) return headingRow
  const message =
    rows.length === 0
      ? 'has no rows.'
      : `has no row of headings among its first ${Math.min(rows.length, maxRowsAbove)}: a row above the values must say what each column is.`
  throw new UnreadableFileError(rows[0]?.line ?? 0, message)
}

/** Unique, non-empty headings without extra spaces. */
export function toHeadings(cells: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return cells.map((cell, index) => {
    const name = cell.replaceAll(/\s+/g, ' ').trim() || `Column ${columnLetters(index)}`
    const key = name.toLowerCase()
    const occurrence = (counts.get(key) ?? 0) + 1
    counts.set(key, occurrence)
    return occurrence === 1 ? name : `${name} (${occurrence})`
  })
}

const filledCells = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '')

/** Whether a row consists of words, with few numbers, dates, addresses and repetitions. */
function areHeadingTexts(cells: readonly string[]): boolean {
  const texts = filledCells(cells).map((cell) => cell.trim())
  const words = texts.filter((text) => /\p{L}/u.test(text) && !valuePattern.test(text))
  return words.length >= texts.length * 0.8 && new Set(texts).size >= texts.length * 0.6
}

/** Values that no heading has: money, an email address, a date, a postcode, or yes and no. */
const valuePattern =
  /^[£€$]|^\S+@\S+\.\S+$|^\d{1,2}[-/. ]\w{1,9}[-/. ]\d{2,4}\b|^\d{4}-\d\d-\d\d|^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|^(?:yes|no|true|false|y|n)$/i
