import { parseHeadingDay } from '../parse/heading-days.ts'
import { UnreadableFileError } from '../source/source.ts'
import { columnLetters, type SourceRow } from './table.ts'

/** Number of rows to examine for the headings: a title, a date or a note may come before them. */
export const sampleRows = 100
const maxRowsAbove = 30

/**
 * The heading row of a table: the first row that fills most of the width with words, or with days and names
 * of columns. Throws UnreadableFileError if no row does.
 */
export function findHeadingRow(rows: readonly SourceRow[]): SourceRow {
  const widths = rows.map(({ cells }) => filledCells(cells).length).toSorted((a, b) => a - b)
  // The 80th percentile, because notes above or below a table fill few cells.
  const usualWidth = widths[Math.floor(widths.length * 0.8)] ?? widths.at(-1) ?? 0
  const minFilled = Math.max(1, Math.min(usualWidth, 2), Math.ceil(usualWidth * 0.6))
  for (const [index, row] of rows.slice(0, maxRowsAbove).entries()) {
    const twoRows = joinMonths(row, rows[index + 1])
    if (twoRows && areDayHeadings(twoRows.cells)) return twoRows
    if (areDayHeadings(row.cells)) return row
    if (filledCells(row.cells).length >= minFilled && areHeadingTexts(row.cells)) return row
  }
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

/** Whether a heading is that of a column of names. */
export const namesPeople = (heading: string): boolean =>
  /\b(?:names?|surname|participants?|members?|attendees?|child|children|clients?|volunteers?|persons?|people|who)\b/i.test(
    heading,
  )

/** Whether a row has the headings of a sheet of ticks: days, and words for the columns about the people. */
function areDayHeadings(cells: readonly string[]): boolean {
  const texts = filledCells(cells).map((cell) => cell.trim())
  const others = texts.filter((text) => !parseHeadingDay(text))
  const days = texts.length - others.length
  if (days === 0 || (others.length > 0 && !areHeadingTexts(others))) return false
  return others.some(namesPeople) || days > 1
}

const monthHeading = /^[a-z]{3,9}\.?(?:[ -]+\d{4})?$/i
const dayOfMonth = /^\d{1,2}(?:st|nd|rd|th)?$/i

/** The headings of two rows with a month above its days; undefined if the first row has no month. */
function joinMonths(above: SourceRow, row: SourceRow | undefined): SourceRow | undefined {
  if (!row) return undefined
  const cells: string[] = []
  let month = ''
  for (const [index, cell] of row.cells.entries()) {
    const heading = above.cells[index]?.trim() ?? ''
    const isMonth = monthHeading.test(heading) && parseHeadingDay(`1 ${heading}`) !== undefined
    if (isMonth) month = heading
    const text = cell.trim()
    if (month !== '' && dayOfMonth.test(text)) cells.push(`${text} ${month}`)
    else cells.push(text === '' && !isMonth ? heading : text)
  }
  return month === '' ? undefined : { ...row, cells }
}

/** Whether a row consists of words, with few numbers, dates, addresses and repetitions. */
function areHeadingTexts(cells: readonly string[]): boolean {
  const texts = filledCells(cells).map((cell) => cell.trim())
  const words = texts.filter((text) => /\p{L}/u.test(text) && !valuePattern.test(text))
  return words.length >= texts.length * 0.8 && new Set(texts).size >= texts.length * 0.6
}

/** Values that no heading has: money, an email address, a date, a postcode, or yes and no. */
const valuePattern =
  /^[£€$]|^\S+@\S+\.\S+$|^\d{1,2}[-/. ]\w{1,9}[-/. ]\d{2,4}\b|^\d{4}-\d\d-\d\d|^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|^(?:yes|no|true|false|y|n)$/i
