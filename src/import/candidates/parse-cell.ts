import { hasLostDigits, unescapeFormula } from '../../model/cell-text.ts'
import { lostDigits, type ParseCell, type ParsedCell } from '../../model/parsed-cell.ts'
import { plainCells } from '../../model/value-types.ts'
import type { TimeZone } from '../../platform/time-zone.ts'
import type { MappedColumn } from '../mapping/mapping.ts'
import type { TargetField } from '../mapping/target-fields.ts'
import { parseDate, parseSerialDate } from '../parse/dates.ts'
import { parseNumber } from '../parse/numbers.ts'
import { isEmptyCell, isSpreadsheetError, parseSurnameFirst } from '../parse/text.ts'
import { createBooleanParser, createListParser, createOptionParser } from './parse-choice.ts'

/** The parser for the cells of a column. An ambiguous value is an error. */
export function createCellParser(
  column: MappedColumn,
  targetField: TargetField,
  zone: TimeZone,
): ParseCell {
  const parse = selectParser(column, targetField, zone)
  return (text) => {
    const cell = unescapeFormula(text).trim()
    if (isEmptyCell(cell)) return emptyResult(targetField)
    if (isSpreadsheetError(cell))
      return { message: 'is a spreadsheet error, not a value.', code: 'spreadsheet_error' }
    return parse(cell)
  }
}

const emptyResult = ({ isFalseWhenEmpty }: TargetField): ParsedCell =>
  isFalseWhenEmpty
    ? { value: null, note: 'is empty and stored as "no", because this field has no "unknown".' }
    : { value: null }

function selectParser(column: MappedColumn, targetField: TargetField, zone: TimeZone): ParseCell {
  switch (column.as) {
    case 'number':
      return (cell) => parseNumberCell(cell, column)
    case 'boolean':
      return createBooleanParser(column, targetField)
    case 'date':
      return (cell) => parseDateCell(cell, column, zone)
    case 'time':
      return (cell) => parseTimeCell(cell, column, zone)
    case 'option':
      return createOptionParser(column, targetField)
    case 'list':
      return createListParser(column, targetField)
    case 'text':
    case 'link':
      return (cell) => ({ value: selectNameParts(cell, column) })
    default:
      return plainCells[column.as]
  }
}

/** The parts of a name such as "SMITH, Jane" that the column's field takes. Any other text is returned unchanged. */
function selectNameParts(cell: string, { nameParts }: MappedColumn): string {
  const name = nameParts && parseSurnameFirst(cell)
  if (!name) return cell
  return nameParts.map((part) => name[part]).join(' ')
}

function parseNumberCell(cell: string, { decimal = '.', currency }: MappedColumn): ParsedCell {
  if (hasLostDigits(cell)) return lostDigits
  const parsed = parseNumber(cell)
  const value = parsed?.[decimal]
  if (value === undefined) return { message: 'is not a number.', code: 'invalid_number' }
  if (parsed?.currency && parsed.currency !== currency) {
    return {
      message: currency
        ? `is not in ${currency}.`
        : 'has a currency, but the other amounts have none.',
      code: 'other_currency',
    }
  }
  return { value }
}

function parseDateCell(
  cell: string,
  { dates = 'day-first' }: MappedColumn,
  zone: TimeZone,
): ParsedCell {
  if (dates === 'excel' && /^\d+(?:\.\d+)?$/.test(cell)) {
    const day = parseSerialDate(Number(cell))?.slice(0, 10)
    return day
      ? { value: day }
      : { message: 'is not an Excel date number.', code: 'invalid_format' }
  }
  const parsed = parseDate(cell)
  const order = dates === 'excel' ? 'day-first' : dates
  const day = parsed?.[order]
  if (!parsed || day === undefined) return notADate(parsed !== undefined, order)
  if (parsed.time === undefined || parsed.offset === undefined) return { value: day }
  return { value: zone.local(Date.parse(`${day}T${parsed.time}${parsed.offset}`)).slice(0, 10) }
}

const notADate = (isDateInOtherOrder: boolean, order: 'day-first' | 'month-first'): ParsedCell =>
  isDateInOtherOrder
    ? {
        message: `is not a date if the ${order === 'day-first' ? 'day' : 'month'} comes first.`,
        code: 'other_date_order',
      }
    : { message: 'is not a date, such as 31/12/2025 or 2025-12-31.', code: 'invalid_date' }

function parseTimeCell(
  cell: string,
  { dates = 'day-first' }: MappedColumn,
  zone: TimeZone,
): ParsedCell {
  const text =
    dates === 'excel' && /^\d+(?:\.\d+)?$/.test(cell) ? parseSerialDate(Number(cell)) : cell
  const order = dates === 'excel' ? 'day-first' : dates
  const parsed = text === undefined ? undefined : parseDate(text)
  const day = parsed?.[order]
  if (!parsed || day === undefined) return notADate(parsed !== undefined, order)
  // A day without a time is the same day in every time zone.
  if (parsed.time === undefined) return { value: `${day}T00:00:00.000Z` }
  if (parsed.offset !== undefined) {
    return { value: new Date(`${day}T${parsed.time}${parsed.offset}`).toISOString() }
  }
  const instant = zone.instant(day, parsed.time)
  if ('utc' in instant) return { value: instant.utc }
  return {
    code: 'clock_change',
    message:
      instant.unclear === 'skipped'
        ? 'is in the hour that the clocks skip when they go forward: correct it.'
        : 'is in the hour that occurs twice when the clocks go back: add +01:00 or +00:00.',
  }
}
