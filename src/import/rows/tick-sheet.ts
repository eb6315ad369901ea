import { parseHeadingDay } from '../parse/heading-days.ts'
import { isMark } from '../parse/marks.ts'
import { isEmptyCell } from '../parse/text.ts'
import { UnreadableFileError } from '../source/source.ts'
import { namesPeople, toHeadings } from './headings.ts'
import { isRejectionColumn } from './rejected-rows.ts'
import type { SourceTable, TickDay, TickSheet } from './table.ts'

/*
 * A sheet of ticks has a row for each person and a column for each day, with marks of who came. It becomes a table with a
 * row for each person and day: the columns about the person, the heading of the day, and the mark. All these rows have the
 * line of the person, so that one answer of a reviewer applies to all their days.
 */

const maxDays = 400
const sampleRows = 200
/** The minimum share of cells with a known mark. */
const minMarks = 0.6

/** Recognises a sheet of ticks by its headings and cells, and makes it a table with a row for each person and day. */
export async function openTickSheet(table: SourceTable): Promise<SourceTable> {
  const days = table.headings.flatMap((heading) => {
    const day = parseHeadingDay(heading)
    return day ? [{ heading, day }] : []
  })
  if (days.length === 0 || days.length === table.headings.length) return table
  if (!(await hasMarks(table, days))) return table
  rejectDays(table, days)
  const matrix = nameFirstColumn(table)
  const totals = findTotals(matrix.headings, days)
  const people = matrix.headings.filter((heading) => !isOther(heading, days, totals))
  const [dayHeading = '', markHeading = ''] = toHeadings([...people, 'Date', 'Came']).slice(-2)
  return toRows({ matrix, days, dayHeading, markHeading, totals })
}

/** The headings of a table that describe a record, without those of the day and the mark in a sheet of ticks. */
export const recordHeadings = ({ headings, ticks }: SourceTable): readonly string[] =>
  ticks ? headings.slice(0, -2) : headings

/** The table of a sheet of ticks with a row for each person and day. `matrix` may have corrected cells. */
export function toRows(sheet: TickSheet, matrix = sheet.matrix): SourceTable {
  const { days, dayHeading, markHeading, totals } = sheet
  const { headings } = matrix
  const people = headings.filter((heading) => !isOther(heading, days, totals))
  const peopleIndexes = people.map((heading) => headings.indexOf(heading))
  const dayColumns = days.map(({ heading }) => ({ heading, index: headings.indexOf(heading) }))
  return {
    ...matrix,
    headings: [...people, dayHeading, markHeading],
    ticks: sheet,
    async *rows() {
      for await (const row of matrix.rows()) {
        if (row.isTotal) {
          yield row
          continue
        }
        const person = peopleIndexes.map((index) => row.cells[index] ?? '')
        const marks = dayColumns.map(({ heading, index }) => [heading, row.cells[index] ?? ''])
        // A row number alone is no person.
        const isBlank =
          person.every((cell) => /^\d*$/.test(cell.trim())) &&
          marks.every(([, mark = '']) => isEmptyCell(mark.trim()))
        if (isBlank) continue
        const extra = row.cells.slice(headings.length).filter((cell) => cell.trim() !== '')
        for (const mark of marks)
          yield { line: row.line, cells: [...person, ...mark, ...extra], origin: row }
      }
    },
  }
}

const isOther = (heading: string, days: readonly TickDay[], totals: readonly string[]) =>
  totals.includes(heading) || days.some((day) => day.heading === heading)

/** Whether most filled cells below the days are marks. */
async function hasMarks(table: SourceTable, days: readonly TickDay[]): Promise<boolean> {
  const indexes = days.map(({ heading }) => table.headings.indexOf(heading))
  let filled = 0
  let marks = 0
  let rows = 0
  for await (const { cells, isTotal } of table.rows()) {
    if (isTotal) continue
    const texts = indexes.map((index) => (cells[index] ?? '').trim())
    const filledTexts = texts.filter((text) => !isEmptyCell(text))
    filled += filledTexts.length
    marks += filledTexts.filter(isMark).length
    if (++rows === sampleRows) break
  }
  // The rejected rows of a sheet may have hardly any other marks.
  const isRejected = table.headings.some(isRejectionColumn)
  return marks > 0 && (isRejected || marks >= filled * minMarks)
}

/** Throws UnreadableFileError for too many days, or two columns with one day. */
function rejectDays({ headingLine }: SourceTable, days: readonly TickDay[]): void {
  if (days.length > maxDays)
    throw new UnreadableFileError(
      headingLine,
      `has ${days.length} dates; a sheet of ticks may have ${maxDays}.`,
    )
  const columns = Map.groupBy(
    days,
    ({ day }) => `${day['day-first'] ?? ''} ${day['month-first'] ?? ''}`,
  )
  const [repeated] = [...columns.values()].filter(({ length }) => length > 1)
  if (repeated)
    throw new UnreadableFileError(
      headingLine,
      `has two columns for one date, ${repeated.map(({ heading }) => `"${heading}"`).join(' and ')}: correct a heading, or import the columns in two files.`,
    )
}

/** Gives the first column the heading "Name" if it lacks one, unless another column has names. */
function nameFirstColumn(table: SourceTable): SourceTable {
  const [first, ...others] = table.headings
  if (first !== 'Column A' || others.some(namesPeople)) return table
  return { ...table, headings: toHeadings(['Name', ...others]) }
}

const totalHeading =
  /^(?:(?:grand |overall )?totals?\b.*|sum|count|%|.*\b(?:attended|attendances?|present|absences)\b.*|(?:number|no\.?) of (?:sessions|weeks|times|dates|visits)|sessions)$/i

/** The headings after the last day that hold totals. */
function findTotals(headings: readonly string[], days: readonly TickDay[]): string[] {
  const last = headings.indexOf(days.at(-1)?.heading ?? '')
  return headings.filter((heading, index) => index > last && totalHeading.test(heading.trim()))
}
