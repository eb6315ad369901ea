import type { Context } from 'hono'
import { formatShortDay } from '../../model/dates.ts'
import { listSavedViews, reportPage, type SavedView } from '../../store/settings/saved-views.ts'
import { loadFilterFields, readPanel } from '../filters/filter-panel.tsx'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { ActionButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { collectionPath, dashboardPath } from '../ui/paths.ts'
import type { Ends } from '../ui/value-kinds.ts'
import { newViewPath, viewActionPath, viewParameter, viewPath } from '../views/view-paths.ts'
import type { Report } from './count-report.ts'
import { defineReport, explainReport, formatNotMarked, isMultiple } from './definition.ts'
import { describeReport, loadReport } from './load-report.ts'
import { difference, type ReportMeasure } from './measures.ts'
import { ReportChart } from './report-chart.tsx'
import { Definition } from './report-definition.tsx'
import { ReportForm } from './report-form.tsx'
import { formatReportQuery, parseCountable, type ReportQuery } from './report-query.ts'
import { ReportTable } from './report-table.tsx'

const maxBars = 24

/** The maximum number of rows in a table. */
export const maxRows = 200

/** Renders a report: its choices, the chart and the table. */
export async function renderReportPage(c: Context<DashboardEnv>) {
  const params = readReportParams(c)
  const [report, views] = await Promise.all([
    loadReport(c, params, maxRows),
    listSavedViews(c.var.store, reportPage),
  ])
  const view = views.find(({ id }) => id === params.get(viewParameter))
  const { query, result, errors, collection, properties } = report
  const listPath = collectionPath(c, query.countable.collection)
  const fields = readPanel(params).isOpen
    ? await loadFilterFields(c, collection, query.filters, properties)
    : undefined
  return c.html(
    <Page
      c={c}
      title={view?.name ?? describeReport(query)}
      crumbs={[{ name: 'Reports', href: dashboardPath(c, '/reports') }]}
      lead={view && `Saved by ${view.createdBy}`}
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
      <ReportForm c={c} report={report} fields={fields} view={view?.id} />
      {errors.map(({ name, message }) => (
        <p class="error">
          {name}: {message}
        </p>
      ))}
      {'error' in result ? (
        <p role="alert">{result.error}</p>
      ) : (
        <>
          <figure class="section">
            <figcaption class="title">
              <h2>
                {query.measure.describe(result.total)}{' '}
                <Change result={result} measure={query.measure} />
                <NotMarked result={result} />
              </h2>
              <Legend result={result} />
            </figcaption>
            <Definition
              sentences={defineReport(query, result, report.filterWords)}
              listPath={listPath}
            />
            <ReportChart
              report={result}
              maxBars={maxBars}
              measure={query.measure}
              label={describeReport(query)}
            />
          </figure>
          <section class="section">
            <h2>Table</h2>
            <ReportTable
              report={result}
              maxRows={maxRows}
              query={query}
              caption={describeReport(query)}
              isExclusive={!isMultiple(query)}
              listPath={listPath}
            />
            <p class="quiet after">
              {explainReport(query, result).join(' ')}{' '}
              {query.hideBelow && (
                <a href={`?${formatReportQuery({ ...query, hideBelow: undefined })}`}>
                  Show all numbers
                </a>
              )}
            </p>
          </section>
        </>
      )}
    </Page>,
  )
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
  const canSave = can(c, 'write')
  const isChanged = view && params.toString() !== view.query
  return (
    <>
      <button type="button" class="button" data-print hidden>
        Print
      </button>
      <Menu label="Download">
        {(['csv', 'xlsx'] as const).map((format) => (
          <li>
            <a href={`${dashboardPath(c, `/reports/${format}`)}?${params}`} download>
              {format === 'csv' ? 'Table as CSV' : 'Table as Excel'}
            </a>
          </li>
        ))}
      </Menu>
      {canSave && view && (
        <Menu label="More actions" isRare>
          <li>
            <a href={viewActionPath(c, view.id, 'rename')}>Rename</a>
          </li>
          <li>
            <a href={newViewPath(c, reportPage, params)}>Make a copy</a>
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

const NotMarked = ({ result: { counted } }: { result: Report }) =>
  counted.notMarked ? <small>{formatNotMarked(counted.notMarked)}</small> : null

type ChangeProps = { result: Report; measure: ReportMeasure }

function Change({ result: { total, totalBefore }, measure }: ChangeProps) {
  const change = totalBefore ? difference(total, totalBefore.result) : null
  return change === null ? null : <small>{measure.compare(change)} the year before</small>
}

function Legend({ result: { days, daysBefore } }: { result: Report }) {
  if (!daysBefore) return <small>{describeDays(days)}</small>
  return (
    <span class="row legend">
      <span class="dot">{describeDays(days)}</span>
      <span class="dot soft">{describeDays(daysBefore)}</span>
    </span>
  )
}

function describeDays({ from, to }: Ends): string {
  if (from && to) return `${formatShortDay(from)} to ${formatShortDay(to)}`
  if (from) return `From ${formatShortDay(from)}`
  return to ? formatShortDay(to) : ''
}
