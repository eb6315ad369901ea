import type { SummaryGroup } from '../../store/summary/read-summary.ts'

/** A group with its figures, which are undefined if they are hidden. */
export type ShownGroup = Pick<SummaryGroup, 'by'> & { figures: SummaryGroup['figures'] | undefined }

/** The groups, the records in no group and the total of a summary, of which some may be hidden. */
export type ShownFigures = {
  groups: readonly ShownGroup[]
  withoutGroup: SummaryGroup['figures'] | undefined
  total: SummaryGroup['figures'] | undefined
}

type Figures = {
  groups: readonly SummaryGroup[]
  withoutGroup: SummaryGroup['figures']
  total: SummaryGroup['figures']
}

/**
 * Hides the groups with a number of people or records below `limit`. Hides further ones, the smallest first, until the
 * hidden groups are at least two and together not small: the total would otherwise give them away.
 */
export function hideSmall({ groups, withoutGroup, total }: Figures, limit: number): ShownFigures {
  if (isSmall(total, limit))
    return {
      groups: groups.map(({ by }) => ({ by, figures: undefined })),
      withoutGroup: undefined,
      total: undefined,
    }
  const all = [...groups.map(({ figures }) => figures), withoutGroup].filter((it) => sizeOf(it) > 0)
  const hidden = new Set(all.filter((figures) => isSmall(figures, limit)))
  const candidates = all
    .filter((figures) => !hidden.has(figures))
    .toSorted((one, other) => sizeOf(one) - sizeOf(other))
  while (hidden.size > 0 && (hidden.size === 1 || isSmallTogether(hidden, limit))) {
    const next = candidates.shift()
    if (!next) break
    hidden.add(next)
  }
  const shown = (figures: SummaryGroup['figures']) => (hidden.has(figures) ? undefined : figures)
  // Without another group to hide, only the total is left.
  const isComputable = hidden.size === 1 || (hidden.size > 0 && isSmallTogether(hidden, limit))
  return {
    groups: groups.map(({ by, figures }) => ({ by, figures: shown(figures) })),
    withoutGroup: shown(withoutGroup),
    total: isComputable ? undefined : total,
  }
}

/** Whether a group reveals a number from 1 to below the limit. */
const isSmall = (figures: SummaryGroup['figures'], limit: number): boolean =>
  [...figures.values()].some(({ reveals }) =>
    reveals.some((number) => number > 0 && number < limit),
  )

const isSmallTogether = (hidden: ReadonlySet<SummaryGroup['figures']>, limit: number): boolean =>
  ['count', 'people'].some((measure) => {
    const sum = [...hidden].reduce(
      (sum, figures) => sum + Number(figures.get(measure)?.value ?? 0),
      0,
    )
    return sum > 0 && sum < limit
  })

/** The number of records of a group. */
const sizeOf = (figures: SummaryGroup['figures']): number =>
  Number(figures.get('count')?.value ?? 0)
