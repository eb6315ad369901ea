import { compareCodePoints } from '../../model/query/compare-texts.ts'
import type { Scalar } from '../../model/query/predicate.ts'
import type { Having, NamedGroup, SummaryOrder } from '../../model/summary/parse-summary.ts'
import type { ShownGroup } from './hide-small.ts'

/** Whether a group passes `$having`. A measure without a result, or a hidden one, passes nothing. */
export function passesHaving(having: Having, { figures }: ShownGroup): boolean {
  const passesPart = (part: Having): boolean => {
    if ('and' in part) return part.and.every(passesPart)
    if ('or' in part) return part.or.some(passesPart)
    const value = figures?.get(part.measure.text)?.value
    return typeof value === 'number' && part.test(value)
  }
  return passesPart(having)
}

/** Orders groups by `$orderby`, then by their values. Measures without a result come last. */
export function orderGroups<Group extends ShownGroup>(
  groups: readonly Group[],
  by: readonly NamedGroup[],
  order: readonly SummaryOrder[],
): Group[] {
  const comparisons = [
    ...order.map((it) =>
      'measure' in it.by
        ? compareMeasure(it.by.text, it.isDescending)
        : compareValue(by, indexOfGroup(by, it.by), it.isDescending),
    ),
    ...by.map((_, index) => compareValue(by, index, false)),
  ]
  return groups.toSorted((one, other) => {
    for (const compare of comparisons) {
      const difference = compare(one, other)
      if (difference !== 0) return difference
    }
    return 0
  })
}

type Comparison = (one: ShownGroup, other: ShownGroup) => number

const indexOfGroup = (by: readonly NamedGroup[], { text }: NamedGroup) =>
  by.findIndex((group) => group.text === text)

const compareMeasure =
  (measure: string, isDescending: boolean): Comparison =>
  (one, other) => {
    const [value, otherValue] = [one, other].map(
      ({ figures }) => figures?.get(measure)?.value ?? undefined,
    )
    if (value === undefined || otherValue === undefined)
      return Number(value === undefined) - Number(otherValue === undefined)
    return (isDescending ? -1 : 1) * compareScalars(value, otherValue)
  }

const compareValue = (
  by: readonly NamedGroup[],
  index: number,
  isDescending: boolean,
): Comparison => {
  const isAge = by[index]?.bucket === 'age'
  const toComparable = ({ by: values }: ShownGroup): Scalar => {
    const value = values[index] ?? ''
    return isAge ? Number.parseInt(String(value), 10) : value
  }
  return (one, other) =>
    (isDescending ? -1 : 1) * compareScalars(toComparable(one), toComparable(other))
}

/** Numbers come first, then texts by code point, then no and yes. */
function compareScalars(one: Scalar, other: Scalar): number {
  const ranks = rank(one) - rank(other)
  if (ranks !== 0) return ranks
  if (typeof one === 'string') return compareCodePoints(one, String(other))
  return Number(one) - Number(other)
}

const rank = (value: Scalar) => ['number', 'string', 'boolean'].indexOf(typeof value)
