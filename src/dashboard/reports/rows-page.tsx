import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { Pager, readOffset } from '../ui/pager.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { describeDays } from './definition.ts'
import { capitalise, type ReportWithQuery } from './load-report.ts'
import { reportDays } from './period-days.ts'
import { formatReportQuery } from './report-query.ts'

/** The rows behind a number of a report, or why they cannot be read. */
export type ReportRows<Row> = readonly Row[] | { error: string }

const pageSize = 100

/** The rows that the page of the address shows. */
export function takeShownRows<Row>(
  c: Context<DashboardEnv>,
  rows: ReportRows<Row>,
): readonly Row[] {
  if ('error' in rows) return []
  const offset = readOffset(c)
  return rows.slice(offset, offset + pageSize)
}

type Props = {
  c: Context<DashboardEnv>
  title: string
  report: ReportWithQuery
  rows: ReportRows<unknown>
  children: Child
}

/** Renders a page of the rows behind a number of a report. `children` has the shown rows. */
export function RowsPage({ c, title, report, rows, children }: Props) {
  const { query, filterWords, today } = report
  const params = formatReportQuery(query)
  const days = describeDays(reportDays(query.period, today, query.isCompared))
  return (
    <Page
      c={c}
      title={title}
      crumbs={[
        { name: 'Reports', href: dashboardPath(c, '/reports') },
        { name: 'Report', href: `${dashboardPath(c, '/reports/view')}?${params}` },
      ]}
      lead={[capitalise(days), ...filterWords].filter(Boolean).join('; ')}
    >
      {'error' in rows ? (
        <p role="alert">{rows.error}</p>
      ) : (
        <>
          {children}
          <Pager path={`?${params}`} offset={readOffset(c)} size={pageSize} total={rows.length} />
        </>
      )}
    </Page>
  )
}
