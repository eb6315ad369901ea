import { hasLostDigits } from '../../model/cell-text.ts'
import { isUnknown, parseBoolean } from '../parse/booleans.ts'
import { parseDate } from '../parse/dates.ts'
import { parseNumber } from '../parse/numbers.ts'
import {
  isEmptyCell,
  looksLikeEmail,
  looksLikePhone,
  looksLikePostcode,
  parseSurnameFirst,
} from '../parse/text.ts'
import { Distinctness, Tally } from './value-counts.ts'

/** The possible separators between the values of one cell. */
export const listSeparators = [';', '|', '\n', ','] as const
export type ListSeparator = (typeof listSeparators)[number]

/** A cell and its line. */
export type Example = { line: number; value: string }

const maxValues = 60
const maxListCharacters = 500

/** Facts about all cells of a column, in bounded memory. */
export class ColumnFacts {
  /** Cells with a value, and cells with a marker for no value, such as `N/A`. */
  filled = 0
  emptyMarkers = 0
  maxLength = 0
  emails = 0
  phones = 0
  /** Phone numbers that begin with 0 or +. */
  diallable = 0
  postcodes = 0
  /** Cells with yes or no in words, with 1, with 0, and with a word such as "unknown". */
  yesNo = 0
  ones = 0
  zeros = 0
  unknowns = 0
  /** Dates: all; valid only day first, only month first, or differently in both orders; with a time, an offset, a two-digit year. */
  dates = 0
  dayFirst = 0
  monthFirst = 0
  eitherFirst = 0
  times = 0
  offsets = 0
  shortYears = 0
  /** Numbers: all; with a decimal point only, with a decimal comma only; possible Excel dates. */
  numbers = 0
  decimalPoints = 0
  decimalCommas = 0
  dateSerials = 0
  /** Long numbers that a spreadsheet has shortened, and numbers with a leading zero. */
  lostDigits = 0
  leadingZeros = 0
  /** The lengths of whole numbers: the longest with a leading zero, and the shortest without. */
  #longestWithZero = 0
  #shortestWithoutZero = Number.POSITIVE_INFINITY
  /** Names such as "SMITH, Jane". */
  surnameFirst = 0
  readonly currencies = new Map<string, number>()
  readonly values = new Tally(maxValues)
  readonly lists = new Map<ListSeparator, { cells: number; parts: Tally }>(
    listSeparators.map((separator) => [separator, { cells: 0, parts: new Tally(maxValues) }]),
  )
  readonly examples: Example[] = []
  readonly #distinct = new Distinctness()

  get isUnique(): boolean {
    return this.#distinct.isDistinct && this.filled > 0
  }

  get isNearlyUnique(): boolean {
    return this.#distinct.isNearlyDistinct && this.filled > 0
  }

  /** Whether some numbers have a leading zero and others are too short: a spreadsheet may have removed their zeros. */
  get mayLackZeros(): boolean {
    return this.#shortestWithoutZero < this.#longestWithZero
  }

  /** Whether nearly all cells are names such as "SMITH, Jane". */
  get isSurnameFirst(): boolean {
    return this.surnameFirst > 0 && this.surnameFirst >= this.filled * 0.9
  }

  add(text: string, line: number): void {
    const cell = text.trim()
    if (isEmptyCell(cell)) {
      if (cell !== '') this.emptyMarkers++
      return
    }
    this.filled++
    if (cell.length > this.maxLength) this.maxLength = cell.length
    if (this.examples.length < 3 && this.examples.every(({ value }) => value !== cell)) {
      this.examples.push({ line, value: cell })
    }
    this.#distinct.add(cell)
    this.values.add(cell)
    if (cell.length <= maxListCharacters) this.#addList(cell)
    this.#countPatterns(cell)
  }

  #addList(cell: string): void {
    for (const [separator, list] of this.lists) {
      if (!list.parts.isWithinLimit) continue
      if (!cell.includes(separator)) list.parts.add(cell)
      else {
        list.cells++
        for (const part of splitParts(cell, separator)) list.parts.add(part)
      }
    }
  }

  #countPatterns(cell: string): void {
    if (cell.length > 60) return
    if (cell.includes('@')) {
      if (looksLikeEmail(cell)) this.emails++
      return
    }
    if (cell.length <= 17) this.#addWord(cell)
    if (!/\d/.test(cell)) {
      if (parseSurnameFirst(cell)) this.surnameFirst++
      return
    }
    if (looksLikePostcode(cell)) this.postcodes++
    else if (!this.#addDate(cell) && looksLikePhone(cell)) {
      this.phones++
      if (/^(?:\+|\(?0)/.test(cell)) this.diallable++
    }
    this.#addNumber(cell)
  }

  #addWord(cell: string): void {
    if (cell === '1') this.ones++
    else if (cell === '0') this.zeros++
    else if (parseBoolean(cell) !== undefined) this.yesNo++
    else if (isUnknown(cell)) this.unknowns++
  }

  #addDate(cell: string): boolean {
    const date = parseDate(cell)
    if (!date) return false
    this.dates++
    if (date['month-first'] === undefined) this.dayFirst++
    else if (date['day-first'] === undefined) this.monthFirst++
    else if (date['day-first'] !== date['month-first']) this.eitherFirst++
    if (date.time !== undefined && date.time !== '00:00:00.000') this.times++
    if (date.offset !== undefined) this.offsets++
    if (date.hasShortYear) this.shortYears++
    return true
  }

  #addNumber(cell: string): void {
    if (hasLostDigits(cell)) this.lostDigits++
    if (/^0\d/.test(cell)) this.leadingZeros++
    if (/^0\d+$/.test(cell)) this.#longestWithZero = Math.max(this.#longestWithZero, cell.length)
    if (/^[1-9]\d*$/.test(cell))
      this.#shortestWithoutZero = Math.min(this.#shortestWithoutZero, cell.length)
    const number = parseNumber(cell)
    if (!number) return
    this.numbers++
    if (number[','] === undefined) this.decimalPoints++
    if (number['.'] === undefined) this.decimalCommas++
    const value = number['.'] ?? 0
    if (value >= 7000 && value < 80_000) this.dateSerials++
    const { currency } = number
    if (currency) this.currencies.set(currency, (this.currencies.get(currency) ?? 0) + 1)
  }
}

/** Splits a cell into its values, without surrounding spaces and quotes. */
export const splitParts = (cell: string, separator: string): string[] =>
  cell
    .split(separator)
    .map((part) => part.trim().replace(/^"(.*)"$/, '$1'))
    .filter(Boolean)
