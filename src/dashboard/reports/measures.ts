import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { countGroups } from '../../resources/count-groups.ts'
import type { CountQuery, ValueCounts } from '../../store/read/count-by.ts'
import type { Store } from '../../store/store.ts'
import type { Countable } from './countables.ts'

/** The records of a group, and the sum of a property of theirs. */
type GroupSum = { records: number; sum: number }

/**
 * A figure of each group of records. The form, the query, the chart, the table and the download of a report
 * and the tables of figures read this table: another measure is an entry here and its read in the store.
 */
type MeasureDefinition = {
  /** The figure of a group, from the sum of its records. */
  value(group: GroupSum): number
  format(value: number, currency?: string): string
}

/** A measure that reports offer. */
export type Measure = MeasureDefinition & {
  /** The name in a report's address. */
  name: string
  /** Its choice in the form, the heading of its numbers, and the beginning of a report's name: "Members". */
  label(countable: Countable): string
  /** A value in words, such as "1,480 attendances". */
  describe(value: number, countable: Countable): string
  /** Reads the value of each group. */
  read(store: Store, collection: string, query: CountQuery): Promise<ValueCounts>
}

const number: Measure = {
  name: 'number',
  label: ({ plural }) => plural.charAt(0).toUpperCase() + plural.slice(1),
  describe: (value, { singular, plural }) => formatCount(value, singular, plural),
  value: ({ records }) => records,
  format: (value) => formatNumber(value),
  read: countGroups,
}

/** The measures that reports offer, the usual one first. */
export const reportMeasures: readonly [Measure, ...Measure[]] = [number]

/** The measures of the tables of figures. */
export const measures = {
  number,
  sum: { value: ({ sum }) => sum, format: formatAmount },
} as const satisfies Record<string, MeasureDefinition>

/** Formats an amount without decimals. An unknown currency code follows the number. */
function formatAmount(value: number, currency = ''): string {
  try {
    return value.toLocaleString('en-GB', {
      style: 'currency',
      currency,
      maximumFractionDigits: 0,
    })
  } catch {
    return `${formatNumber(Math.round(value))} ${currency}`.trim()
  }
}
