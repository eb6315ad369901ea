import { unguarded } from '../../model/cell-text.ts'
import { isUnknown, readBoolean } from '../spellings/booleans.ts'
import { readDate } from '../spellings/dates.ts'
import { isNothing, isSpreadsheetError } from '../spellings/nothing.ts'
import { isShortened, readNumber } from '../spellings/numbers.ts'
import { fromSerial } from '../spellings/serials.ts'
import type { TimeZone } from '../spellings/zones.ts'
import { partsOf } from './column-facts.ts'
import type { MappedColumn } from './mapping.ts'
import type { Place } from './places.ts'

/** What a cell says: a value, null where it has none; or why it cannot be read. `said` is what the value does not tell. */
export type CellRead = { value: unknown; said?: string } | { fault: string }

/** Reads the cells of one column. */
export type ReadCell = (cell: string) => CellRead

/** How the cells of a column are read. Whatever is not sure to mean one value is a fault. */
export function cellReader(column: MappedColumn, place: Place, zone: TimeZone): ReadCell {
  const read = readerOf(column, place, zone)
  return (given) => {
    const cell = unguarded(given).trim()
    if (isNothing(cell)) return nothing(place)
    if (isSpreadsheetError(cell)) return { fault: 'is an error of the spreadsheet, and no value.' }
    return read(cell)
  }
}

const nothing = ({ isNever }: Place): CellRead =>
  isNever
    ? { value: null, said: 'has no value, which is kept as "no": here there is no "unknown".' }
    : { value: null }

function readerOf(column: MappedColumn, place: Place, zone: TimeZone): ReadCell {
  switch (column.as) {
    case 'phone':
      return phone
    case 'number':
      return (cell) => number(cell, column)
    case 'boolean':
      return (cell) => boolean(cell, place)
    case 'date':
      return (cell) => date(cell, column, zone)
    case 'time':
      return (cell) => time(cell, column, zone)
    case 'option':
      return optionReader(place)
    case 'list':
      return listReader(column, place)
    case 'json':
      return json
    default:
      return (cell) => ({ value: cell })
  }
}

const shortened =
  'was shortened by a spreadsheet, and its digits are lost: export the column again as text.'

const phone = (cell: string): CellRead =>
  isShortened(cell) ? { fault: shortened } : { value: cell }

function number(cell: string, { decimal = '.', currency }: MappedColumn): CellRead {
  if (isShortened(cell)) return { fault: shortened }
  const read = readNumber(cell)
  const value = read?.[decimal]
  if (value === undefined) return { fault: 'is not a number.' }
  if (read?.currency && read.currency !== currency) {
    return { fault: `is not in ${currency ?? 'the currency of the others, which have none'}.` }
  }
  return { value }
}

function boolean(cell: string, { isNever }: Place): CellRead {
  const value = readBoolean(cell)
  if (value !== undefined) return { value }
  if (!isUnknown(cell)) return { fault: 'is neither yes nor no.' }
  return isNever
    ? { fault: 'is neither yes nor no, and here there is no "unknown".' }
    : { value: null, said: 'says neither yes nor no, and is kept as no value.' }
}

function date(cell: string, { dates = 'day-first' }: MappedColumn, zone: TimeZone): CellRead {
  if (dates === 'excel' && /^\d+(?:\.\d+)?$/.test(cell)) {
    const day = fromSerial(Number(cell))?.slice(0, 10)
    return day ? { value: day } : { fault: "is not a number of Excel's days." }
  }
  const read = readDate(cell)
  const order = dates === 'excel' ? 'day-first' : dates
  const day = read?.[order]
  if (!read || day === undefined) return { fault: noDate(read !== undefined, order) }
  if (read.time === undefined || read.offset === undefined) return { value: day }
  return { value: zone.day(Date.parse(`${day}T${read.time}${read.offset}`)) }
}

const noDate = (isOther: boolean, order: 'day-first' | 'month-first') =>
  isOther
    ? `is no date when it is read ${order === 'day-first' ? 'day first' : 'month first'}.`
    : 'is not a date, such as 31/12/2025 or 2025-12-31.'

function time(cell: string, { dates = 'day-first' }: MappedColumn, zone: TimeZone): CellRead {
  const spelt = dates === 'excel' && /^\d+(?:\.\d+)?$/.test(cell) ? fromSerial(Number(cell)) : cell
  const order = dates === 'excel' ? 'day-first' : dates
  const read = spelt === undefined ? undefined : readDate(spelt)
  const day = read?.[order]
  if (!read || day === undefined) return { fault: noDate(read !== undefined, order) }
  // A day without a time is that day, wherever it is read.
  if (read.time === undefined) return { value: `${day}T00:00:00.000Z` }
  if (read.offset !== undefined) {
    return { value: new Date(`${day}T${read.time}${read.offset}`).toISOString() }
  }
  const instant = zone.instant(day, read.time)
  if ('utc' in instant) return { value: instant.utc }
  return {
    fault:
      instant.unclear === 'skipped'
        ? 'is in the hour that is left out when the clocks go forward.'
        : 'is in the hour that comes twice when the clocks go back: write +01:00 or +00:00 behind it.',
  }
}

function optionReader({ options, isOpen }: Place): ReadCell {
  if (!options) return (cell) => ({ value: cell })
  const values = valuesOf(options)
  return (cell) => {
    const value = values.get(key(cell)) ?? (isOpen ? cell : undefined)
    return value === undefined ? { fault: notAmong(options) } : { value }
  }
}

function listReader({ separator = ';' }: MappedColumn, { options, isOpen }: Place): ReadCell {
  const values = options && valuesOf(options)
  return (cell) => {
    const whole = values?.get(key(cell))
    const parts = whole === undefined ? partsOf(cell, separator) : [whole]
    if (!values) return { value: parts }
    const found = parts.map((part) => values.get(key(part)) ?? (isOpen ? part : undefined))
    return found.includes(undefined)
      ? { fault: notAmong(options ?? []) }
      : { value: [...new Set(found)] }
  }
}

type Options = NonNullable<Place['options']>

const valuesOf = (options: Options): ReadonlyMap<string, string> =>
  new Map([
    ...options.map(({ label, value }) => [key(label), value] as const),
    ...options.map(({ value }) => [key(value), value] as const),
  ])

const key = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim()

function notAmong(options: Options): string {
  const told = options.slice(0, 12).map(({ value }) => value)
  const more = options.length > told.length ? ', …' : ''
  return `is not one of ${told.join(', ')}${more}: correct it, or add it to the options.`
}

function json(cell: string): CellRead {
  try {
    return { value: JSON.parse(cell) }
  } catch {
    return { fault: 'is not valid JSON.' }
  }
}
