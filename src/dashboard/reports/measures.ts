import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { recordCounts } from '../../resources/group-records.ts'
import type { FilterProperty } from '../filters/filter.ts'
import { defineMeasure, type Measure } from './measure.ts'

const number = defineMeasure({
  ...recordCounts,
  name: 'number',
  label: ({ plural }) => plural.charAt(0).toUpperCase() + plural.slice(1),
  comparison: { same: 'as many as', above: 'more than', below: 'fewer than' },
  addsUp: true,
  measure: (count) => count,
  format: formatNumber,
  describe: (count, { singular, plural }) => formatCount(count, singular, plural),
})

/** The measure of a report that names none. */
export const usualMeasure = number

/** Lists measures of records with some properties. A measure of a property exists once for each. */
type MeasureKind = (properties: readonly FilterProperty[]) => readonly Measure[]

const kinds: readonly MeasureKind[] = [() => [number]]

/**
 * The measures that reports offer for records with these properties, in the order of the choice. The form,
 * the query, the chart, the table and the download follow from it: another measure is a kind here, with its
 * read in `store/read/`.
 */
export const listMeasures: MeasureKind = (properties) => kinds.flatMap((list) => list(properties))
