import type { Context } from 'hono'
import { londonDay } from '../../model/timestamp.ts'
import { listSavedViews, reportPage, type SavedView } from '../../store/settings/saved-views.ts'
import { type DescribeCollection, describeOnce } from '../collection/collection-info.ts'
import { loadFilterProperties } from '../filters/filter-properties.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { addDays, type Ends, valueKinds } from '../ui/value-kinds.ts'
import { type AnnualProperties, annualQuestions } from './annual-questions.ts'
import { countTogether, type LoadedReport, loadReportQuery } from './load-report.ts'
import { fromTo } from './report-query.ts'
import { maxRows } from './report-table.tsx'

export type AnnualAnswer = { title: string; reports: readonly LoadedReport[] }

/** The twelve months of a return. `error` says why those of the address are not shown. */
export type ReturnedYear = Required<Ends> & { error?: string }

/** The year from the first day in the address; by default the last finished one from April to March. */
export function readYear(c: Context<DashboardEnv>): ReturnedYear {
  const text = c.req.query('from')?.trim() ?? ''
  const from = valueKinds.date.range?.parse(text)
  if (from && from < '9999') return yearFrom(from)
  const [year = 0, month = 0] = londonDay(Date.now()).split('-').map(Number)
  const last = yearFrom(`${month < 4 ? year - 2 : year - 1}-04-01`)
  return text === ''
    ? last
    : { ...last, error: `“${text.slice(0, 64)}” is not ${valueKinds.date.isA}.` }
}

/** The twelve months from a day. */
function yearFrom(from: string): ReturnedYear {
  const [year = 0, month = 0, day = 0] = from.split('-').map(Number)
  const next = new Date(Date.UTC(year + 1, month - 1, day))
  return { from, to: addDays(next.toISOString().slice(0, 10), -1) }
}

/** Loads the reports that answer the questions about a year. Those on the same records are read together. */
export async function loadAnnualReturn(
  c: Context<DashboardEnv>,
  { from, to }: ReturnedYear,
): Promise<AnnualAnswer[]> {
  const describe = describeOnce(c)
  const properties = await loadProperties(c, describe)
  const period = { $period: fromTo, $from: from, $to: to }
  const usual = annualQuestions.flatMap(({ title, reports }) =>
    reports(properties).map((report) => ({
      title,
      params: new URLSearchParams(report.$date ? { ...report, ...period } : report),
    })),
  )
  const views = await listSavedViews(c.var.store, reportPage)
  const asked = [...usual, ...listAdded(views, period)]
  const loaded = await Promise.all(
    asked.map(async ({ title, params }) => ({
      title,
      report: await loadReportQuery(c, params, describe),
    })),
  )
  const bySelection = Map.groupBy(loaded, ({ report: { query } }) =>
    JSON.stringify([query.countable.name, query.date?.name, query.period]),
  )
  const counted: LoadedReport[] = []
  // One after another, because each may read many rows.
  for (const same of bySelection.values()) {
    const [first, ...others] = same.map(({ report }) => report)
    if (first) counted.push(...(await countTogether(c, [first, ...others], maxRows)))
  }
  return [...Map.groupBy(loaded, ({ title }) => title)].map(([title, ofQuestion]) => ({
    title,
    reports: ofQuestion.flatMap(
      ({ report }) => counted.find(({ query }) => query === report.query) ?? [],
    ),
  }))
}

/** The saved reports that people added to the return, in its year. */
const listAdded = (views: readonly SavedView[], period: Readonly<Record<string, string>>) =>
  views.flatMap(({ name, query }) => {
    const params = new URLSearchParams(query)
    if (params.get('$annual') !== 'true') return []
    for (const [parameter, value] of Object.entries(period)) params.set(parameter, value)
    return [{ title: name, params }]
  })

async function loadProperties(
  c: Context<DashboardEnv>,
  describe: DescribeCollection,
): Promise<AnnualProperties> {
  const load = async (name: keyof AnnualProperties) =>
    loadFilterProperties(c, await describe(name), () => true, describe)
  const [bookings, members, volunteers] = await Promise.all([
    load('bookings'),
    load('members'),
    load('volunteers'),
  ])
  return { bookings, members, volunteers }
}
