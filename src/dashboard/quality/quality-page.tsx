import { type Context, Hono } from 'hono'
import { formatRecordCount } from '../../model/collection.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { joinNames } from '../../platform/join-names.ts'
import { formatCount } from '../../platform/pluralise.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Gauge } from '../ui/gauge.tsx'
import { Page } from '../ui/page.tsx'
import { DataTable } from '../ui/table.tsx'
import type { Finding } from './check.ts'
import {
  type CheckResult,
  type KnownDetail,
  type KnownPeople,
  loadQuality,
  type Share,
} from './load-quality.ts'

/** The page with the quality of the data: problems with their lists, and the known details of people. */
export const routes = new Hono<DashboardEnv>().get('/', (c) => renderQualityPage(c))

async function renderQualityPage(c: Context<DashboardEnv>) {
  const { people, results } = await loadQuality(c)
  return c.html(
    <Page
      c={c}
      title="Quality of the data"
      lead="Problems to fix, and how much you know about people."
      actions={
        <button type="button" class="button" data-print hidden>
          Print
        </button>
      }
    >
      <Problems results={results} />
      {people.map((known) => (
        <Known people={known} />
      ))}
      {people.length > 0 && (
        <p class="quiet after">
          “Known” means any answer, also “no” to a consent. The people who were added in the last
          year show the development: their share, and how many points it is above or below that of
          all. The shares of earlier days are not stored.
        </p>
      )}
    </Page>,
  )
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

function Known({ people: { name, label, total, details } }: { people: KnownPeople }) {
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
            {
              heading: 'Missing',
              cell: ({ all, missingPath }) => {
                const missing = all.total - all.known
                return missing > 0 && <a href={missingPath}>{formatRecordCount(missing, name)}</a>
              },
            },
            {
              heading: 'Added in the last year',
              isQuiet: true,
              cell: ({ all, recent }) => describeRecent(recent, all),
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

/** "81%, +4 points". */
function describeRecent(recent: Share, all: Share): string {
  if (recent.total === 0) return 'Nobody added'
  const points = toPercent(recent) - toPercent(all)
  if (points === 0) return `${toPercent(recent)}%`
  const sign = points > 0 ? '+' : '−'
  return `${toPercent(recent)}%, ${sign}${formatCount(Math.abs(points), 'point')}`
}
