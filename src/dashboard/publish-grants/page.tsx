import type { Context } from 'hono'
import { formatShortDay } from '../../model/dates.ts'
import { formatMoney, formatNumber } from '../../platform/format-number.ts'
import { formatCount } from '../../platform/pluralise.ts'
import type { Grant } from '../../publishing/grant.ts'
import type { ProblemGrants, Readiness } from '../../publishing/readiness.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Fact } from '../ui/fact.tsx'
import { FieldsForm, type FormPart } from '../ui/fields-form.tsx'
import type { FieldErrors, FieldValues } from '../ui/form-values.ts'
import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath, recordPath } from '../ui/paths.ts'

type Props = {
  c: Context<DashboardEnv>
  path: string
  isOn: boolean
  readiness: Readiness
  parts: readonly FormPart[]
  values: FieldValues
  errors: FieldErrors
  notice: string | undefined
}

/** Renders the problems to solve before publication, the settings, and a grant as the public sees it. */
export function PublishGrantsPage(props: Props) {
  const { c, path, isOn, readiness, parts, values, errors, notice } = props
  const { organisationId = '' } = c.var.membership ?? {}
  const address = `${new URL(c.req.url).origin}/o/${encodeURIComponent(organisationId)}/grants`
  return (
    <Page
      c={c}
      title="Publish grants"
      lead="As open data in the 360Giving standard, so that others can see whom you fund."
      actions={<span class="tag">{isOn ? 'Public' : 'Not public yet'}</span>}
    >
      <Notice message={notice} />
      <Counts readiness={readiness} />
      <div class="split even later">
        <div>
          <Findings c={c} readiness={readiness} />
          <FieldsForm
            action={dashboardPath(c, path)}
            parts={parts}
            values={values}
            errors={errors}
          />
          {isOn && (
            <p class="after">
              Always up to date: <a href={`${address}.json`}>{address}.json</a>, also as{' '}
              <a href={`${address}.csv`}>CSV</a> and <a href={`${address}.xlsx`}>Excel</a>. Give the
              first address to 360Giving.
            </p>
          )}
        </div>
        <aside aria-label="Preview">
          <Preview c={c} path={path} readiness={readiness} />
          <p class="notice private">
            <Icon name="lock" class="icon inline" />
            <span>
              <strong>Never public:</strong> contacts, bank details, assessments, notes, refused
              applications.
            </span>
          </p>
        </aside>
      </div>
    </Page>
  )
}

function Counts({ readiness: { ready, incomplete, leftOut } }: Pick<Props, 'readiness'>) {
  const total = Math.max(1, ready + incomplete + leftOut)
  const percent = (count: number) => `${(100 * count) / total}%`
  const words = `${ready} ready, ${incomplete} need something, ${leftOut} left out`
  return (
    <section aria-label="Readiness" class="places">
      <p class="counts">
        <span class="dot">
          <strong>{formatNumber(ready)}</strong> ready
        </span>
        <span class="dot warn">
          <strong>{formatNumber(incomplete)}</strong> need something
        </span>
        {leftOut > 0 && (
          <span class="dot none">
            <strong>{formatNumber(leftOut)}</strong> to individuals, left out
          </span>
        )}
      </p>
      <svg class="meter" role="img" aria-label={words}>
        <rect class="fill" width={percent(ready)} height="100%" />
        <rect class="fill warn" x={percent(ready)} width={percent(incomplete)} height="100%" />
      </svg>
    </section>
  )
}

function Findings({ c, readiness }: Pick<Props, 'c' | 'readiness'>) {
  const { findings, ready, incomplete } = readiness
  if (findings.length === 0) return null
  return (
    <section class="section">
      <h2>
        What is missing{' '}
        <small>
          {formatNumber(incomplete)} of {formatCount(ready + incomplete, 'grant')}
        </small>
      </h2>
      <ul class="stack mend">
        {findings.map((finding) => (
          <FindingItem c={c} finding={finding} />
        ))}
      </ul>
      <p class="quiet after">
        These grants stay out until they are complete. The others can be published now.
      </p>
    </section>
  )
}

function FindingItem({ c, finding }: { c: Props['c']; finding: ProblemGrants }) {
  const { problem, count, applications } = finding
  const unlisted = count - applications.length
  return (
    <li>
      <div>
        <p>{problem.describe(count)}</p>
        <p class="quiet">{problem.advice}</p>
        <details class="fold">
          <summary>
            Show<span class="visually-hidden"> them: {problem.describe(count)}</span>
          </summary>
          <ul>
            {applications.map(({ id, title }) => (
              <li>
                <a href={recordPath(c, 'grant-applications', id)}>{title}</a>
              </li>
            ))}
          </ul>
          {unlisted > 0 && <p class="quiet">And {formatNumber(unlisted)} more.</p>}
        </details>
      </div>
    </li>
  )
}

function Preview({
  c,
  path,
  readiness: { preview, ready },
}: Pick<Props, 'c' | 'path' | 'readiness'>) {
  if (!preview) return <p>No grant is ready to be published.</p>
  const { index, grant } = preview
  const link = (to: number, name: string, icon: 'prev' | 'next') =>
    to >= 0 &&
    to < ready && (
      <a
        class="button plain square small"
        href={`${dashboardPath(c, path)}?grant=${to + 1}`}
        aria-label={name}
      >
        <Icon name={icon} />
      </a>
    )
  return (
    <>
      <div class="title">
        <h2>As the public sees it</h2>
        <span class="row">
          {link(index - 1, 'Previous grant', 'prev')}
          <span class="quiet">
            {formatNumber(index + 1)} of {formatNumber(ready)}
          </span>
          {link(index + 1, 'Next grant', 'next')}
        </span>
      </div>
      <GrantCard grant={grant} />
    </>
  )
}

function GrantCard({ grant }: { grant: Grant }) {
  const { currency = '' } = grant
  const [recipient] = grant.recipientOrganization ?? []
  const facts: readonly (readonly [label: string, value: string | undefined])[] = [
    ['Amount awarded', formatMoney(grant.amountAwarded ?? 0, currency)],
    ['Awarded', grant.awardDate && formatShortDay(grant.awardDate)],
    [
      'Recipient',
      recipient ? `${recipient.name}, ${recipient.id}` : grant.recipientIndividual?.name,
    ],
    ['Fund', grant.grantProgramme?.[0]?.title],
    ['Place', grant.beneficiaryLocation?.[0]?.name],
    [
      'Paid',
      grant.amountDisbursed === undefined || grant.amountDisbursed === null
        ? undefined
        : formatMoney(grant.amountDisbursed, currency),
    ],
    ['Funder', grant.fundingOrganization?.[0]?.name],
    ['Description', grant.description],
    ['Reference', grant.id],
  ]
  return (
    <article class="card grant" aria-label="Preview of a grant">
      <h3>{grant.title}</h3>
      <dl class="facts">
        {facts.map(([label, value]) => value && <Fact label={label}>{value}</Fact>)}
      </dl>
    </article>
  )
}
