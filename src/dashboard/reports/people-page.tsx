import type { Context } from 'hono'
import { plainGroup, plainMeasure } from '../../model/summary/parse-summary.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { countOf } from '../../store/summary/measure-groups.ts'
import { loadTitlesOf } from '../records/list/linked-titles.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { recordPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { openReportBudget } from './count-report.ts'
import { personReferenceOf } from './countables.ts'
import { capitalise, countOrExplain, loadReportQuery } from './load-report.ts'
import { reportDays } from './period-days.ts'
import { selectRecords } from './period-records.ts'
import { readReportSummary } from './report-groups.ts'
import { readReportParams } from './report-page.tsx'
import { RowsPage, takeShownRows } from './rows-page.tsx'

/** A person with the number of their records. */
type Frequent = { id: string; count: number }

/** Renders the people whom a report counts with at least a number of records, those with most first. */
export async function renderPeoplePage(c: Context<DashboardEnv>) {
  const report = await loadReportQuery(c, readReportParams(c))
  const { query, properties, today } = report
  const { countable, least } = query
  const reference = personReferenceOf(countable, properties)
  const people = await countOrExplain(async () => {
    if (!reference || query.hideBelow !== undefined) return []
    const { store } = c.var
    const days = reportDays(query.period, today, query.isCompared)
    const budget = openReportBudget(store)
    const { selection } = await selectRecords(store, query, { today, days, budget })
    const measured = { by: [plainGroup(reference.path)], measures: [plainMeasure('count')] }
    const { groups } = await readReportSummary(store, query, measured, selection)
    return groups
      .map(({ by: [id], figures }): Frequent => ({ id: String(id ?? ''), count: countOf(figures) }))
      .filter(({ id, count }) => id !== '' && count >= least)
      .toSorted((one, other) => other.count - one.count || (one.id < other.id ? -1 : 1))
  })
  const shown = takeShownRows(c, people)
  const ids = shown.map(({ id }) => id)
  const titles = reference ? await loadTitlesOf(c, reference.to, ids) : new Map<string, string>()
  const link = (id: string) =>
    reference && titles.has(id) ? (
      <a href={recordPath(c, reference.to, id)}>{titles.get(id)}</a>
    ) : (
      'Not in the list of people'
    )
  return c.html(
    <RowsPage
      c={c}
      title={`People with at least ${formatCount(least, countable.singular, countable.plural)}`}
      report={report}
      rows={people}
    >
      {!('error' in people) && (
        <p class="quiet">{formatCount(people.length, 'person', 'people')}</p>
      )}
      <DataTable
        label="People"
        columns={[
          { heading: 'Person', cell: ({ id }: Frequent) => link(id) },
          {
            heading: capitalise(countable.plural),
            isRightAligned: true,
            cell: ({ count }) => formatNumber(count),
          },
        ]}
        rows={shown}
      />
    </RowsPage>,
  )
}
