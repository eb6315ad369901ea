import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { PrintButton } from '../ui/button.tsx'
import { FilterForm } from '../ui/filter-form.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { type AnnualAnswer, loadAnnualReturn, readYear } from './annual-return.ts'
import { describeDays } from './definition.ts'
import { LeftOutList, listLeftOut } from './left-out.tsx'
import { capitalise, describeReport, type LoadedReport } from './load-report.ts'
import { Definition } from './report-definition.tsx'
import { formatReportQuery } from './report-query.ts'
import { ExplainedTable } from './report-table.tsx'

/** Renders the answers to the questions about a year as one document. */
export async function renderAnnualReturn(c: Context<DashboardEnv>) {
  const year = readYear(c)
  const answers = await loadAnnualReturn(c, year)
  return c.html(
    <Page
      c={c}
      title="Annual return"
      crumbs={[{ name: 'Reports', href: dashboardPath(c, '/reports') }]}
      lead={capitalise(describeDays(year))}
      actions={
        <>
          <PrintButton />
          <a
            class="button"
            href={`${dashboardPath(c, '/reports/annual-return/xlsx')}?from=${year.from}`}
            download
          >
            Download as Excel
          </a>
        </>
      }
    >
      <FilterForm
        fields={[{ name: 'from', label: 'First day of the year', attributes: { type: 'date' } }]}
        values={{ from: year.from }}
        label="Show"
      />
      {year.error && <p class="error">{year.error}</p>}
      {answers.map((answer) => (
        <Answer c={c} answer={answer} />
      ))}
    </Page>,
  )
}

type AnswerProps = { c: Context<DashboardEnv>; answer: AnnualAnswer }

const Answer = ({ c, answer: { title, reports } }: AnswerProps) => (
  <section class="section">
    <h2>{title}</h2>
    {reports.map((report) => (
      <Figures c={c} report={report} />
    ))}
  </section>
)

function Figures({ c, report }: { c: Context<DashboardEnv>; report: LoadedReport }) {
  const { query, result } = report
  const path = `${dashboardPath(c, '/reports/view')}?${formatReportQuery(query)}`
  return (
    <>
      <h3>
        <a href={path}>{describeReport(query)}</a>
      </h3>
      {'error' in result ? (
        <p role="alert">{result.error}</p>
      ) : (
        <>
          <Definition report={{ ...report, result }} />
          <ExplainedTable c={c} report={{ ...report, result }} />
          <LeftOutList records={listLeftOut(c, { ...report, result })} />
        </>
      )}
    </>
  )
}
