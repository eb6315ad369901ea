import { referencesToPeople } from '../../model/properties/people-references.ts'
import { isKind } from '../../model/properties/schema.ts'
import { type MeasureNouns, measureNames, measureRules } from '../../model/summary/measure-names.ts'
import type { NamedMeasure } from '../../model/summary/parse-summary.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { FilterProperty } from '../filters/filter.ts'
import { formatValue } from '../ui/format-value.ts'
import type { Countable } from './countables.ts'
import { startLower } from './grouping.ts'

/** The result of a measure: a number, null without values, such as the average of no numbers, or hidden because it is small. */
export type Result = number | null | 'hidden'

/** How much a result is above an earlier one; null unless both are numbers. */
export const difference = (result: Result, before: Result): number | null =>
  typeof result === 'number' && typeof before === 'number' ? result - before : null

/** A measure of a report with its words. */
export type ReportMeasure = {
  /** The name in a report's address, such as `sum(duration)`. The number of `peopleWithAtLeast` is in another parameter. */
  name: string
  /** The measure that the summary computes. */
  measured: NamedMeasure
  /** The heading of the choice among the fields of a measure. */
  section: string | undefined
  choice: string
  label: string
  /** Whether a group has a share of the total. */
  hasShares: boolean
  format(result: Result): string
  /** A difference without its sign. */
  formatDifference(difference: number): string
  /** A result in words, such as "1,480 attendances". */
  describe(result: Result): string
  /** A difference from the year before in words. */
  compare(difference: number): string
}

type Choices = {
  countable: Countable
  properties: readonly FilterProperty[]
  /** The number of `peopleWithAtLeast`. */
  least: number
}

/** The measures that reports offer, in the order of the choice. The first is the usual one. */
export const listMeasures = ({ countable, properties, least }: Choices): ReportMeasure[] =>
  measureNames.flatMap((measure) => {
    const { argument, countsPeople, fields, report } = measureRules[measure]
    if (!report || (countsPeople && !refersToPeople(countable, properties))) return []
    const isMeasured = (property: FilterProperty) =>
      !property.isTechnical && fields?.accept(property)
    const measuredProperties = argument === 'field' ? properties.filter(isMeasured) : [undefined]
    return measuredProperties.map((property): ReportMeasure => {
      const { unit, choice, label, describe } = report
      const of: MeasureNouns = {
        singular: countable.singular,
        plural: countable.plural,
        field: property ? startLower(property.label) : '',
        least,
      }
      const name = property ? `${measure}(${property.name})` : measure
      const { format, formatDifference, comparison } = units[unit]
      const formatResult = (result: Result) =>
        typeof result === 'number' ? format(result, property) : (result ?? '–')
      return {
        name,
        measured: {
          text: argument === 'number' ? `${measure}(${least})` : name,
          measure,
          name: property?.name,
          least: argument === 'number' ? least : 0,
          option: '$measure',
        },
        section: property && choice,
        choice: property ? property.label : choice,
        label: label(of),
        hasShares: unit === 'count',
        format: formatResult,
        formatDifference: (amount) => formatDifference(amount, property),
        describe: (result) =>
          describe && typeof result === 'number'
            ? describe(result, of)
            : `${label(of)}: ${formatResult(result)}`,
        compare(amount) {
          const { same, above, below } = comparison
          const size = formatDifference(Math.abs(amount), property)
          return amount === 0 ? same : `${size} ${amount > 0 ? above : below}`
        },
      }
    })
  })

/** Whether the records refer to people, in properties that the user sees. Of people themselves, their number says the same. */
const refersToPeople = ({ collection }: Countable, properties: readonly FilterProperty[]) =>
  !isKind(collection) &&
  referencesToPeople(collection).some(({ path }) => properties.some(({ name }) => name === path))

type Unit = {
  format(result: number, property: FilterProperty | undefined): string
  formatDifference(amount: number, property: FilterProperty | undefined): string
  /** The words before "the year before" for a result that is the same, above or below. */
  comparison: { same: string; above: string; below: string }
}

const formatPlain = (result: number, property: FilterProperty | undefined) => {
  const rounded = Math.round(100 * result) / 100
  return property ? formatValue(rounded, property) : formatNumber(rounded)
}

const units: Record<'count' | 'value' | 'share', Unit> = {
  count: {
    format: formatNumber,
    formatDifference: formatNumber,
    comparison: { same: 'as many as', above: 'more than', below: 'fewer than' },
  },
  value: {
    format: formatPlain,
    formatDifference: formatPlain,
    comparison: { same: 'the same as', above: 'more than', below: 'less than' },
  },
  share: {
    format: (share) => `${Math.round(100 * share)}%`,
    formatDifference: (share) => `${Math.round(100 * share)} points`,
    comparison: { same: 'the same as', above: 'more than', below: 'less than' },
  },
}
