import { isErrorOf } from '../../model/api-error.ts'
import { type NamedMeasure, plainGroup, plainMeasure } from '../../model/summary/parse-summary.ts'
import { formatMoney, formatNumber } from '../../platform/format-number.ts'
import { loadCollection } from '../../resources/resources.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import type { Store } from '../../store/store.ts'
import { readSummary, type Summary } from '../../store/summary/read-summary.ts'

/** The number of records of a collection, or the sum of a property of theirs. */
export type GrantFigure = {
  collection: string
  /** The property to add up; without it, records are counted. */
  of?: string
  /** Only records with one of these statuses. */
  statuses?: readonly string[]
}

/** A table of figures by the values of a property. */
export type FigureTable = {
  title: string
  /** The heading of the groups, and the property that has them. */
  heading: string
  by: string
  /** All groups in their order; by default every group with records. */
  groups?: readonly string[]
  columns: readonly FigureColumn[]
  /** The collection of the list that a group links to. */
  list: string
  explanation: string
}

/** A column: a figure, less another if given. */
type FigureColumn = { heading: string; figure: GrantFigure; minus?: GrantFigure }

/** A group of a table with the values of its columns. */
export type FigureRow = { group: string; values: readonly number[] }

/** The figures in one currency: the rows of each table. */
export type CurrencyFigures = {
  currency: string
  tables: { table: FigureTable; rows: FigureRow[] }[]
}

/** A summary of a collection by these properties, of which the first is the currency. */
type GroupedRecords = { by: readonly string[]; summary: Summary }

/**
 * Loads the tables by currency, with one summary of each collection. Returns undefined if there are too many
 * records.
 */
export async function loadFigures(
  store: Store,
  tables: readonly FigureTable[],
): Promise<CurrencyFigures[] | undefined> {
  const by = [...new Set(['currency', 'status', ...tables.map((table) => table.by)])]
  const collections = Map.groupBy(tables.flatMap(listFigures), ({ collection }) => collection)
  try {
    const records = new Map(
      await Promise.all(
        [...collections].map(
          async ([collection, figures]) =>
            [collection, await groupRecords(store, collection, by, figures)] as const,
        ),
      ),
    )
    const currencies = new Set([...records.values()].flatMap((it) => valuesOf(it, 'currency')))
    return [...currencies].map((currency) => ({
      currency,
      tables: tables.map((table) => ({ table, rows: buildRows(table, records, currency) })),
    }))
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return undefined
    throw error
  }
}

const listFigures = ({ columns }: FigureTable): GrantFigure[] =>
  columns.flatMap(({ figure, minus }) => (minus ? [figure, minus] : [figure]))

async function groupRecords(
  store: Store,
  collection: string,
  by: readonly string[],
  figures: readonly GrantFigure[],
): Promise<GroupedRecords> {
  const { list } = await loadCollection(collection)
  const measures = new Map(figures.map(toMeasure).map((measure) => [measure.text, measure]))
  const query = {
    filters: [],
    by: by.map((name) => plainGroup(name)),
    measures: [...measures.values()],
    ages: { today: '', bands: [] },
    groupsMissing: true,
    protectsPeople: false,
    budget: openBudget(store, ''),
  }
  return { by, summary: await readSummary<never>(store, collection, query, list.types) }
}

const toMeasure = ({ of }: GrantFigure): NamedMeasure =>
  of === undefined
    ? plainMeasure('count')
    : { ...plainMeasure('count'), text: `sum(${of})`, measure: 'sum', name: of }

/** The values of a property among the groups, '' for none. */
const valuesOf = ({ by, summary }: GroupedRecords, name: string): string[] =>
  summary.groups.map((group) => String(group.by[by.indexOf(name)] ?? ''))

function buildRows(
  table: FigureTable,
  records: ReadonlyMap<string, GroupedRecords>,
  currency: string,
): FigureRow[] {
  /** The groups of a figure, each with its value of the table's property. */
  const groupsOf = ({ collection, statuses }: GrantFigure) => {
    const grouped = records.get(collection)
    if (!grouped) return []
    const [currencies, groupStatuses, values] = ['currency', 'status', table.by].map((name) =>
      valuesOf(grouped, name),
    )
    return grouped.summary.groups.flatMap((group, index) => {
      const hasStatus = statuses?.includes(groupStatuses?.[index] ?? '') ?? true
      const isCounted = currencies?.[index] === currency && hasStatus
      return isCounted ? [{ group, value: values?.[index] ?? '' }] : []
    })
  }
  const measure = (figure: GrantFigure, value: string): number => {
    const inGroup = groupsOf(figure).filter((it) => it.value === value)
    const summary = records.get(figure.collection)?.summary
    const figures = summary?.combine(inGroup.map(({ group }) => group))
    return Number(figures?.get(toMeasure(figure).text)?.value ?? 0)
  }
  const present = listFigures(table).flatMap((figure) => groupsOf(figure).map(({ value }) => value))
  const groups = table.groups ?? [...new Set(present)].toSorted()
  return groups.map((group) => ({
    group,
    values: table.columns.map(
      ({ figure, minus }) => measure(figure, group) - (minus ? measure(minus, group) : 0),
    ),
  }))
}

/** Formats a number of records, or a sum of money without decimals. */
export function formatGrantFigure({ of }: GrantFigure, value: number, currency: string): string {
  const whole = Math.round(value)
  return of === undefined || currency === '' ? formatNumber(whole) : formatMoney(whole, currency)
}
