import type { Context } from 'hono'
import { toLabel } from '../../model/properties/compile.ts'
import { loadValueTitles } from '../filters/name-filters.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import {
  type CurrencyFigures,
  type FigureRow,
  type FigureTable,
  formatGrantFigure,
  loadFigures,
} from './figures.ts'

/** Loads tables of figures, and renders each of them once for each currency; nothing without records. */
export async function renderFigures(c: Context<DashboardEnv>, tables: readonly FigureTable[]) {
  const figures = await loadFigures(c.var.store, tables)
  if (!figures) return <TooMany />
  const labels = await loadLabels(c, figures)
  return (
    <>
      {figures.flatMap(({ currency, tables }) =>
        tables.map(({ table, rows }) => (
          <section>
            <div class="title">
              <h2>{table.title}</h2>
            </div>
            <DataTable
              label={table.title}
              columns={[
                {
                  heading: table.heading,
                  cell: ({ group }: FigureRow) => (
                    <a
                      href={`${collectionPath(c, table.list)}?${new URLSearchParams({ [table.by]: group })}`}
                    >
                      {labels(table, group)}
                    </a>
                  ),
                },
                ...table.columns.map(({ heading, figure }, index) => ({
                  heading,
                  isRightAligned: true,
                  cell: ({ values }: FigureRow) =>
                    formatGrantFigure(figure, values[index] ?? 0, currency),
                })),
              ]}
              rows={rows}
            />
            <p class="quiet after">{table.explanation}</p>
          </section>
        )),
      )}
    </>
  )
}

const TooMany = () => (
  <section>
    <div class="title">
      <h2>Grants</h2>
    </div>
    <p>There are too many grant applications or payments to add up here.</p>
  </section>
)

/** Loads the names of groups: the titles of the records that they refer to, or the value in words. */
async function loadLabels(c: Context<DashboardEnv>, figures: readonly CurrencyFigures[]) {
  const byTable = Map.groupBy(
    figures.flatMap(({ tables }) => tables),
    ({ table }) => table,
  )
  const loaded = await Promise.all(
    [...byTable].map(async ([table, shown]) => {
      const keys = shown.flatMap(({ rows }) => rows.map(({ group }) => group))
      return [table, await loadValueTitles(c, table.list, { name: table.by }, keys)] as const
    }),
  )
  const titlesByTable = new Map(loaded)
  return (table: FigureTable, group: string): string => {
    if (group === '') return `No ${table.heading.toLowerCase()}`
    return titlesByTable.get(table)?.get(group) ?? toLabel(group)
  }
}
