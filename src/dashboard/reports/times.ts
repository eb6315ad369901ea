import { peopleWithAtLeast } from '../../model/summary/parse-summary.ts'
import { findHidden, isSmall } from '../../resources/summary/hide-small.ts'
import { type Figures, figureOf } from '../../store/summary/measure-groups.ts'

/** The numbers of records by which reports group people, each up to the next. */
const bands = [
  { first: 1, label: 'Once' },
  { first: 2, label: 'Twice' },
  { first: 3, label: '3 to 5 times' },
  { first: 6, label: '6 to 10 times' },
  { first: 11, label: 'More often' },
]

/** How often people came: the number of different people by their number of records. */
export type Times = {
  bands: readonly { label: string; result: number | 'hidden' }[]
  /** The people with at least a number of records. Undefined without people, or if the numbers are too small to show. */
  frequent: { people: number; share: number } | undefined
}

/** The measures that `countTimes` reads. */
export const timesMeasures = (least: number) =>
  [...new Set([...bands.map(({ first }) => first), least])].map((it) => peopleWithAtLeast(it))

/** Counts people by their number of records, and those with at least `least`. */
export function countTimes(
  total: Figures,
  least: number,
  hideBelow: number | undefined,
): Times | undefined {
  const countAtLeast = (first: number) => figureOf(total, peopleWithAtLeast(first).text) ?? 0
  const all = countAtLeast(1)
  // Also if the report counts no people.
  if (all === 0) return undefined
  // Together with another number, the bands would tell how many people have exactly some records.
  if (hideBelow !== undefined && !bands.some(({ first }) => first === least)) return undefined
  const counts = bands.map(({ label, first }, index) => {
    const next = bands[index + 1]
    return {
      label,
      figures: toFigures(countAtLeast(first) - (next ? countAtLeast(next.first) : 0)),
    }
  })
  const frequent = countAtLeast(least)
  const hidden = hideBelow
    ? findHidden(
        [{ parts: counts.map(({ figures }) => figures), total: toFigures(all) }],
        hideBelow,
      )
    : new Set<Figures>()
  // With a hidden band, the number of frequent people could tell it.
  const isExposing =
    hideBelow !== undefined &&
    (hidden.size > 0 ||
      isSmall(toFigures(frequent), hideBelow) ||
      isSmall(toFigures(all - frequent), hideBelow))
  return {
    bands: counts.map(({ label, figures }) => ({
      label,
      result: hidden.has(figures) ? 'hidden' : (figureOf(figures, 'count') ?? 0),
    })),
    frequent: isExposing ? undefined : { people: frequent, share: frequent / all },
  }
}

/** A number of people as figures that can be hidden. */
const toFigures = (people: number): Figures =>
  new Map([['count', { value: people, reveals: [people] }]])
