import { unescapeFormula } from '../../model/cell-text.ts'
import type { TimeZone } from '../../platform/time-zone.ts'
import { splitParts } from '../infer/column-facts.ts'
import type { TargetField } from '../infer/target-fields.ts'
import type { MappedColumn } from '../mapping.ts'
import { isUnknown, parseBoolean } from '../parse/booleans.ts'
import { parseDate } from '../parse/dates.ts'
import { isEmptyCell, isSpreadsheetError } from '../parse/empty.ts'
import { hasLostDigits, parseNumber } from '../parse/numbers.ts'
import { parseSerialDate } from '../parse/serial-dates.ts'

/** What a cell says: a value, null where it has none; or why it cannot be read. `said` is what the value does not tell. */
export type ParsedCell = { value: unknown; note?: string } | { fault: string }

/** Reads the cells of one column. */
export type ParseCell = (cell: string) => ParsedCell

/** Returns the parser for the cells of a column. An ambiguous value is an error. */
export function createCellParser(
  column: MappedColumn,
  targetField: TargetField,
  zone: TimeZone,
): ParseCell {
  const parse = selectParser(column, targetField, zone)
  return (text) => {
    const cell = unescapeFormula(text).trim()
    if (isEmptyCell(cell)) return emptyResult(targetField)
    if (isSpreadsheetError(cell)) return { fault: 'is an error of the spreadsheet, and no value.' }
    return parse(cell)
  }
}

const emptyResult = ({ isFalseWhenEmpty }: TargetField): ParsedCell =>
  isFalseWhenEmpty
    ? { value: null, note: 'is empty and stored as "no", because this field has no "unknown".' }
    : { value: null }

function selectParser(column: MappedColumn, targetField: TargetField, zone: TimeZone): ParseCell {
  switch (column.as) {
    case 'phone':
      return parsePhoneCell
    case 'number':
      return (cell) => parseNumberCell(cell, column)
    case 'boolean':
      return (cell) => parseBooleanCell(cell, targetField)
    case 'date':
      return (cell) => parseDateCell(cell, column, zone)
    case 'time':
      return (cell) => parseTimeCell(cell, column, zone)
    case 'option':
      return createOptionParser(targetField)
    case 'list':
      return createListParser(column, targetField)
    case 'json':
      return parseJsonCell
    default:
      return (cell) => ({ value: cell })
  }
}

const lostDigitsMessage =
  'was shortened by a spreadsheet, and its digits are lost: export the column again as text.'

const parsePhoneCell = (cell: string): ParsedCell =>
  hasLostDigits(cell) ? { fault: lostDigitsMessage } : { value: cell }

function parseNumberCell(cell: string, { decimal = '.', currency }: MappedColumn): ParsedCell {
  if (hasLostDigits(cell)) return { fault: lostDigitsMessage }
  const parsed = parseNumber(cell)
  const value = parsed?.[decimal]
  if (value === undefined) return { fault: 'is not a number.' }
  if (parsed?.currency && parsed.currency !== currency) {
    return { fault: `is not in ${currency ?? 'the currency of the others, which have none'}.` }
  }
  return { value }
}

function parseBooleanCell(cell: string, { isFalseWhenEmpty }: TargetField): ParsedCell {
  const value = parseBoolean(cell)
  if (value !== undefined) return { value }
  if (!isUnknown(cell)) return { fault: 'must be yes or no.' }
  return isFalseWhenEmpty
    ? { fault: 'must be yes or no, because this field has no "unknown".' }
    : { value: null, note: 'is not clearly yes or no, so it is stored as empty.' }
}

function parseDateCell(
  cell: string,
  { dates = 'day-first' }: MappedColumn,
  zone: TimeZone,
): ParsedCell {
  if (dates === 'excel' && /^\d+(?:\.\d+)?$/.test(cell)) {
    const day = parseSerialDate(Number(cell))?.slice(0, 10)
    return day ? { value: day } : { fault: "is not a number of Excel's days." }
  }
  const parsed = parseDate(cell)
  const order = dates === 'excel' ? 'day-first' : dates
  const day = parsed?.[order]
  if (!parsed || day === undefined) return { fault: notADate(parsed !== undefined, order) }
  if (parsed.time === undefined || parsed.offset === undefined) return { value: day }
  return { value: zone.local(Date.parse(`${day}T${parsed.time}${parsed.offset}`)).slice(0, 10) }
}

const notADate = (isOtherOrder: boolean, order: 'day-first' | 'month-first') =>
  isOtherOrder
    ? `is no date when it is read ${order === 'day-first' ? 'day first' : 'month first'}.`
    : 'is not a date, such as 31/12/2025 or 2025-12-31.'

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
  if (!parsed || day === undefined) return { fault: notADate(parsed !== undefined, order) }
  // A day without a time is the same day in every time zone.
  if (parsed.time === undefined) return { value: `${day}T00:00:00.000Z` }
  if (parsed.offset !== undefined) {
    return { value: new Date(`${day}T${parsed.time}${parsed.offset}`).toISOString() }
  }
  const instant = zone.instant(day, parsed.time)
  if ('utc' in instant) return { value: instant.utc }
  return {
    fault:
      instant.unclear === 'skipped'
        ? 'is in the hour that is left out when the clocks go forward.'
        : 'is in the hour that comes twice when the clocks go back: write +01:00 or +00:00 behind it.',
  }
}

function createOptionParser({ options, allowsOther }: TargetField): ParseCell {
  if (!options) return (cell) => ({ value: cell })
  const values = optionValues(options)
  return (cell) => {
    const value = values.get(optionKey(cell)) ?? (allowsOther ? cell : undefined)
    return value === undefined ? { fault: notAnOption(options) } : { value }
  }
}

function createListParser(
  { separator = ';' }: MappedColumn,
  { options, allowsOther }: TargetField,
): ParseCell {
  const values = options && optionValues(options)
  return (cell) => {
    const whole = values?.get(optionKey(cell))
    const parts = whole === undefined ? splitParts(cell, separator) : [whole]
    if (!values) return { value: parts }
    const listValues = parts.map(
      (part) => values.get(optionKey(part)) ?? (allowsOther ? part : undefined),
    )
    return listValues.includes(undefined)
      ? { fault: notAnOption(options ?? []) }
      : { value: [...new Set(listValues)] }
  }
}

type Options = NonNullable<TargetField['options']>

const optionValues = (options: Options): ReadonlyMap<string, string> =>
  new Map([
    ...options.map(({ label, value }) => [optionKey(label), value] as const),
    ...options.map(({ value }) => [optionKey(value), value] as const),
  ])

const optionKey = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim()

function notAnOption(options: Options): string {
  const shown = options.slice(0, 12).map(({ value }) => value)
  const more = options.length > shown.length ? ', …' : ''
  return `is not one of ${shown.join(', ')}${more}: correct it, or add it to the options.`
}

function parseJsonCell(cell: string): ParsedCell {
  try {
    return { value: JSON.parse(cell) }
  } catch {
    return { fault: 'is not valid JSON.' }
  }
}
