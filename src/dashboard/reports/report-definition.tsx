import { formatNumber } from '../../platform/format-number.ts'
import type { CountedRecords, Report } from './count-report.ts'
import { defineReport, describeDays } from './definition.ts'
import type { LoadedReport } from './load-report.ts'
import type { Result } from './measures.ts'
import type { ReportQuery } from './report-query.ts'

type Counted = Pick<CountedRecords, 'records' | 'people'>

/** A report without an error. */
export type CountedReport = LoadedReport & { result: Report }

/** Renders the result of a report in a sentence, that of the year before, and what the report counts. */
export function Definition({ report }: { report: CountedReport }) {
  const { query, result, filterWords } = report
  const { countedBefore, totalBefore, daysBefore } = result
  const period = daysBefore ? describeDays(daysBefore) : ''
  return (
    <>
      <p class="headline">
        <Total query={query} counted={result.counted} result={result.total} />
      </p>
      {countedBefore && totalBefore && (
        <p class="quiet">
          The year before{period && `, ${period}`}:{' '}
          <Total query={query} counted={countedBefore} result={totalBefore.result} />
        </p>
      )}
      <p class="definition">{defineReport(query, result, filterWords).join(' ')}</p>
    </>
  )
}

type TotalProps = { query: ReportQuery; counted: Counted; result: Result }

/** A total with its numbers in bold, such as "1,480 attendances of 312 different people". */
function Total({ query, counted: { records, people }, result }: TotalProps) {
  const { countable, measure } = query
  if (measure.measured.measure === 'people' && people !== undefined)
    return (
      <>
        <Count count={records} singular={countable.singular} plural={countable.plural} /> of{' '}
        <Count count={people} singular="person" plural="different people" />
      </>
    )
  const words = measure.describe(result)
  const number = measure.format(result)
  const start = words.startsWith(number) ? 0 : words.lastIndexOf(number)
  return (
    <>
      {words.slice(0, start)}
      <strong>{number}</strong>
      {words.slice(start + number.length)}
    </>
  )
}

type CountProps = { count: Result; singular: string; plural: string }

const Count = ({ count, singular, plural }: CountProps) => (
  <>
    <strong>{typeof count === 'number' ? formatNumber(count) : count}</strong>{' '}
    {count === 1 ? singular : plural}
  </>
)
