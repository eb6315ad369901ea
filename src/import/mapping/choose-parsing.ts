import { formatCount, pluralise } from '../../platform/pluralise.ts'
import type { DateOrder } from '../parse/dates.ts'
import { type ColumnFacts, type ListSeparator, listSeparators } from './column-facts.ts'
import type { CellType, MappedColumn } from './mapping.ts'

/** How to parse the cells of a column, and the decisions to report. */
export type ColumnParsing = Pick<
  MappedColumn,
  'as' | 'dates' | 'decimal' | 'currency' | 'separator'
> & {
  decisions: string[]
}

/** The date order that the user chose, and the one in the file's other columns. */
export type DateOrderHints = {
  chosenOrder?: DateOrder | undefined
  inOtherColumns?: DateOrder | undefined
}

/** Chooses how to parse the cells of a column, from facts about the whole column. */
export function chooseParsing(
  as: CellType,
  facts: ColumnFacts,
  order: DateOrderHints,
): ColumnParsing {
  const emptyNote =
    facts.emptyMarkers > 0
      ? [
          `${formatCount(facts.emptyMarkers, 'cell')} such as "N/A" or "-" ${pluralise(facts.emptyMarkers, 'is', 'are')} read as nothing.`,
        ]
      : []
  switch (as) {
    case 'date':
    case 'time': {
      const dates = chooseDateParsing(as, facts, order)
      return { ...dates, as, decisions: [...dates.decisions, ...emptyNote] }
    }
    case 'number': {
      const number = chooseNumberParsing(facts)
      return { ...number, as, decisions: [...number.decisions, ...emptyNote] }
    }
    case 'list':
      return {
        as,
        separator: detectListSeparator(facts) ?? mostCommonSeparator(facts),
        decisions: emptyNote,
      }
    default:
      return { as, decisions: emptyNote }
  }
}

function chooseDateParsing(
  as: 'date' | 'time',
  facts: ColumnFacts,
  { chosenOrder, inOtherColumns }: DateOrderHints,
) {
  if (facts.dates < facts.dateSerials && facts.dateSerials >= facts.filled * 0.9) {
    return {
      dates: 'excel' as const,
      decisions: ["The numbers are read as Excel's count of days."],
    }
  }
  const detected = detectOrder(facts)
  const dates = chosenOrder ?? detected ?? inOtherColumns ?? 'day-first'
  const example = `A date such as 03/04/2025 is read as ${dates === 'day-first' ? '3 April' : '4 March'}`
  const decisions: string[] = []
  if (chosenOrder) decisions.push(`${example}, as you said.`)
  else if (facts.dayFirst > 0 && facts.monthFirst > 0) {
    decisions.push(
      `${example}: of the dates that leave no choice, ${facts.dayFirst} are day first and ${facts.monthFirst} month first. Look closely: the column mixes both.`,
    )
  } else if (detected) {
    const decisiveDates = detected === 'day-first' ? facts.dayFirst : facts.monthFirst
    decisions.push(
      `${example}: ${formatCount(decisiveDates, 'date')} can only be ${orderLabels[detected]}.`,
    )
  } else if (facts.eitherFirst > 0 && inOtherColumns) {
    decisions.push(`${example}, as in the other columns of the file.`)
  } else if (facts.eitherFirst > 0) {
    decisions.push(`${example}: no date shows the order. Choose month first if that is wrong.`)
  }
  if (facts.shortYears > 0) {
    decisions.push('Years of two digits are read as 1930 to 2029.')
  }
  if (as === 'date' && facts.times > 0) decisions.push('Only the day is kept, not the time of day.')
  return { dates, decisions }
}

const orderLabels = { 'day-first': 'day first', 'month-first': 'month first' } as const

/** The order of most unambiguous dates in a column, or undefined without a majority. */
export function detectOrder({ dayFirst, monthFirst }: ColumnFacts): DateOrder | undefined {
  if (dayFirst === monthFirst) return undefined
  return dayFirst > monthFirst ? 'day-first' : 'month-first'
}

function chooseNumberParsing(facts: ColumnFacts) {
  const decimal: '.' | ',' = facts.decimalCommas > facts.decimalPoints ? ',' : '.'
  const decisions =
    decimal === ','
      ? [
          'A comma is read as what stands before the decimals: 1.200,50 is one thousand two hundred and a half.',
        ]
      : []
  const [currency] = [...facts.currencies].toSorted(([, a], [, b]) => b - a)[0] ?? []
  if (currency) decisions.push(`Amounts are in ${currency}; the sign is left off.`)
  return { decimal, ...(currency !== undefined && { currency }), decisions }
}

/** The separator of a column of lists, or undefined if its cells do not look like lists. */
export function detectListSeparator(facts: ColumnFacts): ListSeparator | undefined {
  const distinctCells = facts.values.texts?.values.length
  return listSeparators.find((separator) => {
    const { cells, parts } = facts.lists.get(separator) ?? { cells: 0, parts: undefined }
    const { values, total } = parts?.texts ?? { values: [], total: 0 }
    // An option may contain a comma: then splitting does not reduce the number of distinct values.
    const areParts =
      separator === ';' ||
      separator === '\n' ||
      distinctCells === undefined ||
      distinctCells > values.length
    return (
      areParts &&
      cells >= Math.max(2, facts.filled * 0.05) &&
      values.length <= 40 &&
      values.every((value) => value.length <= 60) &&
      total >= values.length * 3
    )
  })
}

/** The separator that occurs in the most cells, or a semicolon if none does. */
const mostCommonSeparator = (facts: ColumnFacts): ListSeparator =>
  [...facts.lists]
    .toSorted(([, a], [, b]) => b.cells - a.cells)
    .find(([, { cells }]) => cells > 0)?.[0] ?? ';'
