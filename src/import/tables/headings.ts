import { columnLetters } from '../column-letters.ts'
import { Unreadable } from '../read.ts'
import type { Row } from './table.ts'

/** How many rows are looked at to find the headings: above them may be a title, a date, a note. */
export const sampleRows = 100
const mostAbove = 30

/**
 * The row of headings among the first rows of a table: the first that fills most of the width, with
 * words and not with values. Throws Unreadable where there is none.
 */
export function headingsAmong(rows: readonly Row[]): Row {
  const widths = rows.map(({ cells }) => filled(cells).length).toSorted((a, b) => a - b)
  const usual = widths[Math.floor(widths.length * 0.8)] ?? widths.at(-1) ?? 0
  const enough = Math.max(1, Math.min(usual, 2), Math.ceil(usual * 0.6))
  const found = rows
    .slice(0, mostAbove)
    .find(({ cells }) => filled(cells).length >= enough && areWords(cells))
  if (found) return found
  const reason =
    rows.length === 0
      ? 'has no rows.'
      : `has no row of headings among its first ${Math.min(rows.length, mostAbove)}: a row above the values must say what each column is.`
  throw new Unreadable(rows[0]?.line ?? 0, reason)
}

/** Headings as columns are called by: without space around, each once, and never empty. */
export function columnNames(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell, place) => {
    const name = cell.replaceAll(/\s+/g, ' ').trim() || `Column ${columnLetters(place)}`
    const key = name.toLowerCase()
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '')

/** Whether what is in a row are words: hardly a number, a date or an address among them, and not one text again and again. */
function areWords(cells: readonly string[]): boolean {
  const texts = filled(cells).map((cell) => cell.trim())
  const words = texts.filter((text) => /\p{L}/u.test(text) && !isValue.test(text))
  return words.length >= texts.length * 0.8 && new Set(texts).size >= texts.length * 0.6
}

const isValue =
  /^[£€$]|^\S+@\S+\.\S+$|^\d{1,2}[-/. ]\w{1,9}[-/. ]\d{2,4}\b|^\d{4}-\d\d-\d\d|^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|^(?:yes|no|true|false|y|n)$/i
