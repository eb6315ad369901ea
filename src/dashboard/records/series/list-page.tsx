import type { Context } from 'hono'
import { formatShortDay } from '../../../model/dates.ts'
import { valueAt } from '../../../model/json.ts'
import { describeRepetition } from '../../../model/repetition.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { listSeries, maxSeriesListed } from '../../../store/sign-up/series.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Page } from '../../ui/page.tsx'
import { newRecordPath, recordPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'

/** Renders the series of an organisation by name, each with its number of dates. Lists of events have the dates alone. */
export async function renderSeriesList(c: Context<DashboardEnv>) {
  const stored = await listSeries(c.var.store)
  const series = stored
    .map(({ document, dates }): { values: ShownValues; dates: number } => ({
      values: JSON.parse(document),
      dates,
    }))
    .toSorted((one, other) => nameOf(one.values).localeCompare(nameOf(other.values), 'en-GB'))
  return c.html(
    <Page
      c={c}
      title="Series"
      actions={
        can(c, 'write') && (
          <a class="button primary" href={newRecordPath(c, 'events')}>
            New event
          </a>
        )
      }
    >
      {series.length === maxSeriesListed && (
        <p class="notice">These are {formatNumber(maxSeriesListed)} of the series.</p>
      )}
      {series.length === 0 ? (
        <p>No event repeats. A new event can have several dates.</p>
      ) : (
        <DataTable
          label="Series"
          columns={[
            {
              heading: 'Name',
              cell: ({ values }) => (
                <a href={recordPath(c, 'events', String(values.eventId))}>{nameOf(values)}</a>
              ),
            },
            { heading: 'Repeats', cell: ({ values }) => describeRule(values) },
            {
              heading: 'First date',
              cell: ({ values: { start } }) =>
                typeof start === 'string' ? formatShortDay(londonDay(start)) : '',
            },
            {
              heading: 'Dates',
              isRightAligned: true,
              cell: ({ dates }) => formatNumber(dates),
            },
          ]}
          rows={series}
        />
      )}
    </Page>,
  )
}

const nameOf = ({ name, eventId }: ShownValues) => String(name || eventId)

const describeRule = (values: ShownValues) =>
  describeRepetition(String(valueAt(values, ['recurrence', 'rrule']) ?? ''))
