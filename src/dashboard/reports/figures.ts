import { formatNumber } from '../../platform/format-number.ts'
import { sumBy } from '../../store/read/figures.ts'
import type { Store } from '../../store/store.ts'

/** A measure of the records of a collection, or of those with one of some statuses. */
export type GrantFigure = {
  collection: string
  measure: keyof typeof figureMeasures
  /** The property that a sum adds up. */
  of?: string
  statuses?: readonly string[]
}

type FigureMeasure = {
  /** The value of a group, from its number of records and the sum of a property of theirs. */
  value(group: { records: number; sum: number }): number
  format(value: number, currency: string): string
}

const number: FigureMeasure = { value: ({ records }) => records, format: formatNumber }
const sum: FigureMeasure = { value: ({ sum }) => sum, format: formatAmount }

/** What figures measure. */
export const figureMeasures = { number, sum }

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

/** The sums of a collection by these properties. */
type Sums = { by: readonly string[]; of: readonly string[]; rows: SumRow[] }

type SumRow = { by: string[]; records: number; of: number[] }

/**
 * Loads the tables by currency, with one read for each collection. Returns undefined if there are too many
 * records.
 */
export async function loadFigures(
  store: Store,
  tables: readonly FigureTable[],
): Promise<CurrencyFigures[] | undefined> {
  const figures = tables.flatMap(listFigures)
  const by = [...new Set(['currency', 'status', ...tables.map((table) => table.by)])]
  const collections = Map.groupBy(figures, ({ collection }) => collection)
  const sums = new Map<string, Sums>()
  const read = async ([collection, ofCollection]: [string, GrantFigure[]]) => {
    const of = [...new Set(ofCollection.flatMap((figure) => figure.of ?? []))]
    const rows = await sumBy(store, { collection, by, of })
    if (rows) sums.set(collection, { by, of, rows })
  }
  await Promise.all([...collections].map(read))
  if (sums.size < collections.size) return undefined
  const currencies = new Set(
    [...sums.values()].flatMap(({ rows }) => rows.map((row) => row.by[0] ?? '')),
  )
  return [...currencies].map((currency) => ({
    currency,
    tables: tables.map((table) => ({ table, rows: buildRows(table, sums, currency) })),
  }))
}

const listFigures = ({ columns }: FigureTable): GrantFigure[] =>
  columns.flatMap(({ figure, minus }) => (minus ? [figure, minus] : [figure]))

function buildRows(
  table: FigureTable,
  sums: ReadonlyMap<string, Sums>,
  currency: string,
): FigureRow[] {
  const rowsOf = ({ collection, statuses }: GrantFigure) => {
    const { rows = [], by = [] } = sums.get(collection) ?? {}
    const status = by.indexOf('status')
    return rows.filter(
      (row) => row.by[0] === currency && (statuses?.includes(row.by[status] ?? '') ?? true),
    )
  }
  const groupOf = ({ by }: SumRow, { collection }: GrantFigure) =>
    by[sums.get(collection)?.by.indexOf(table.by) ?? -1] ?? ''
  const measureGroup = (figure: GrantFigure, group: string) => {
    const index = sums.get(figure.collection)?.of.indexOf(figure.of ?? '') ?? -1
    const inGroup = rowsOf(figure).filter((row) => groupOf(row, figure) === group)
    const add = (read: (row: SumRow) => number) =>
      inGroup.reduce((total, row) => total + read(row), 0)
    return figureMeasures[figure.measure].value({
      records: add(({ records }) => records),
      sum: add(({ of }) => of[index] ?? 0),
    })
  }
  const present = listFigures(table).flatMap((figure) =>
    rowsOf(figure).map((row) => groupOf(row, figure)),
  )
  const groups = table.groups ?? [...new Set(present)].toSorted()
  return groups.map((group) => ({
    group,
    values: table.columns.map(
      ({ figure, minus }) => measureGroup(figure, group) - (minus ? measureGroup(minus, group) : 0),
    ),
  }))
}

/** Formats an amount without decimals. An unknown currency code follows the number. */
function formatAmount(value: number, currency: string): string {
  try {
    return value.toLocaleString('en-GB', {
      style: 'currency',
      currency,
      maximumFractionDigits: 0,
    })
  } catch {
    return `${formatNumber(Math.round(value))} ${currency}`.trim()
  }
}
