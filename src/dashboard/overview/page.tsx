import type { Context } from 'hono'
import type { Usage } from '../../admin/usage.ts'
import { collectionNames } from '../../model/collection.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { parseStoredSchema } from '../../model/properties/schema.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { summariseCollections } from '../../store/read/figures.ts'
import { readSchema } from '../../store/read/single.ts'
import { countAttendance, EventTable, listEvents } from '../events/page.tsx'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { BarChart, ColumnChart, Explanation } from '../ui/chart.tsx'
import { Page, RowsRead } from '../ui/page.tsx'
import { dashboardPath, keysPath } from '../ui/paths.ts'
import { numberHeadings, Table } from '../ui/table.tsx'
import { Value } from '../ui/value.tsx'
import { GrantFigures, loadFundNames, loadMoneyFigures } from './grants.tsx'
import { formatMonth, lastTwelveMonths, loadPeopleFigures } from './people-figures.ts'

const maxEvents = 5

/** Renders the overview in the form of a board paper: totals and the last twelve months. */
export async function renderOverviewPage(c: Context<DashboardEnv>) {
  const { store } = c.var
  const now = new Date().toISOString()
  const today = now.slice(0, 10)
  const months = lastTwelveMonths(today)
  const { fields } = parseStoredSchema(await readSchema(store, 'members'))
  const [summaries, people, attendances, upcoming, money, names, usage] = await Promise.all([
    summariseCollections(store, collectionNames),
    loadPeopleFigures(store, fields, months),
    countAttendance(store, months, today),
    listEvents(store, { time: now, limit: maxEvents }),
    loadMoneyFigures(store),
    loadFundNames(c),
    can(c, 'administer') ? c.var.keys.usage() : [],
  ])
  const recordsPath = dashboardPath(c, '/records')
  const memberCount = summaries.find(({ collection }) => collection === 'members')?.total ?? 0
  const sumValues = (figures: ReadonlyMap<string, number>) =>
    [...figures.values()].reduce((total, value) => total + value, 0)
  const toMonthFigures = (figures: ReadonlyMap<string, number>) =>
    [...figures].map(([month, value]) => ({ label: formatMonth(month), value }))
  const tooMany = <p>There are too many to count on this page.</p>
  return c.html(
    <Page
      c={c}
      title="Reports"
      actions={
        <button type="button" data-print hidden>
          Print
        </button>
      }
    >
      <div class="cards figures">
        <FigureCard
          label="Members"
          value={memberCount}
          href={`${recordsPath}/members`}
          explanation="All current members."
        />
        {people.joinedField && people.joined && (
          <FigureCard
            label="Joined in twelve months"
            value={sumValues(people.joined)}
            href={`${recordsPath}/members?${new URLSearchParams({ $sort: `-${people.joinedField.id}` })}`}
            explanation={`Members with a “${people.joinedField.label}” date in the last twelve months, including this month.`}
          />
        )}
        {attendances && (
          <FigureCard
            label="Attendances in twelve months"
            value={sumValues(attendances)}
            href={`${recordsPath}/bookings?attending=true`}
            explanation="Bookings marked as attending, dated in the last twelve months up to today."
          />
        )}
      </div>
      <div class="cards wide-cards">
        <section class="card">
          <h2>Members by month of joining</h2>
          {people.joined === undefined ? (
            tooMany
          ) : people.joinedField ? (
            <>
              <ColumnChart
                title="Members by month of joining"
                figures={toMonthFigures(people.joined)}
              />
              <Explanation>Based on each member’s “{people.joinedField.label}” date.</Explanation>
            </>
          ) : (
            <p>The member schema has no field for the date of joining.</p>
          )}
        </section>
        <section class="card">
          <h2>Attendance by month</h2>
          {attendances ? (
            <>
              <ColumnChart title="Attendance by month" figures={toMonthFigures(attendances)} />
              <Explanation>Bookings marked as attending, by their date, up to today.</Explanation>
            </>
          ) : (
            tooMany
          )}
        </section>
        <section class="card">
          <h2>Upcoming events</h2>
          <EventTable c={c} events={upcoming} label="Upcoming events" />
          <Explanation>
            Places left: the event’s capacity less bookings marked as attending.
          </Explanation>
        </section>
        <section class="card">
          <h2>Where members live</h2>
          {people.areas === undefined ? (
            tooMany
          ) : people.areas.size === 0 ? (
            <p>No member has a known postcode.</p>
          ) : (
            <>
              <BarChart
                title="Members by local authority"
                figures={[...people.areas].map(([label, value]) => ({
                  ...{ label, value },
                  href: `${recordsPath}/members?${new URLSearchParams({ [people.areaField ?? '']: label })}`,
                }))}
              />
              <Explanation>
                Members by the local authority of their postcode: the ten largest.
              </Explanation>
            </>
          )}
        </section>
      </div>
      {money?.length !== 0 && (
        <GrantFigures recordsPath={recordsPath} money={money} names={names} />
      )}
      <div class="cards wide-cards">
        <section class="card">
          <h2>Completeness of records</h2>
          {people.sampleSize === 0 ? (
            <p>There are no members yet.</p>
          ) : (
            <>
              <BarChart
                title="Members with a value, by field"
                maxValue={people.sampleSize}
                formatValue={(value) => `${Math.round((100 * value) / people.sampleSize)}%`}
                figures={people.completeness.map(({ label, filled }) => ({ label, value: filled }))}
              />
              <Explanation>
                The share of the {formatNumber(people.sampleSize)} newest members with a value in
                the field.
              </Explanation>
            </>
          )}
        </section>
        <section class="card">
          <h2>Freshness of records</h2>
          <Table
            label="Records by collection"
            firstHeading="Collection"
            headings={[...numberHeadings('Records'), { text: 'Newest' }, { text: 'Imported' }]}
            rows={summaries.map(({ collection, total, newest, imported }) => ({
              rowHeader: <a href={`${recordsPath}/${collection}`}>{toLabel(collection)}</a>,
              cells: [
                formatNumber(total),
                <Value value={newest} type="date" />,
                <Value value={imported} type="date" />,
              ],
            }))}
          />
          <Explanation>The dates of the newest record and of the last import.</Explanation>
        </section>
        {usage.length > 0 && <RequestsByKey c={c} usage={usage} />}
      </div>
      <RowsRead c={c} />
    </Page>,
  )
}

type FigureCardProps = { label: string; value: number; href: string; explanation: string }

/** Renders a figure that links to its records, with an explanation on hover and for screen readers. */
function FigureCard({ label, value, href, explanation }: FigureCardProps) {
  return (
    <a class="card" href={href} title={explanation}>
      <span class="figure">{formatNumber(value)}</span>
      {label}
      <span class="visually-hidden">: {explanation}</span>
    </a>
  )
}

type RequestsByKeyProps = { c: Context<DashboardEnv>; usage: readonly Usage[] }

/** Renders a chart of each key's requests in the last 30 days. */
function RequestsByKey({ c, usage }: RequestsByKeyProps) {
  const href = keysPath(c)
  const byKey = Map.groupBy(usage, ({ keyId }) => keyId)
  const figures = [...byKey.values()].map((keyUsage) => ({
    label: keyUsage[0]?.key ?? 'A deleted key',
    value: keyUsage.reduce((sum, { requests }) => sum + requests, 0),
    href,
  }))
  return (
    <section class="card">
      <h2>Requests by key</h2>
      <BarChart title="Requests by key" figures={figures} />
      <Explanation>
        Requests in the last 30 days. Settings, API keys lists them by collection.
      </Explanation>
    </section>
  )
}
