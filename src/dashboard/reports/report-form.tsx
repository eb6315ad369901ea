import { describePeriod, periodNames } from '../records/list/periods.ts'
import { formatFilters } from '../records/list-filters.ts'
import { viewParameter } from '../views/view-paths.ts'
import { countables } from './countables.ts'
import type { Grouping } from './grouping.ts'
import { capitalise, type LoadedReport } from './load-report.ts'

type Props = { report: LoadedReport; view: string | undefined }

/** Renders the choices of a report. A change of the collection drops the filters. */
export function ReportForm({ report: { query, groupings, dates }, view }: Props) {
  const { countable, by, split, date, period, isCompared, filters } = query
  return (
    <form method="get">
      {view && <input type="hidden" name={viewParameter} value={view} />}
      <input type="hidden" name="$of" value={countable.collection} />
      {[...formatFilters(filters)].map(([name, value]) => (
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
