import type { Context } from 'hono'
import { joinNames } from '../../platform/join-names.ts'
import { listSavedViews, reportPage, type SavedView } from '../../store/settings/saved-views.ts'
import { loadFilterFields, readPanel } from '../filters/filter-panel.tsx'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { ActionButton, PrintButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { newViewPath, viewActionPath, viewParameter, viewPath } from '../views/view-paths.ts'
import { visibleViews } from '../views/visible-views.ts'
import type { Report } from './count-report.ts'
import { describeDays } from './definition.ts'
import { startLower } from './grouping.ts'
import { LeftOutList, type LeftOutRecords, listLeftOut, loadLeftOut } from './left-out.tsx'
import { capitalise, describeReport, type LoadedReport, loadReport } from './load-report.ts'
import { ReportChart } from './report-chart.tsx'
import { type CountedReport, Definition } from './report-definition.tsx'
import { ReportForm } from './report-form.tsx'
import { formatReportQuery, parseCountable, type ReportQuery, smallNumber } from './report-query.ts'
import { ExplainedTable, maxRows } from './report-table.tsx'
import { TimesSection } from './times-section.tsx'

/** The maximum number of bars in a chart. */
export const maxBars = 24

/** Renders a report: its choices, the chart and the table. */
export async function renderReportPage(c: Context<DashboardEnv>) {
  const params = readReportParams(c)
  const [report, views] = await Promise.all([
    loadReport(c, params, maxRows),
    listSavedViews(c.var.store, reportPage),
  ])
  const view = visibleViews(c, views).find(({ id }) => id === params.get(viewParameter))
  const { query, result, errors, collection, properties } = report
  const fields = readPanel(params).isOpen
    ? await loadFilterFields(c, collection, query.filters, properties)
    : undefined
  const isCounted = !('error' in result)
  const leftOut = isCounted
    ? [...listLeftOut(c, { ...report, result }), ...(await loadLeftOut(c, { ...report, result }))]
    : []
  return c.html(
    <Page
      c={c}
      title={view?.name ?? describeReport(query)}
      crumbs={[{ name: 'Reports', href: dashboardPath(c, '/reports') }]}
      lead={describeQuestion(report, view)}
      actions={<Actions c={c} query={query} view={view} />}
      tabs={[
        ...views.map((saved) => ({
          name: saved.name,
          href: viewPath(c, saved),
          isCurrent: saved.id === view?.id,
        })),
        { name: 'New report', href: dashboardPath(c, `/${reportPage}`), isCurrent: !view },
      ]}
    >
      <Notice message={takeFlash(c).notice} />
      {errors.map(({ name, message }) => (
        <p class="error">
          {name}: {message}
        </p>
      ))}
      <div class="split">
        <div>
          {isCounted ? (
            <Answer c={c} report={{ ...report, result }} leftOut={leftOut} />
          ) : (
            <p role="alert">{result.error}</p>
          )}
        </div>
        <ReportForm c={c} report={report} fields={fields} view={view?.id} />
      </div>
    </Page>,
  )
}

type AnswerProps = {
  c: Context<DashboardEnv>
  report: CountedReport
  leftOut: readonly LeftOutRecords[]
}

function Answer({ c, report, leftOut }: AnswerProps) {
  const { query, result } = report
  const title = describeReport(query)
  return (
    <>
      <section aria-label="Result">
        <Definition report={report} />
      </section>
      <figure class="section">
        <figcaption class="title">
          <h2>{title}</h2>
          <Legend result={result} />
        </figcaption>
        <ReportChart report={result} maxBars={maxBars} measure={query.measure} label={title} />
      </figure>
      <section class="section">
        <h2>Table</h2>
        <ExplainedTable c={c} report={report}>
          {query.hideBelow && (
            <a href={`?${formatReportQuery({ ...query, hideBelow: undefined })}`}>
              Show all numbers
            </a>
          )}
        </ExplainedTable>
      </section>
      <TimesSection c={c} report={report} />
      {leftOut.length > 0 && (
        <section class="section">
          <h2>Not counted</h2>
          <LeftOutList records={leftOut} />
        </section>
      )}
    </>
  )
}

/** The period and the groups of a report, and who saved it. */
function describeQuestion({ query, result }: LoadedReport, view: SavedView | undefined): string {
  const days = 'error' in result ? '' : describeDays(result.days)
  const groups = [query.by, ...(query.split ? [query.split] : [])].map(({ label }) =>
    startLower(label),
  )
  const question = capitalise([days, `by ${joinNames(groups)}`].filter(Boolean).join(', '))
  return view ? `${question}. Saved by ${view.createdBy}.` : question
}

/** The parameters of a report's address, without the filters of a form that showed another collection. */
export function readReportParams(c: Context<DashboardEnv>): URLSearchParams {
  const params = new URL(c.req.url).searchParams
  const shown = params.get('$of') ?? parseCountable(params).collection
  if (shown === parseCountable(params).collection) return params
  return new URLSearchParams([...params].filter(([name]) => name.startsWith('$')))
}

type ActionsProps = { c: Context<DashboardEnv>; query: ReportQuery; view: SavedView | undefined }

function Actions({ c, query, view }: ActionsProps) {
  const params = formatReportQuery(query)
  const forPublication = formatReportQuery({ ...query, hideBelow: smallNumber })
  const canSave = can(c, 'write')
  const isChanged = view && params.toString() !== view.query
  return (
    <>
      <PrintButton />
      <Menu label="Download">
        {(['csv', 'xlsx'] as const).map((format) => (
          <li>
            <a href={`${dashboardPath(c, `/reports/${format}`)}?${params}`} download>
              {format === 'csv' ? 'Table as CSV' : 'Table as Excel'}
            </a>
          </li>
        ))}
        <li>
          <a href={`${dashboardPath(c, '/reports/svg')}?${params}`} download>
            Chart as an image
          </a>
        </li>
        {query.hideBelow === undefined && (
          <li>
            <a href={`${dashboardPath(c, '/reports/xlsx')}?${forPublication}`} download>
              For publication: numbers below {smallNumber} hidden
            </a>
          </li>
        )}
      </Menu>
      {canSave && view && (
        <Menu label="More actions" isRare>
          <li>
            <a href={viewActionPath(c, view.id, 'rename')}>Rename</a>
          </li>
          <li>
            <a href={newViewPath(c, reportPage, params)}>Make a copy</a>
          </li>
          <li>
            <ActionButton
              action={viewActionPath(c, view.id, 'query')}
              hidden={{
                query: formatReportQuery({ ...query, isAnnual: !query.isAnnual }).toString(),
              }}
              label={query.isAnnual ? 'Remove from the annual return' : 'Add to the annual return'}
            />
          </li>
          <li class="apart">
            <a class="danger" href={viewActionPath(c, view.id, 'delete')}>
              Delete
            </a>
          </li>
        </Menu>
      )}
      {canSave && !view && (
        <a class="button primary" href={newViewPath(c, reportPage, params)}>
          Save report
        </a>
      )}
      {canSave && isChanged && (
        <ActionButton
          action={viewActionPath(c, view.id, 'query')}
          hidden={{ query: params.toString() }}
          label="Save changes"
          class="button primary"
        />
      )}
    </>
  )
}

function Legend({ result: { days, daysBefore } }: { result: Report }) {
  if (!daysBefore) return null
  return (
    <span class="row legend">
      <span class="dot">{capitalise(describeDays(days))}</span>
      <span class="dot soft">{capitalise(describeDays(daysBefore))}</span>
    </span>
  )
}
