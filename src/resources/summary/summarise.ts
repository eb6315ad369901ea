import { invalidField } from '../../model/api-error.ts'
import type { Scalar } from '../../model/query/predicate.ts'
import { type BucketName, nextYear, yearBefore } from '../../model/summary/buckets.ts'
import {
  measuresIn,
  type NamedGroup,
  type NamedMeasure,
  plainMeasure,
} from '../../model/summary/parse-summary.ts'
import { londonDay } from '../../model/timestamp.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import type { ListTypes } from '../../store/read/list-selection.ts'
import type { Found, Known, Unchanged } from '../../store/state.ts'
import type { Store } from '../../store/store.ts'
import type { SummaryGroup } from '../../store/summary/measure-groups.ts'
import { readSummary, type Summary } from '../../store/summary/read-summary.ts'
import { summaryAdvice } from '../../store/summary/row-limit.ts'
import { describeSummary } from './describe.ts'
import { hideSmall, type ShownFigures } from './hide-small.ts'
import { orderGroups, passesHaving } from './order-groups.ts'
import type { SummaryRequest } from './summary-request.ts'
import { selectYearBefore } from './year-before.ts'

/** A collection with the types of its records, as its list has them. */
export type Summarised = { name: string; types: ListTypes }

/** The values of measures by name, in order; null without a result. `hidden` if the numbers are too small to show. */
type ShownValues = Record<string, number | string | null | true | object>

/** A summary as answers show it. */
export type SummaryAnswer = {
  groups: (ShownValues & { by: readonly (Scalar | null)[] })[]
  total: ShownValues
  /** Absent without groups. */
  withoutGroup?: ShownValues
  described: string
}

/** Summarises the records of a collection that the caller may see. Filters may name `fieldNames`. */
export async function summarise<U extends Unchanged = never>(
  store: Store,
  { name: collection, types }: Summarised,
  request: SummaryRequest,
  known?: Known<U>,
): Promise<Found<{ answer: SummaryAnswer; fieldNames: ReadonlySet<string> }> | U> {
  requireOrder(request)
  const today = londonDay(Date.now())
  const query = {
    by: request.by,
    measures: listMeasures(request),
    condition: request.condition,
    groupsMissing: request.groupsMissing,
    protectsPeople: request.hideBelow !== undefined,
    budget: { ...openBudget(store, summaryAdvice), rowsReserved: 20_000 },
  }
  const ages = (day: string) => ({ today: day, bands: request.bands })
  const earlier = request.isCompared ? selectYearBefore(request) : undefined
  const { filters, filter, created, changed } = request
  const summary = await readSummary(
    store,
    collection,
    { ...query, filters, filter, created, changed, ages: ages(today) },
    types,
    known,
  )
  if (summary.unchanged) return summary
  const previous =
    earlier &&
    (await readSummary(
      store,
      collection,
      { ...query, ...earlier, ages: ages(yearBefore(today)) },
      types,
    ))
  const { shown, groupCount } = showSummary(request, summary, previous)
  const described = describeSummary(store.policy, collection, request, {
    summary,
    shown: shown.figures,
    groupCount,
    today,
  })
  return {
    answer: { ...shown.answer, described },
    fieldNames: summary.fieldNames,
    state: summary.state,
  }
}

/** Throws 400 for a group in `$orderby` that is not in `$by`. */
function requireOrder({ by, order }: SummaryRequest): void {
  for (const { by: name } of order) {
    if ('measure' in name || by.some(({ text }) => text === name.text)) continue
    throw invalidField(
      '$orderby',
      'unknown_field',
      `must name measures or groups of $by: "${name.text.slice(0, 256)}" is neither.`,
    )
  }
}

/** The measures to compute: those of the answer, of its conditions and order, and the number of records. */
function listMeasures({ measures, having, order }: SummaryRequest): NamedMeasure[] {
  const all = [
    ...measures,
    ...(having ? measuresIn(having) : []),
    ...order.flatMap(({ by }) => ('measure' in by ? by : [])),
    plainMeasure('count'),
  ]
  return [...new Map(all.map((measure) => [measure.text, measure])).values()]
}

/** Hides small numbers, orders the groups, and adds those of the year before. */
function showSummary(request: SummaryRequest, summary: Summary, previous: Summary | undefined) {
  const { by, measures, having, order, limit, hideBelow } = request
  const hide = (current: Summary) =>
    hideBelow === undefined ? current : hideSmall(current, hideBelow)
  const earlier = previous && hide(shiftGroups(previous, by))
  const figures = hide(previous ? addGroups(summary, shiftGroups(previous, by).groups) : summary)
  const earlierByKey = new Map(earlier?.groups.map((group) => [keyOf(group), group]))
  const passing = figures.groups.filter((group) => !having || passesHaving(having, group))
  const ordered = orderGroups(passing, by, order)
  const values = (current: ShownFigures['total'], before: ShownFigures['total']): ShownValues => ({
    ...toValues(current, measures),
    ...(previous && { previous: toValues(before, measures) }),
  })
  const answer = {
    groups: ordered.slice(0, limit).map((group) => ({
      by: group.by,
      ...values(group.figures, (earlierByKey.get(keyOf(group)) ?? emptyGroup(previous)).figures),
    })),
    total: values(figures.total, earlier?.total),
    ...(by.length > 0 && { withoutGroup: values(figures.withoutGroup, earlier?.withoutGroup) }),
  }
  return { shown: { answer, figures }, groupCount: ordered.length }
}

const emptyGroup = (summary: Summary | undefined) => ({ figures: summary?.empty })

const keyOf = ({ by }: Pick<SummaryGroup, 'by'>) => JSON.stringify(by)

/** The groups of an earlier year under the names of the same groups a year later. */
function shiftGroups(summary: Summary, by: readonly NamedGroup[]): Summary {
  const shift = (value: Scalar | null, bucket: BucketName | undefined) =>
    bucket ? nextYear(bucket, String(value)) : value
  return {
    ...summary,
    groups: summary.groups.map((group) => ({
      ...group,
      by: group.by.map((value, index) => shift(value, by[index]?.bucket)),
    })),
  }
}

/** Adds the groups that only another year has. */
function addGroups(summary: Summary, others: readonly SummaryGroup[]): Summary {
  const keys = new Set(summary.groups.map(keyOf))
  const missing = others.filter((group) => !keys.has(keyOf(group)))
  return {
    ...summary,
    groups: [...summary.groups, ...missing.map(({ by }) => ({ by, figures: summary.empty }))],
  }
}

const toValues = (
  figures: ShownFigures['total'],
  measures: readonly NamedMeasure[],
): ShownValues => ({
  ...Object.fromEntries(measures.map(({ text }) => [text, figures?.get(text)?.value ?? null])),
  ...(!figures && { hidden: true }),
})
