import type { Context } from 'hono'
import type { FilterField } from '../records/list/filter-fields.ts'
import { FilterPanel } from '../records/list/filter-panel.tsx'
import { describeFilter, formatFilters, type ListFilter } from '../records/list/list-filters.ts'
import { describePeriod, periodNames } from '../records/list/periods.ts'
import type { ListView } from '../records/list/view.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Icon } from '../ui/icon.tsx'
import { viewParameter } from '../views/view-paths.ts'
import { countables } from './countables.ts'
import type { Grouping } from './grouping.ts'
import { capitalise, type LoadedReport } from './load-report.ts'
import { formatReportQuery } from './report-query.ts'

type Props = {
  c: Context<DashboardEnv>
  report: LoadedReport
  /** The filters as a list shows them, and the fields of their open panel. */
  listView: ListView
  fields: readonly FilterField[]
  /** The id of the saved report. */
  view: string | undefined
}

/** Renders the choices of a report. A change of the collection drops the filters. */
export function ReportForm({ c, report, listView, fields, view }: Props) {
  const { query, groupings, dates, collection, properties } = report
  const { countable, by, split, date, period, isCompared, filters } = query
  const link = (changed: readonly ListFilter[], opensPanel: boolean) => {
    const params = formatReportQuery({ ...query, filters: changed })
    if (view) params.set(viewParameter, view)
    if (opensPanel) params.set('$panel', 'filter')
    return `?${params}`
  }
  return (
    <form method="get">
      {view && <input type="hidden" name={viewParameter} value={view} />}
      <input type="hidden" name="$of" value={countable.collection} />
      {listView.panel !== 'filter' &&
        [...formatFilters(filters)].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      <div class="query">
        <label>
          Count
          <select name="$count">
            {countables.map(({ name, plural }) => (
              <option value={name} selected={name === countable.name}>
                {capitalise(plural)}
              </option>
            ))}
          </select>
        </label>
        <label>
          By
          <select name="$by">
            <GroupingOptions groupings={groupings} selected={by} />
          </select>
        </label>
        <label>
          Split by
          <select name="$split">
            <option value="">Nothing</option>
            <GroupingOptions groupings={groupings} selected={split} />
          </select>
        </label>
        {date && (
          <>
            <label>
              Period
              <select name="$period">
                <option value="">All time</option>
                {periodNames.map((name) => (
                  <option value={name} selected={name === period}>
                    {capitalise(describePeriod(name))}
                  </option>
                ))}
              </select>
            </label>
            {dates.length > 1 && (
              <label>
                Date
                <select name="$date">
                  {dates.map(({ name, label }) => (
                    <option value={name} selected={name === date.name}>
                      {label}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <label class="choice">
              <input type="checkbox" name="$compare" value="true" checked={isCompared} />
              <span>Compare with the year before</span>
            </label>
          </>
        )}
        <button type="submit" class="button">
          Show
        </button>
      </div>
      <div class="row toolbar">
        {listView.panel === 'filter' ? (
          <FilterPanel
            c={c}
            {...{ collection, view: listView, fields, properties }}
            clearPath={link([], true)}
          />
        ) : (
          <a class="button plain" href={link(filters, true)}>
            <Icon name="filter" />
            Filter
          </a>
        )}
        {filters.map((filter) => {
          const words = describeFilter(filter)
          return (
            <span class="chip">
              <a href={link(filters, true)}>{words}</a>
              <a
                href={link(
                  filters.filter((other) => other !== filter),
                  false,
                )}
                aria-label={`Remove filter: ${words}`}
              >
                <Icon name="close" />
              </a>
            </span>
          )
        })}
      </div>
    </form>
  )
}

type GroupingOptionsProps = { groupings: readonly Grouping[]; selected: Grouping | undefined }

const GroupingOptions = ({ groupings, selected }: GroupingOptionsProps) => (
  <>
    {groupings.map(({ name, label }) => (
      <option value={name} selected={name === selected?.name}>
        {label}
      </option>
    ))}
  </>
)
