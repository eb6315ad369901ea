import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import {
  formatDateWithWeekday,
  formatPeriod,
  formatShortDay,
  formatTime,
} from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { describeRepetition } from '../../../model/repetition.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { venueLines } from '../../../model/venue.ts'
import { formatMoney, formatNumber } from '../../../platform/format-number.ts'
import { formatCount, pluralise } from '../../../platform/pluralise.ts'
import { QrCode } from '../../../public/ui/qr-code.tsx'
import type { StoredQuestion } from '../../../sign-up/event-questions.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Fact } from '../../ui/fact.tsx'
import { Gauge } from '../../ui/gauge.tsx'
import {
  collectionPath,
  eventQuestionsPath,
  messagesPath,
  recordPath,
  registerPath,
  seriesPath,
  tickSheetPath,
} from '../../ui/paths.ts'
import { DataTable, type TableColumn } from '../../ui/table.tsx'
import { Value } from '../../ui/value.tsx'
import { followsSeries } from '../form/change-dates.ts'
import { Facts } from './facts.tsx'
import { LatestHistory } from './history.tsx'
import type { Series, SeriesDate } from './load-series.ts'
import { groupRecordFacts } from './record-facts.tsx'
import type { RecordLayout, RecordSection, RecordViewProps } from './record-layout.ts'
import { RecordMenu } from './record-menu.tsx'

/** The page of a series: the place of its dates, which are booked and have the registers. */
export function seriesLayout(series: Series): Omit<RecordLayout, 'reads'> {
  const section = (Content: (props: SeriesProps) => Child): RecordSection => ({
    Content: (props) => Content({ ...props, series }),
  })
  return {
    lead: Lead,
    actions: ({ c, view }) => <Actions c={c} view={view} series={series} />,
    sections: [section(Coming), section(Past), section(Questions), { Content: LatestHistory }],
    Aside: ({ c, view }) => <Aside c={c} view={view} series={series} />,
  }
}

type SeriesProps = RecordViewProps & { series: Series }

/** Such as "Every week on Saturday, 10:30am to 12:30pm". */
export function describeRule(values: ShownValues): string {
  const { start, end } = values
  const rule = String(valueAt(values, ['recurrence', 'rrule']) ?? '')
  const [, times] = formatPeriod(String(start ?? ''), end ? String(end) : undefined)
  return [rule && describeRepetition(rule), start && times].filter(Boolean).join(', ')
}

function Lead({ c, view: { record } }: RecordViewProps) {
  const { tags } = record.values
  return (
    <>
      {describeRule(record.values)}
      <span class="line">
        {Array.isArray(tags) && tags.length > 0 && <Value value={tags} type="list" />}{' '}
        {can(c, 'write') && (
          <a href={`${recordPath(c, 'events', record.id)}/edit#field-tags`}>Edit tags</a>
        )}
      </span>
    </>
  )
}

function Actions({ c, view: { collection, record }, series }: SeriesProps) {
  const [next] = series.coming
  const isToday = next !== undefined && londonDay(next.start) === londonDay(Date.now())
  return (
    <>
      {can(c, 'write') && (
        <>
          <a class="button" href={`${seriesPath(c, record.id)}/add`}>
            Add dates
          </a>
          {series.coming.length > 0 && (
            <>
              <a class="button" href={messagesPath(c, record.id)}>
                Write to people
              </a>
              <a class="button" href={`${seriesPath(c, record.id)}/change`}>
                Change dates
              </a>
            </>
          )}
          <RecordMenu c={c} collection={collection} id={record.id}>
            {series.coming.length > 0 && (
              <li>
                <a href={messagesPath(c, record.id, '/cancel')}>Cancel the series</a>
              </li>
            )}
          </RecordMenu>
        </>
      )}
      {next && can(c, 'take-registers') && (
        <a class="button primary" href={registerPath(c, next.id)}>
          {isToday ? 'Today’s register' : 'Next register'}
        </a>
      )}
    </>
  )
}

const maxComing = 6
const maxPast = 5

function Coming({ c, view, series }: SeriesProps) {
  const { coming } = series
  const columns: TableColumn<SeriesDate>[] = [
    dateColumn(c, view.record.values),
    {
      heading: 'Places taken',
      cell: ({ held, values }) => <PlacesTaken held={held} capacity={capacityOf(values)} />,
    },
    { heading: 'Waiting', isRightAligned: true, cell: ({ waiting }) => formatNumber(waiting) },
  ]
  return (
    <section class="section" id="coming">
      <h2>
        To come <small>{formatCount(coming.length, 'date')}</small>
      </h2>
      {!series.isCounted && (
        <p class="notice">The series has too many bookings to count them here. See Reports.</p>
      )}
      {coming.length === 0 && <p>No dates to come.</p>}
      <Dates label="Dates to come" columns={columns} dates={coming} max={maxComing} more="more" />
      <p class="after">
        <a href={datesPath(c, view.record.id)}>All dates as a list</a>
      </p>
    </section>
  )
}

function Past({ c, view, series }: SeriesProps) {
  const { past, isCut, withoutDate } = series
  const { id } = view.record
  if (past.length === 0 && withoutDate === 0) return null
  const columns: TableColumn<SeriesDate>[] = [
    dateColumn(c, view.record.values),
    {
      heading: 'Came',
      cell: ({ came, absent, notMarked }) => (
        <PlacesTaken held={came} capacity={came + absent + notMarked} />
      ),
    },
    { heading: 'Did not come', isRightAligned: true, cell: ({ absent }) => formatNumber(absent) },
    {
      heading: 'Register',
      cell: ({ id: dateId, came, absent, notMarked }) => {
        if (notMarked > 0)
          return (
            <a
              class="tag warn"
              href={can(c, 'take-registers') ? registerPath(c, dateId) : undefined}
            >
              {formatNumber(notMarked)} to mark
            </a>
          )
        return <span class="quiet">{came + absent > 0 ? 'Complete' : 'Nobody booked'}</span>
      },
    },
  ]
  return (
    <section class="section" id="past">
      <h2>
        Past <small>{describePast(series)}</small>
      </h2>
      <Dates label="Past dates" columns={columns} dates={past} max={maxPast} more="earlier" />
      {past.length > 0 && (
        <p class="after">
          Download all registers as a sheet, people by dates:{' '}
          <a href={tickSheetPath(c, id, 'xlsx')}>Excel</a> or{' '}
          <a href={tickSheetPath(c, id, 'csv')}>CSV</a>
        </p>
      )}
      {isCut && (
        <p class="after">
          <a href={datesPath(c, id)}>Dates further back</a>
        </p>
      )}
      {withoutDate > 0 && (
        <p class="notice warn">
          <span>
            {pluralise(
              withoutDate,
              '1 booking names',
              `${formatNumber(withoutDate)} bookings name`,
            )}{' '}
            no date of the series, so no register has {pluralise(withoutDate, 'it', 'them')}:{' '}
            <a href={`${collectionPath(c, 'bookings')}?${new URLSearchParams({ eventId: id })}`}>
              bookings of the series
            </a>
          </span>
        </p>
      )}
    </section>
  )
}

/** The path of the list of a series' dates, where several can be tagged, downloaded or deleted at once. */
const datesPath = (c: Context<DashboardEnv>, seriesId: string) =>
  `${collectionPath(c, 'events')}?${new URLSearchParams({ parentEventId: seriesId })}`

/** Such as "10 dates: 126 attendances of 31 members, 12.6 on average". */
function describePast({ past, members }: Series): string {
  const came = past.reduce((sum, date) => sum + date.came, 0)
  const dates = formatCount(past.length, 'date')
  if (came === 0) return dates
  const average = formatNumber(Math.round((10 * came) / past.length) / 10)
  const people = members > 0 ? ` of ${formatCount(members, 'member')}` : ''
  return `${dates}: ${formatCount(came, 'attendance')}${people}, ${average} on average`
}

type DatesProps = {
  label: string
  columns: readonly TableColumn<SeriesDate>[]
  dates: readonly SeriesDate[]
  max: number
  /** What the dates are that a fold hides. */
  more: 'more' | 'earlier'
}

/** Renders the first dates in a table, and the others in a fold. */
function Dates({ label, columns, dates, max, more }: DatesProps) {
  const others = dates.slice(max)
  return (
    <>
      {dates.length > 0 && (
        <DataTable label={label} class="dates" columns={columns} rows={dates.slice(0, max)} />
      )}
      {others.length > 0 && (
        <details class="fold">
          <summary>{formatCount(others.length, `${more} date`)}</summary>
          <DataTable label={`${label}, ${more}`} class="dates" columns={columns} rows={others} />
        </details>
      )}
    </>
  )
}

/** The column with the day of each date, which leads to its page, and what differs from the series. */
const dateColumn = (c: Context<DashboardEnv>, series: ShownValues): TableColumn<SeriesDate> => ({
  heading: 'Date',
  cell: (date) => {
    const differences = describeDifferences(date, series)
    return (
      <>
        <a
          href={
            can(c, 'take-registers') ? registerPath(c, date.id) : recordPath(c, 'events', date.id)
          }
        >
          {date.start ? formatDateWithWeekday(londonDay(date.start)) : date.id}
        </a>
        {differences.length > 0 && <small>{differences.join(', ')}</small>}
      </>
    )
  },
})

/** What a date has for itself, such as "2pm" or "20 places". */
function describeDifferences({ values, start, hasQuestions }: SeriesDate, series: ShownValues) {
  const differs = (name: string) => !followsSeries(values, series, name)
  const capacity = capacityOf(values)
  const name = valueAt(values, ['name'])
  return [
    differs('name') && String(name),
    differs('start') && formatTime(start),
    differs('venue.name') && String(valueAt(values, ['venue', 'name']) || 'another venue'),
    differs('bookingDetails.capacityTotal') &&
      capacity !== undefined &&
      formatCount(capacity, 'place'),
    differs('bookingDetails.price') && describePrice(values),
    differs('tags') && 'other tags',
    differs('bookable') && 'others may book',
    hasQuestions && 'other questions',
    valueAt(values, ['concluded']) ? 'completed' : '',
    valueAt(values, ['bookingDetails', 'closed']) === true && 'bookings closed',
  ].filter((difference) => typeof difference === 'string' && difference !== '')
}

const capacityOf = (values: ShownValues): number | undefined => {
  const capacity = valueAt(values, ['bookingDetails', 'capacityTotal'])
  return typeof capacity === 'number' ? capacity : undefined
}

export function describePrice(values: ShownValues): string {
  const price = valueAt(values, ['bookingDetails', 'price'])
  if (valueAt(values, ['bookingDetails', 'free']) === true || price === 0) return 'free'
  return typeof price === 'number' ? formatMoney(price, 'GBP') : ''
}

type PlacesTakenProps = { held: number; capacity: number | undefined }

const PlacesTaken = ({ held, capacity }: PlacesTakenProps) =>
  capacity === undefined ? (
    <span>{formatNumber(held)}</span>
  ) : (
    <Gauge share={capacity === 0 ? 0 : held / capacity}>
      {formatNumber(held)} of {formatNumber(capacity)}
    </Gauge>
  )

function Questions({ c, view, series }: SeriesProps) {
  const { questions } = series
  const isEditor = can(c, 'write')
  if (questions.length === 0 && !isEditor) return null
  return (
    <section class="section" id="questions">
      <div class="title">
        <h2>
          Questions <small>for each person, on every date</small>
        </h2>
        {isEditor && <a href={eventQuestionsPath(c, view.record.id)}>Edit questions</a>}
      </div>
      {questions.length === 0 && <p>No questions besides the sign-up form.</p>}
      <ol class="stack">
        {questions.map((question) => (
          <li>
            <p>{question.label}</p>
            <p class="quiet">{describeQuestion(question)}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function describeQuestion({ required, deleteAfter, deleteDaysAfter = 0 }: StoredQuestion): string {
  const end = deleteAfter
    ? `after ${formatShortDay(deleteAfter)}`
    : `${formatCount(deleteDaysAfter, 'day')} after each date`
  return `${required ? 'Required' : 'Not required'} · answers are deleted ${end}`
}

function Aside({ c, view, series }: SeriesProps) {
  const { collection, record, findTitle } = view
  const { values, id } = record
  const venue = venueLines(values.venue)
  const capacity = capacityOf(values)
  const price = describePrice(values)
  const { texts, aside } = groupRecordFacts(collection, values)
  const others = aside.flatMap(([, properties]) => properties)
  return (
    <aside aria-label="Details">
      {series.publicPath !== undefined && (
        <PublicLink
          c={c}
          id={id}
          path={series.publicPath}
          note={
            series.booksAllDates
              ? 'Visitors choose a date, or sign up for all dates at once.'
              : 'Visitors choose a date. The series itself cannot be booked.'
          }
        />
      )}
      <section>
        <div class="title">
          <h2>For every date</h2>
          {can(c, 'write') && <a href={`${recordPath(c, 'events', id)}/edit`}>Edit</a>}
        </div>
        <dl class="facts">
          {venue.length > 0 && (
            <Fact label="Where">
              <span class="lines">{venue.join('\n')}</span>
            </Fact>
          )}
          <Fact label="Places">
            {capacity === undefined ? 'No limit' : `${formatNumber(capacity)}, then a waiting list`}
          </Fact>
          {price !== '' && <Fact label="Price">{price}</Fact>}
        </dl>
        <Facts
          c={c}
          collection={collection}
          values={values}
          properties={texts}
          findTitle={findTitle}
        />
        <details class="fold">
          <summary>Other details</summary>
          <Facts
            c={c}
            collection={collection}
            values={values}
            properties={others}
            findTitle={findTitle}
          />
        </details>
      </section>
    </aside>
  )
}

/** The address of a public page. */
export const publicAddress = (c: Context<DashboardEnv>, path: string) =>
  `${new URL(c.req.url).origin}${path}`

type PublicLinkProps = { c: Context<DashboardEnv>; id: string; path: string; note: string }

function PublicLink({ c, id, path, note }: PublicLinkProps) {
  const address = publicAddress(c, path)
  return (
    <section>
      <h2 class="title">Public page</h2>
      <QrCode text={address} label="QR code of the public page" />
      <p>
        <a href={path} id="public-link">
          {address}
        </a>
      </p>
      <p class="row">
        <button type="button" class="button small" data-copy="public-link" hidden>
          Copy link
        </button>
        <a class="button small" href={`${seriesPath(c, id)}/poster`}>
          Poster
        </a>
      </p>
      <p class="quiet">{note}</p>
    </section>
  )
}
