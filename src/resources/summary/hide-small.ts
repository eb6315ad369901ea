import { countOf, type Figures, type SummaryGroup } from '../../store/summary/measure-groups.ts'
import { findComputable, type Sum } from './find-computable.ts'

/** A group with its figures, which are undefined if they are hidden. */
export type ShownGroup = Pick<SummaryGroup, 'by'> & { figures: Figures | undefined }

/** The groups, the records in no group and the total of a summary, of which some may be hidden. */
export type ShownFigures = {
  groups: readonly ShownGroup[]
  withoutGroup: Figures | undefined
  total: Figures | undefined
}

/** Hides the groups with a number of people or records below `limit`, and further ones from which it could be computed. */
export function hideSmall(
  {
    groups,
    withoutGroup,
    total,
  }: { groups: readonly SummaryGroup[]; withoutGroup: Figures; total: Figures },
  limit: number,
): ShownFigures {
  const parts = [...groups.map(({ figures }) => figures), withoutGroup]
  const hidden = isSmall(total, limit)
    ? new Set([...parts, total])
    : findHidden([{ parts, total }], limit)
  const show = (figures: Figures) => (hidden.has(figures) ? undefined : figures)
  return {
    groups: groups.map(({ by, figures }) => ({ by, figures: show(figures) })),
    withoutGroup: show(withoutGroup),
    total: show(total),
  }
}

/**
 * Finds the figures to hide: all that reveal a number of people or records from 1 to below `limit`, and in each sum
 * the smallest others, until a hidden part cannot be computed: at least two are then unknown and together not small, and
 * all sums together do not tell it either. The total is hidden if there are no others. `unshown` are parts that readers
 * do not see anyway.
 */
export function findHidden(
  sums: readonly Sum[],
  limit: number,
  unshown: ReadonlySet<Figures> = new Set(),
): ReadonlySet<Figures> {
  const all = sums.flatMap(({ parts, total }) => [...parts, total])
  const hidden = new Set(all.filter((figures) => isSmall(figures, limit)))
  const isUnknown = (figures: Figures) =>
    hidden.has(figures) || (unshown.has(figures) && countOf(figures) > 0)
  let isComplete = hidden.size === 0
  while (!isComplete) {
    hideExposed(sums, { hidden, isUnknown, limit })
    const smallest = findSmallest(findComputable(sums, hidden, isUnknown) ?? [])
    if (smallest) hidden.add(smallest)
    isComplete = smallest === undefined
  }
  return hidden
}

type Visibility = {
  hidden: Set<Figures>
  /** Whether readers do not know some figures. */
  isUnknown: (figures: Figures) => boolean
  limit: number
}

/** Hides further figures of each sum until it alone does not tell a hidden one. */
function hideExposed(sums: readonly Sum[], visibility: Visibility): void {
  const { hidden } = visibility
  let isComplete = false
  while (!isComplete) {
    isComplete = true
    for (const sum of sums) {
      const next = findExposing(sum, visibility)
      if (!next || hidden.has(next)) continue
      hidden.add(next)
      isComplete = false
    }
  }
}

/** The shown figures of a sum to hide next, because hidden ones could be computed from them; undefined if none could. */
function findExposing(
  { parts, total }: Sum,
  { hidden, isUnknown, limit }: Visibility,
): Figures | undefined {
  const unknown = parts.filter(isUnknown)
  const isExposed = hidden.has(total)
    ? unknown.length === 0
    : unknown.some((figures) => hidden.has(figures)) &&
      (unknown.length === 1 || isSmallTogether(unknown, limit))
  if (!isExposed) return undefined
  return findSmallest(parts.filter((figures) => !isUnknown(figures))) ?? total
}

/** The part of the fewest records; undefined if none has any. */
function findSmallest(parts: readonly Figures[]): Figures | undefined {
  const [first, ...others] = parts.filter((figures) => countOf(figures) > 0)
  return others.reduce(
    (smallest, other) => (smallest && countOf(smallest) <= countOf(other) ? smallest : other),
    first,
  )
}

/** Whether a group reveals a number from 1 to below the limit. */
export const isSmall = (figures: Figures, limit: number): boolean =>
  [...figures.values()].some(({ reveals }) =>
    reveals.some((number) => number > 0 && number < limit),
  )

const isSmallTogether = (hidden: readonly Figures[], limit: number): boolean =>
  ['count', 'people'].some((measure) => {
    const sum = hidden.reduce((sum, figures) => sum + Number(figures.get(measure)?.value ?? 0), 0)
    return sum > 0 && sum < limit
  })
