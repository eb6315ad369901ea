import { referencesToPeople } from '../../model/properties/people-references.ts'
import {
  type MeasureName,
  type MeasureNouns,
  type MeasureWords,
  measureNames,
  measureRules,
} from '../../model/summary/measure-names.ts'
import { type NamedMeasure, nameMeasure } from '../../model/summary/parse-summary.ts'
import { isDated } from '../../model/value-types.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
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
  /** The property that the measure is of. */
  property: FilterProperty | undefined
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
export const listMeasures = (choices: Choices): ReportMeasure[] =>
  measureNames.flatMap((measure) => {
    const { countsPeople, ofPerson, readsDates, fields, report } = measureRules[measure]
    if (!report || (countsPeople && !refersToPeople(choices))) return []
    if (readsDates && !choices.properties.some(isDateOfRecord)) return []
    if (!fields) return [buildMeasure(measure, report, choices)]
    return choices.properties
      .filter((property) => !property.isTechnical && fields.accept(property))
      .filter((property) => !ofPerson || isOfPerson(choices.countable, property))
      .map((property) => buildMeasure(measure, report, choices, property))
  })

/** Builds a measure, of a property if it is of a field. */
function buildMeasure(
  measure: MeasureName,
  { unit, choice, label, describe }: MeasureWords,
  { countable: { singular, plural }, least }: Choices,
  property?: FilterProperty,
): ReportMeasure {
  const field = property ? startLower(property.label) : ''
  const nouns: MeasureNouns = { singular, plural, field, least }
  const name = property ? `${measure}(${property.name})` : measure
  const hasNumber = measureRules[measure].arguments.includes('number')
  const { format, formatDifference, comparison } = units[unit]
  const formatResult = (result: Result) =>
    typeof result === 'number' ? format(result, property) : (result ?? '–')
  return {
    name,
    measured: nameMeasure(
      measure,
      { name: property?.name, least: hasNumber ? least : 0 },
      '$measure',
    ),
    property,
    section: property && choice,
    choice: property ? property.label : choice,
    label: label(nouns),
    hasShares: unit === 'count',
    format: formatResult,
    formatDifference: (amount) => formatDifference(amount, property),
    describe: (result) =>
      describe && typeof result === 'number'
        ? describe(result, nouns)
        : `${label(nouns)}: ${formatResult(result)}`,
    compare(amount) {
      if (amount === 0) return comparison.same
      const size = formatDifference(Math.abs(amount), property)
      return `${size} ${amount > 0 ? comparison.above : comparison.below}`
    },
  }
}

/** Whether a property is the date by which the records of a person follow each other. */
const isDateOfRecord = (property: FilterProperty) => property.name === 'date' && isDated(property)

/** Whether a property is one of the person to whom a record refers. */
const isOfPerson = ({ collection }: Countable, { name }: FilterProperty) =>
  referencesToPeople(collection).some((reference) => name.startsWith(`${reference.name}.`))

/** Whether the records refer to people, in properties that the user sees. */
const refersToPeople = ({ countable: { collection }, properties }: Choices) =>
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

const units: Record<MeasureWords['unit'], Unit> = {
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
    formatDifference: (share) => formatCount(Math.round(100 * share), 'point'),
    comparison: { same: 'the same as', above: 'more than', below: 'less than' },
  },
}
