import type { Context } from 'hono'
import { plainMeasure } from '../../model/summary/parse-summary.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import { countOf } from '../../store/summary/measure-groups.ts'
import type { ListFilter } from '../filters/filter.ts'
import { formatFilters } from '../filters/filters.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath, dashboardPath } from '../ui/paths.ts'
import { countOrExplain } from './load-report.ts'
import type { Result } from './measures.ts'
import { narrowFilters } from './narrow-filters.ts'
import { findRecords, listConditions } from './period-records.ts'
import type { CountedReport } from './report-definition.tsx'
import { readReportSummary } from './report-groups.ts'
import { formatReportQuery } from './report-query.ts'

/** Records that a report leaves out, with the list that shows them. */
export type LeftOutRecords = { words: string; link: string; href: string | undefined }

/** Lists what a report leaves out of its numbers, each with its records. */
export function listLeftOut(c: Context<DashboardEnv>, report: CountedReport): LeftOutRecords[] {
  const { query, result } = report
  const { records, people, withoutPerson, withoutValue, notMarked } = result.counted
  const { countable, measure } = query
  const totals =
    measure.measured.measure === 'people' &&
    typeof records === 'number' &&
    typeof people === 'number'
      ? `: in the ${formatNumber(records)}, not in the ${formatNumber(people)}`
      : ''
  return [
    ...(notMarked
      ? [
          {
            words: `${countWords(notMarked, 'booking', 'bookings')} that nobody has marked`,
            link: 'Mark them',
            href: `${dashboardPath(c, '/reports/not-marked')}?${formatReportQuery(query)}`,
          },
        ]
      : []),
    ...(withoutPerson
      ? [
          {
            words: `${countWords(withoutPerson.result, countable.singular, countable.plural)} without a person${totals}`,
            link: 'Choose the people',
            href: pathOf(c, report, withoutPerson.filters),
          },
        ]
      : []),
    ...(withoutValue
      ? [
          {
            words: `${countWords(withoutValue.result, countable.singular, countable.plural)} without a value in “${measure.choice}”`,
            link: 'Show',
            href: pathOf(c, report, withoutValue.filters),
          },
        ]
      : []),
  ]
}

/** Counts what attendances leave out besides, such as the bookings of people who did not come; nothing if that reads too much. */
export async function loadLeftOut(
  c: Context<DashboardEnv>,
  report: CountedReport,
): Promise<LeftOutRecords[]> {
  const { query, result, today } = report
  const budget = openBudget(c.var.store, '')
  const found: LeftOutRecords[] = []
  for (const { words, filters } of query.leftOut) {
    const all = narrowFilters([...listConditions(query, result.days), ...filters], today)
    if (!all) continue
    const summary = await countOrExplain(() =>
      readReportSummary(
        c.var.store,
        query,
        { by: [], measures: [plainMeasure('count')] },
        { filters: all, today, condition: undefined, budget },
      ),
    )
    const count = 'error' in summary ? 0 : countOf(summary.total)
    const shown = count < (query.hideBelow ?? 0) ? 'hidden' : count
    if (count > 0)
      found.push({
        words: `${countWords(shown, 'booking', 'bookings')} ${words}`,
        link: 'Show',
        href: pathOf(c, report, findRecords(query, all, today)),
      })
  }
  return found
}

const pathOf = (
  c: Context<DashboardEnv>,
  { query }: CountedReport,
  filters: readonly ListFilter[] | undefined,
) => filters && `${collectionPath(c, query.countable.collection)}?${formatFilters(filters)}`

const countWords = (count: Result, singular: string, plural: string) =>
  typeof count === 'number' ? formatCount(count, singular, plural) : `Some ${plural}`

/** Renders records that a report leaves out. */
export const LeftOutList = ({ records }: { records: readonly LeftOutRecords[] }) => (
  <ul class="stack left-out">
    {records.map(({ words, link, href }) => (
      <li>
        <span>{words}</span>
        {href && (
          <a href={href}>
            {link}
            <span class="visually-hidden">: {words}</span>
          </a>
        )}
      </li>
    ))}
  </ul>
)
