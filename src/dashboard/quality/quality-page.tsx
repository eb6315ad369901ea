import type { Context } from 'hono'
import { Hono } from '../../http/hono.ts'
import { formatRecordCount } from '../../model/collection.ts'
import { formatMonth, formatShortMoment } from '../../model/dates.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { joinNames } from '../../platform/join-names.ts'
import { formatCount } from '../../platform/pluralise.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { PrintButton } from '../ui/button.tsx'
import { Gauge } from '../ui/gauge.tsx'
import { Menu } from '../ui/menu.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import type { Finding } from './check.ts'
import { downloadProblems } from './download.ts'
import { GapsSection } from './gaps-section.tsx'
import {
  type CheckResult,
  type KnownDetail,
  type KnownPeople,
  loadQuality,
  type QuarterShare,
  type Share,
} from './load-quality.ts'

/** The page with the quality of the data: problems with their lists, and the known details of people. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => renderQualityPage(c))
  .get('/csv', (c) => downloadProblems(c, 'csv'))
  .get('/xlsx', (c) => downloadProblems(c, 'xlsx'))

async function renderQualityPage(c: Context<DashboardEnv>) {
  const { people, results, since } = await loadQuality(c)
  return c.html(
    <Page
      c={c}
      title="Quality of the data"
      lead={`${listSizes(people)}Checked ${formatShortMoment(new Date().toISOString())}.`}
      actions={
        <>
          <PrintButton />
          <Menu label="Download">
            <li>
              <a href={dashboardPath(c, '/reports/quality/xlsx')} download>
                Records to fix as Excel
              </a>
            </li>
            <li>
              <a href={dashboardPath(c, '/reports/quality/csv')} download>
                Records to fix as CSV
              </a>
            </li>
          </Menu>
        </>
      }
    >
      <Problems results={results} />
      {people.map((known) => (
        <Known people={known} since={since} />
      ))}
      {people.length > 0 && (
        <p class="quiet after">
          “Known” means any answer, also “no” to a consent. The line shows the people by the quarter
          in which they were added here: how many of them have the detail today. Its number compares
          the last of these quarters with the first. Quarters with fewer than 5 new people are left
          out. The shares of a month are stored for five years when somebody who may edit opens this
          page; of the last twelve months, today’s are compared with the earliest that is stored.
        </p>
      )}
      <GapsSection people={people} />
    </Page>,
  )
}

/** "1,284 members, 12 volunteers. ", without the kinds that are too many to count. */
function listSizes(people: readonly KnownPeople[]): string {
  const sizes = people.flatMap(({ name, total }) =>
    total === undefined ? [] : formatRecordCount(total, name),
  )
  return sizes.length > 0 ? `${sizes.join(', ')}. ` : ''
}

function Problems({ results }: { results: readonly CheckResult[] }) {
  const found = results.filter(({ findings }) => findings.length > 0)
  const passed = results.filter(({ findings }) => findings.length === 0)
  return (
    <section class="section">
      <h2>
        To fix <small>{formatCount(found.length, 'problem')}</small>
      </h2>
      {found.length === 0 ? (
        <p>The checks found nothing.</p>
      ) : (
        <ul class="stack mend">
          {found.map((result) => (
            <Problem result={result} />
          ))}
        </ul>
      )}
      {passed.length > 0 && (
        <details class="fold">
          <summary>{formatCount(passed.length, 'check')} found nothing</summary>
          <p class="quiet">{passed.map(({ title }) => title).join('. ')}.</p>
        </details>
      )}
    </section>
  )
}

function Problem({ result }: { result: CheckResult }) {
  const { title, describe, explanation, changesReports, findings } = result
  const count = findings.reduce((total, finding) => total + (finding.count ?? 0), 0)
  const uncounted = findings.filter((finding) => finding.count === undefined)
  return (
    <li>
      <div>
        <p>
          <strong>{count > 0 ? describe(count) : title}</strong>{' '}
          {changesReports && <span class="tag warn">Changes reports</span>}
        </p>
        <p class="quiet">{explanation}</p>
        {uncounted.length > 0 && (
          <p class="quiet">
            Not counted, because there are too many values:{' '}
            {joinNames(uncounted.map(({ label }) => label))}.
          </p>
        )}
        {findings.map(({ note }) => note && <p class="quiet">{note}</p>)}
      </div>
      <div class="row">
        {findings.map((finding) => (
          <FindingLink finding={finding} title={title} />
        ))}
      </div>
    </li>
  )
}

/** A button that opens the page of a finding; only its number if the user has none to open. */
function FindingLink({ finding, title }: { finding: Finding; title: string }) {
  const { label, count, href } = finding
  if (count === undefined) return null
  const text = `${label} (${formatNumber(count)})`
  if (href === undefined) return <span>{text}</span>
  return (
    <a class="button" href={href}>
      {text}
      <span class="visually-hidden">: {title}</span>
    </a>
  )
}

type KnownProps = { people: KnownPeople; since: string | undefined }

function Known({ people: { name, label, total, details }, since }: KnownProps) {
  const noun = label.toLowerCase()
  return (
    <section class="section">
      <h2>
        What we know{' '}
        <small>{total === undefined ? noun : `share of ${formatNumber(total)} ${noun}`}</small>
      </h2>
      {details === undefined ? (
        <p>There are too many {noun} to count what is known about them.</p>
      ) : (
        <DataTable
          label={`Share of ${noun} with each detail`}
          columns={[
            { heading: 'Detail', cell: (detail: KnownDetail) => detail.label },
            { heading: 'Known', cell: ({ all }) => <ShareGauge share={all} /> },
            ...(since
              ? [
                  {
                    heading: `Since ${formatMonth(since)}`,
                    isQuiet: true,
                    isWideOnly: true,
                    cell: ({ all, before }: KnownDetail) =>
                      before && describeChange(toPercent(all) - toPercent(before)),
                  },
                ]
              : []),
            {
              heading: 'Added in the last two years',
              isQuiet: true,
              isWideOnly: true,
              cell: ({ quarters }) => <Development quarters={quarters} />,
            },
            {
              heading: 'Missing',
              isRightAligned: true,
              cell: ({ all, missingPath }) => {
                const missing = all.total - all.known
                return missing > 0 && <a href={missingPath}>{formatRecordCount(missing, name)}</a>
              },
            },
          ]}
          rows={details}
        />
      )}
    </section>
  )
}

/** The share in whole per cent: only all of them are 100 %, and only nobody is 0 %. */
function toPercent({ known, total }: Share): number {
  const percent = Math.round((100 * known) / total)
  if (percent === 100 && known < total) return 99
  return percent === 0 && known > 0 ? 1 : percent
}

function ShareGauge({ share }: { share: Share }) {
  const percent = toPercent(share)
  return <Gauge share={percent / 100}>{percent}%</Gauge>
}

/** The size of the line, and the space around it. */
const [sparkWidth, sparkHeight, margin] = [72, 24, 2]

/** The shares of quarters as a line, and how the last differs from the first. */
function Development({ quarters }: { quarters: readonly QuarterShare[] }) {
  const [first, last] = [quarters[0], quarters.at(-1)]
  if (!first || !last) return <>Few people added</>
  const words = quarters.map((share) => `${share.quarter}: ${toPercent(share)}%`).join(', ')
  if (first === last) return <>{words}</>
  const points = quarters.map((share, index) => {
    const x = margin + (index * (sparkWidth - 2 * margin)) / (quarters.length - 1)
    const y = margin + ((100 - toPercent(share)) * (sparkHeight - 2 * margin)) / 100
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <span class="row">
      <svg class="spark" viewBox={`0 0 ${sparkWidth} ${sparkHeight}`} role="img">
        <title>{words}</title>
        <polyline points={points.join(' ')} />
      </svg>
      <span>{describeChange(toPercent(last) - toPercent(first))}</span>
    </span>
  )
}

function describeChange(points: number): string {
  if (points === 0) return 'The same'
  return `${points > 0 ? '+' : '−'}${formatCount(Math.abs(points), 'point')}`
}
