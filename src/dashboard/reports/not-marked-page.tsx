import type { Context } from 'hono'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { DataTable } from '../ui/table.tsx'
import { openReportBudget } from './count-report.ts'
import { countOrExplain, loadReportQuery } from './load-report.ts'
import { reportDays } from './period-days.ts'
import { selectRecords } from './period-records.ts'
import { listRegisters, nameRegisters, ofRegisters, type Register } from './registers.ts'
import { readReportSummary } from './report-groups.ts'
import { readReportParams } from './report-page.tsx'
import { RowsPage, takeShownRows } from './rows-page.tsx'

/** Renders the registers with the bookings that a report on attendances leaves out because nobody marked them; without a report, with all such bookings. */
export async function renderNotMarkedPage(c: Context<DashboardEnv>) {
  const params = readReportParams(c)
  params.set('$count', 'attendances')
  const report = await loadReportQuery(c, params)
  const { query, today } = report
  const registers = await countOrExplain(async (): Promise<Register[]> => {
    const { store } = c.var
    const days = reportDays(query.period, today, query.isCompared)
    const budget = openReportBudget(store)
    const { notMarked } = await selectRecords(store, query, { today, days, budget })
    if (!notMarked) return []
    return listRegisters(await readReportSummary(store, query, ofRegisters, notMarked))
  })
  const named = await nameRegisters(c, takeShownRows(c, registers))
  return c.html(
    <RowsPage c={c} title="Bookings that nobody has marked" report={report} rows={registers}>
      {!('error' in registers) && <Registers registers={registers} named={named} />}
    </RowsPage>,
  )
}

type NamedRegister = Awaited<ReturnType<typeof nameRegisters>>[number]

type Props = { registers: readonly Register[]; named: readonly NamedRegister[] }

function Registers({ registers, named }: Props) {
  if (registers.length === 0)
    return <p>Somebody has marked every booking on the register of an event.</p>
  const total = registers.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <p class="quiet">
        {formatCount(total, 'booking')} on {formatCount(registers.length, 'register')}
      </p>
      <DataTable
        label="Registers with bookings that nobody has marked"
        columns={[
          {
            heading: 'Register',
            cell: ({ label, href }: NamedRegister) => (href ? <a href={href}>{label}</a> : label),
          },
          {
            heading: 'Not marked',
            isRightAligned: true,
            cell: ({ count }) => formatNumber(count),
          },
        ]}
        rows={named}
      />
    </>
  )
}
