import type { Context } from 'hono'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { dashboardPath } from '../ui/paths.ts'
import { personReferenceOf } from './countables.ts'
import { capitalise } from './load-report.ts'
import type { CountedReport } from './report-definition.tsx'
import { formatReportQuery } from './report-query.ts'
import type { Times } from './times.ts'

type Props = { c: Context<DashboardEnv>; report: CountedReport }

/** Renders how often people came; nothing unless the report counts people. */
export function TimesSection({ c, report: { query, result, properties } }: Props) {
  const { times, timesBefore } = result
  if (!times) return null
  const { countable, least } = query
  const title =
    countable.name === 'attendances'
      ? 'How often they came'
      : `${capitalise(countable.plural)} of each person`
  const max =
    Math.max(...times.bands.map(({ result: count }) => (count === 'hidden' ? 0 : count))) || 1
  return (
    <section class="section">
      <h2>
        {title}{' '}
        {times.frequent && <small>{describeFrequent(times.frequent, timesBefore, least)}</small>}
      </h2>
      <ol class="bars" aria-label={title}>
        {times.bands.map(({ label, result: count }) => (
          <li>
            <span>{label}</span>
            <svg class="one" aria-hidden="true">
              <rect
                class="fill"
                width={`${((100 * (count === 'hidden' ? 0 : count)) / max).toFixed(1)}%`}
                height="12"
                rx="2"
              />
            </svg>
            <span class={count === 'hidden' ? 'number hidden-value' : 'number'}>
              {count === 'hidden' ? count : formatNumber(count)}
            </span>
          </li>
        ))}
      </ol>
      {times.frequent && times.frequent.people > 0 && personReferenceOf(countable, properties) && (
        <p class="after">
          <a href={`${dashboardPath(c, '/reports/people')}?${formatReportQuery(query)}`}>
            Show the {formatCount(times.frequent.people, 'person', 'people')}
          </a>
        </p>
      )}
    </section>
  )
}

/** "187 people at least 3 times: 60%, the year before 55%". */
function describeFrequent(
  { people, share }: NonNullable<Times['frequent']>,
  before: Times | undefined,
  least: number,
): string {
  const earlier = before?.frequent ? `, the year before ${formatShare(before.frequent.share)}` : ''
  const times = formatCount(least, 'time')
  return `${formatCount(people, 'person', 'people')} at least ${times}: ${formatShare(share)}${earlier}`
}

const formatShare = (share: number) => `${Math.round(100 * share)}%`
