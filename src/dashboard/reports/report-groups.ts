import type { Predicate, Scalar } from '../../model/query/predicate.ts'
import { measureRules } from '../../model/summary/measure-names.ts'
import { measureOf, type NamedMeasure, plainMeasure } from '../../model/summary/parse-summary.ts'
import { loadCollection } from '../../resources/resources.ts'
import type { RowBudget } from '../../store/query/query-reader.ts'
import type { Store } from '../../store/store.ts'
import type { Figures, SummaryFigures } from '../../store/summary/measure-groups.ts'
import { readSummary, type Summary, type SummaryQuery } from '../../store/summary/read-summary.ts'
import type { ListFilter } from '../filters/filter.ts'
import { resolveAttendance } from '../filters/find-attendance.ts'
import { firstAges } from './age-groups.ts'
import { toReportExpression } from './ages-on-day.ts'
import type { ReportMeasure } from './measures.ts'
import type { ReportQuery } from './report-query.ts'

/** Which records a report measures. `today` is the day on which ages are counted. */
export type Selection = {
  filters: readonly ListFilter[]
  today: string
  condition: Predicate | undefined
  budget: RowBudget
}

/** The groups of a summary, and what it measures of each. */
export type Measured = Pick<SummaryQuery, 'by' | 'measures'>

/** The measures of a report: its own, the number of records, of those with a value to measure, and of people if it counts any. */
export function listReportMeasures({ measured }: ReportMeasure): NamedMeasure[] {
  const { countsPeople = false } = measureRules[measured.measure]
  const people = countsPeople ? [plainMeasure('people')] : []
  const known = measured.name === undefined ? [] : [measureOf('known', measured.name)]
  const measures = [measured, plainMeasure('count'), ...known, ...people]
  return [...new Map(measures.map((named) => [named.text, named])).values()]
}

/** Reads a summary of the records of a report. */
export async function readReportSummary(
  store: Store,
  query: ReportQuery,
  measured: Measured & { others?: readonly Measured[] },
  { filters, today, condition, budget }: Selection,
): Promise<Summary> {
  const { countable, hideBelow } = query
  const { list } = await loadCollection(countable.collection)
  return readSummary<never>(
    store,
    countable.collection,
    {
      filters: [],
      filter: toReportExpression(query, await resolveAttendance(store, filters, today), today),
      condition,
      ...measured,
      ages: { today, bands: firstAges },
      groupsMissing: true,
      protectsPeople: hideBelow !== undefined,
      budget,
    },
    list.types,
  )
}

/** The figures of a group of the first grouping, and of each group of the second among its records. */
export type GroupFigures = { total: Figures; cells: ReadonlyMap<string, Figures> }

/** The groups of a report by their keys: the value in the summary, or '' for none. */
export type ReportGroups = {
  rows: ReadonlyMap<string, GroupFigures>
  /** The figures of each group of the second grouping. */
  columns: ReadonlyMap<string, Figures>
  total: Figures
  empty: Figures
  /** The figures of some groups together, or of the records among them in a group of the second grouping. */
  together(keys: readonly string[], column?: string): Figures
}

/** The figures of a group of each grouping, if given. */
export function figuresAt(
  { rows, columns, total, empty }: ReportGroups,
  key?: string,
  column?: string,
): Figures {
  if (key === undefined) return column === undefined ? total : (columns.get(column) ?? empty)
  const row = rows.get(key)
  return (column === undefined ? row?.total : row?.cells.get(column)) ?? empty
}

/** Arranges the groups of a summary by one or two groupings. `shiftKey` changes the keys of the first. */
export function arrangeGroups(
  { groups, total, empty, combine }: SummaryFigures,
  shiftKey: (key: string) => string = (key) => key,
): ReportGroups {
  const cells = groups.map((group) => {
    const [value = null, second = null] = group.by
    return { group, key: shiftKey(toText(value)), column: toText(second) }
  })
  const byKey = Map.groupBy(cells, ({ key }) => key)
  // A row or a column of one cell has a copy of its figures, because it can be shown where the cell is hidden.
  const figuresOf = (found: typeof cells): Figures =>
    new Map(combine(found.map(({ group }) => group)))
  const byColumn = (found: typeof cells) =>
    new Map(
      [...Map.groupBy(found, ({ column }) => column)].map(([column, ofColumn]) => [
        column,
        figuresOf(ofColumn),
      ]),
    )
  return {
    rows: new Map(
      [...byKey].map(([key, found]) => [key, { total: figuresOf(found), cells: byColumn(found) }]),
    ),
    columns: byColumn(cells),
    total,
    empty,
    together(keys, column) {
      const found = keys.flatMap((key) => byKey.get(key) ?? [])
      return figuresOf(column === undefined ? found : found.filter((it) => it.column === column))
    },
  }
}

const toText = (value: Scalar | null) => String(value ?? '')
