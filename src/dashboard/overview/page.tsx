import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { collectionNames } from '../../model/collection-names.ts'
import { keptSchema } from '../../model/schema.ts'
import { freshness } from '../../store/figures.ts'
import { askJson } from '../api.ts'
import { may } from '../may.ts'
import { Page, pathIn } from '../page.tsx'
import { Bars, Columns } from '../parts/chart.tsx'
import { RowsRead } from '../parts/rows-read.tsx'
import { Value } from '../records/value.tsx'
import { numbers, Table } from '../table.tsx'
import { inWords } from '../words.ts'
import { attendance, eventsFrom } from './event-figures.ts'
import { EventTable } from './event-table.tsx'
import { Means } from './means.tsx'
import { Money } from './money.tsx'
import { moneyFigures } from './money-figures.ts'
import { lastTwelveMonths, monthName } from './months.ts'
import { peopleFigures } from './people-figures.ts'
import { RequestsByKey } from './requests-by-key.tsx'

const shownEvents = 5

/** What an organisation has and what happened in the last twelve months, as for a board paper. */
export async function overviewPage(c: Context<DashboardEnv>) {
  const { store } = c.var
  const now = new Date().toISOString()
  const today = now.slice(0, 10)
  const months = lastTwelveMonths(today)
  const { fields } = keptSchema(await store.schema('members'))
  const [fresh, people, attended, coming, money, names, usage] = await Promise.all([
    freshness(store, collectionNames),
    peopleFigures(store, fields, months),
    attendance(store, months, today),
    eventsFrom(store, { time: now, limit: shownEvents }),
    moneyFigures(store),
    fundNames(c),
    may(c, 'administer') ? c.var.keys.usage() : [],
  ])
  const records = pathIn(c, '/records')
  const members = fresh.find(({ collection }) => collection === 'members')?.total ?? 0
  const sum = (figures: ReadonlyMap<string, number>) =>
    [...figures.values()].reduce((total, value) => total + value, 0)
  const byMonth = (figures: ReadonlyMap<string, number>) =>
    [...figures].map(([month, value]) => ({ label: monthName(month), value }))
  return c.html(
    <Page
      c={c}
      title="Overview"
      beside={
        <button type="button" data-prints hidden>
          Print
        </button>
      }
    >
      <div class="cards figures">
        <Figure
          label="Members"
          value={members}
          href={`${records}/members`}
          means="Every member record there is now."
        />
        {people.joinedField && (
          <Figure
            label="Joined in twelve months"
            value={sum(people.joined)}
            href={`${records}/members?${new URLSearchParams({ $sort: `-${people.joinedField.id}` })}`}
            means={`Members whose “${people.joinedField.label}” is in the last twelve months, this one included.`}
          />
        )}
        <Figure
          label="Attendances in twelve months"
          value={sum(attended)}
          href={`${records}/bookings?attending=true`}
          means="Bookings marked as attending, dated in the last twelve months and not after today."
        />
      </div>
      <div class="cards two">
        <section class="card">
          <h2>Members by month of joining</h2>
          {people.joinedField ? (
            <>
              <Columns title="Members by month of joining" figures={byMonth(people.joined)} />
              <Means>
                By the date in “{people.joinedField.label}”, and not by when a record came.
              </Means>
            </>
          ) : (
            <p>The member schema has no date of joining, so this cannot be told.</p>
          )}
        </section>
        <section class="card">
          <h2>Attendance by month</h2>
          <Columns title="Attendance by month" figures={byMonth(attended)} />
          <Means>Bookings marked as attending, by their date, up to today.</Means>
        </section>
        <section class="card">
          <h2>Coming events</h2>
          <EventTable c={c} events={coming} label="Coming events" />
          <Means>Places left: the event’s capacity less bookings marked as attending.</Means>
        </section>
        <section class="card">
          <h2>Where members live</h2>
          {people.areas.size === 0 ? (
            <p>No member has a postcode that could be looked up.</p>
          ) : (
            <>
              <Bars
                title="Members by local authority"
                figures={[...people.areas].map(([label, value]) => ({
                  ...{ label, value },
                  href: `${records}/members?${new URLSearchParams({ [people.areaField ?? '']: label })}`,
                }))}
              />
              <Means>Members by the local authority of their postcode; the ten with most.</Means>
            </>
          )}
        </section>
      </div>
      {money?.length !== 0 && <Money records={records} money={money} names={names} />}
      <div class="cards two">
        <section class="card">
          <h2>How complete records are</h2>
          {people.looked === 0 ? (
            <p>There are no members yet.</p>
          ) : (
            <>
              <Bars
                title="Members with a value, by field"
                whole={people.looked}
                unit={(value) => `${Math.round((100 * value) / people.looked)}%`}
                figures={people.complete.map(({ label, filled }) => ({ label, value: filled }))}
              />
              <Means>
                Of the {people.looked.toLocaleString('en-GB')} members who came last, how many have
                a value in the field.
              </Means>
            </>
          )}
        </section>
        <section class="card">
          <h2>How fresh records are</h2>
          <Table
            label="Records by collection"
            lead="Collection"
            headings={[...numbers('Records'), { text: 'Newest' }, { text: 'Imported' }]}
            rows={fresh.map(({ collection, total, newest, imported }) => ({
              lead: <a href={`${records}/${collection}`}>{inWords(collection)}</a>,
              cells: [
                total.toLocaleString('en-GB'),
                <Value value={newest} kind="date" />,
                <Value value={imported} kind="date" />,
              ],
            }))}
          />
          <Means>
            When the newest record came here, and when the collection was last imported.
          </Means>
        </section>
        {usage.length > 0 && <RequestsByKey c={c} usage={usage} />}
      </div>
      <RowsRead c={c} />
    </Page>,
  )
}

type FigureProps = { label: string; value: number; href: string; means: string }

/** A number that leads to what is behind it; what it means is told on hover, and to screen readers. */
function Figure({ label, value, href, means }: FigureProps) {
  return (
    <a class="card" href={href} title={means}>
      <span class="figure">{value.toLocaleString('en-GB')}</span>
      {label}
      <span class="unseen">: {means}</span>
    </a>
  )
}

const mostFunds = 250

async function fundNames(c: Context<DashboardEnv>): Promise<Map<string, string>> {
  const { funds } = await askJson<{ funds: { fundId: string; name: string }[] }>(
    c,
    `/funds?limit=${mostFunds}`,
  )
  return new Map(funds.map(({ fundId, name }) => [fundId, name || fundId]))
}
