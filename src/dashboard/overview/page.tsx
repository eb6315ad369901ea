import type { Context } from 'hono'
import { collectionNames } from '../../model/collection-names.ts'
import { parseStoredSchema } from '../../model/schema.ts'
import { summariseCollections } from '../../store/read/figures.ts'
import { Value } from '../records/value.tsx'
import { getJson } from '../session/api.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { BarChart, ColumnChart } from '../ui/chart.tsx'
import { dashboardPath, Page } from '../ui/page.tsx'
import { RowsRead } from '../ui/rows-read.tsx'
import { numberHeadings, Table } from '../ui/table.tsx'
import { toWords } from '../ui/words.ts'
import { countAttendance, listEvents } from './event-figures.ts'
import { EventTable } from './event-table.tsx'
import { Explanation } from './means.tsx'
import { GrantFigures } from './money.tsx'
import { loadMoneyFigures } from './money-figures.ts'
import { formatMonth, lastTwelveMonths } from './months.ts'
import { loadPeopleFigures } from './people-figures.ts'
import { RequestsByKey } from './requests-by-key.tsx'

const maxEvents = 5

/** What an organisation has and what happened in the last twelve months, as for a board paper. */
export async function renderOverviewPage(c: Context<DashboardEnv>) {
  const { store } = c.var
  const now = new Date().toISOString()
  const today = now.slice(0, 10)
  const months = lastTwelveMonths(today)
  const { fields } = parseStoredSchema(await store.schema('members'))
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
  return c.html(
    <Page
      c={c}
      title="Overview"
      actions={
        <button type="button" data-prints hidden>
          Print
        </button>
      }
    >
      <div class="cards figures">
        <FigureCard
          label="Members"
          value={memberCount}
          href={`${recordsPath}/members`}
          explanation="Every member record there is now."
        />
        {people.joinedField && (
          <FigureCard
            label="Joined in twelve months"
            value={sumValues(people.joined)}
            href={`${recordsPath}/members?${new URLSearchParams({ $sort: `-${people.joinedField.id}` })}`}
            explanation={`Members whose “${people.joinedField.label}” is in the last twelve months, this one included.`}
          />
        )}
        <FigureCard
          label="Attendances in twelve months"
          value={sumValues(attendances)}
          href={`${recordsPath}/bookings?attending=true`}
          explanation="Bookings marked as attending, dated in the last twelve months and not after today."
        />
      </div>
      <div class="cards two">
        <section class="card">
          <h2>Members by month of joining</h2>
          {people.joinedField ? (
            <>
              <ColumnChart
                title="Members by month of joining"
                figures={toMonthFigures(people.joined)}
              />
              <Explanation>
                By the date in “{people.joinedField.label}”, and not by when a record came.
              </Explanation>
            </>
          ) : (
            <p>The member schema has no date of joining, so this cannot be told.</p>
          )}
        </section>
        <section class="card">
          <h2>Attendance by month</h2>
          <ColumnChart title="Attendance by month" figures={toMonthFigures(attendances)} />
          <Explanation>Bookings marked as attending, by their date, up to today.</Explanation>
        </section>
        <section class="card">
          <h2>Coming events</h2>
          <EventTable c={c} events={upcoming} label="Coming events" />
          <Explanation>
            Places left: the event’s capacity less bookings marked as attending.
          </Explanation>
        </section>
        <section class="card">
          <h2>Where members live</h2>
          {people.areas.size === 0 ? (
            <p>No member has a postcode that could be looked up.</p>
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
                Members by the local authority of their postcode; the ten with most.
              </Explanation>
            </>
          )}
        </section>
      </div>
      {money?.length !== 0 && (
        <GrantFigures recordsPath={recordsPath} money={money} names={names} />
      )}
      <div class="cards two">
        <section class="card">
          <h2>How complete records are</h2>
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
                Of the {people.sampleSize.toLocaleString('en-GB')} members who came last, how many
                have a value in the field.
              </Explanation>
            </>
          )}
        </section>
        <section class="card">
          <h2>How fresh records are</h2>
          <Table
            label="Records by collection"
            firstHeading="Collection"
            headings={[...numberHeadings('Records'), { text: 'Newest' }, { text: 'Imported' }]}
            rows={summaries.map(({ collection, total, newest, imported }) => ({
              rowHeader: <a href={`${recordsPath}/${collection}`}>{toWords(collection)}</a>,
              cells: [
                total.toLocaleString('en-GB'),
                <Value value={newest} kind="date" />,
                <Value value={imported} kind="date" />,
              ],
            }))}
          />
          <Explanation>
            When the newest record came here, and when the collection was last imported.
          </Explanation>
        </section>
        {usage.length > 0 && <RequestsByKey c={c} usage={usage} />}
      </div>
      <RowsRead c={c} />
    </Page>,
  )
}

type FigureCardProps = { label: string; value: number; href: string; explanation: string }

/** A number that leads to what is behind it; what it means is told on hover, and to screen readers. */
function FigureCard({ label, value, href, explanation }: FigureCardProps) {
  return (
    <a class="card" href={href} title={explanation}>
      <span class="figure">{value.toLocaleString('en-GB')}</span>
      {label}
      <span class="unseen">: {explanation}</span>
    </a>
  )
}

const maxFunds = 250

async function loadFundNames(c: Context<DashboardEnv>): Promise<Map<string, string>> {
  const { funds } = await getJson<{ funds: { fundId: string; name: string }[] }>(
    c,
    `/funds?limit=${maxFunds}`,
  )
  return new Map(funds.map(({ fundId, name }) => [fundId, name || fundId]))
}
