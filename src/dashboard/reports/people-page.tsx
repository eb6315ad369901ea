import type { Context } from 'hono'
import { plainGroup, plainMeasure } from '../../model/summary/parse-summary.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { countOf } from '../../store/summary/measure-groups.ts'
import { loadTitlesOf } from '../records/list/linked-titles.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { Pager, readOffset } from '../ui/pager.tsx'
import { dashboardPath, recordPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { openReportBudget } from './count-report.ts'
import { personReferenceOf } from './countables.ts'
import { describeDays } from './definition.ts'
import { capitalise, countOrExplain, loadReportQuery } from './load-report.ts'
import { reportDays } from './period-days.ts'
import { selectRecords } from './period-records.ts'
import { readReportSummary } from './report-groups.ts'
import { readReportParams } from './report-page.tsx'
import { formatReportQuery } from './report-query.ts'

const pageSize = 100

/** A person with the number of their records. */
type Frequent = { id: string; count: number }

/** Renders the people whom a report counts with at least a number of records, those with most first. */
export async function renderPeoplePage(c: Context<DashboardEnv>) {
  const { query, filterWords, properties, today } = await loadReportQuery(c, readReportParams(c))
  const { countable, least } = query
  const reference = personReferenceOf(countable, properties)
  const days = reportDays(query.period, today, query.isCompared)
  const people = await countOrExplain(async () => {
    if (!reference || query.hideBelow !== undefined) return []
    const { store } = c.var
    const budget = openReportBudget(store)
    const { selection } = await selectRecords(store, query, { today, days, budget })
    const measured = { by: [plainGroup(reference.path)], measures: [plainMeasure('count')] }
    const { groups } = await readReportSummary(store, query, measured, selection)
    return groups
      .map(({ by: [id], figures }): Frequent => ({ id: String(id ?? ''), count: countOf(figures) }))
      .filter(({ id, count }) => id !== '' && count >= least)
      .toSorted((one, other) => other.count - one.count || (one.id < other.id ? -1 : 1))
  })
  const offset = readOffset(c)
  const shown = 'error' in people ? [] : people.slice(offset, offset + pageSize)
  const ids = shown.map(({ id }) => id)
  const titles = reference ? await loadTitlesOf(c, reference.to, ids) : new Map<string, string>()
  const link = (id: string) =>
    reference && titles.has(id) ? (
      <a href={recordPath(c, reference.to, id)}>{titles.get(id)}</a>
    ) : (
      'Not in the list of people'
    )
  return c.html(
    <Page
      c={c}
      title={`People with at least ${formatCount(least, countable.singular, countable.plural)}`}
      crumbs={[
        { name: 'Reports', href: dashboardPath(c, '/reports') },
        {
          name: 'Report',
          href: `${dashboardPath(c, '/reports/view')}?${formatReportQuery(query)}`,
        },
      ]}
      lead={[capitalise(describeDays(days)), ...filterWords].filter(Boolean).join('; ')}
    >
      {'error' in people ? (
        <p role="alert">{people.error}</p>
      ) : (
        <>
          <p class="quiet">{formatCount(people.length, 'person', 'people')}</p>
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
          <Pager
            path={`?${formatReportQuery(query)}`}
            offset={offset}
            size={pageSize}
            total={people.length}
          />
        </>
      )}
    </Page>,
  )
}
