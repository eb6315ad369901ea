import type { Context } from 'hono'
import { listSavedViews, reportPage } from '../../store/settings/saved-views.ts'
import { describeOnce } from '../collection/collection-info.ts'
import { loadFilterProperties } from '../filters/filter-properties.ts'
import { describePeriod } from '../filters/periods.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { PrintButton } from '../ui/button.tsx'
import { Notice, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { viewPath } from '../views/view-paths.ts'
import { visibleViews } from '../views/visible-views.ts'
import { formatNotMarked } from './definition.ts'
import { renderFigures } from './figure-tables.tsx'
import { grantTables } from './grant-tables.ts'
import { describeReport, type LoadedReport, loadReport } from './load-report.ts'
import { listReadyReports } from './ready-reports.ts'
import { ReportChart } from './report-chart.tsx'
import { formatReportQuery } from './report-query.ts'

/** The maximum number of bars of a ready report; the months of a year have twelve. */
const maxBars = 12

/** Renders the ready reports as cards, and the names of the saved ones. */
export async function renderReportsPage(c: Context<DashboardEnv>) {
  const describe = describeOnce(c)
  const properties = await loadFilterProperties(c, await describe('members'), () => false)
  const [allViews, reports, grants] = await Promise.all([
    listSavedViews(c.var.store, reportPage),
    Promise.all(
      listReadyReports(properties).map((params) => loadReport(c, params, maxBars, describe)),
    ),
    renderFigures(c, grantTables),
  ])
  const views = visibleViews(c, allViews)
  return c.html(
    <Page
      c={c}
      title="Reports"
      actions={
        <>
          <PrintButton />
          <a class="button primary" href={dashboardPath(c, `/${reportPage}`)}>
            New report
          </a>
        </>
      }
    >
      <Notice message={takeFlash(c).notice} />
      {views.length > 0 && (
        <section class="section">
          <h2>Saved reports</h2>
          <ul class="stack">
            {views.map((view) => (
              <li>
                <a href={viewPath(c, view)}>{view.name}</a> <small>Saved by {view.createdBy}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="reports">
        {reports.map((report) => (
          <Card path={dashboardPath(c, `/${reportPage}`)} report={report} />
        ))}
        {grants}
      </div>
    </Page>,
  )
}

/** Renders the chart of a report with a link to the report. */
function Card({ path, report: { query, result } }: { path: string; report: LoadedReport }) {
  const title = describeReport(query)
  const period = typeof query.period === 'string' ? describePeriod(query.period) : 'today'
  return (
    <section>
      <div class="title">
        <h2>
          <a href={`${path}?${formatReportQuery(query)}`}>{title}</a>
        </h2>
        {'total' in result && (
          <small>
            {query.measure.format(result.total)}, {period}
            {result.counted.notMarked ? `, ${formatNotMarked(result.counted.notMarked)}` : ''}
          </small>
        )}
      </div>
      {'error' in result ? (
        <p>{result.error}</p>
      ) : !result.total ? (
        <p class="quiet">There are no {query.countable.plural} in this period.</p>
      ) : (
        <ReportChart report={result} maxBars={maxBars} measure={query.measure} label={title} />
      )}
    </section>
  )
}
