import type { Context } from 'hono'
import {
  FilterChips,
  type FilterField,
  type FilterLink,
  FilterPanel,
} from '../filters/filter-panel.tsx'
import { formatFilters } from '../filters/filters.ts'
import { describePeriod, periodNames } from '../filters/periods.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form, groupValues } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { viewParameter } from '../views/view-paths.ts'
import { countables } from './countables.ts'
import { capitalise, type LoadedReport } from './load-report.ts'
import { formatReportQuery, fromTo, smallNumber } from './report-query.ts'

type Props = {
  c: Context<DashboardEnv>
  report: LoadedReport
  /** The fields of the filter panel, if it is open. */
  fields: readonly FilterField[] | undefined
  /** The id of the saved report. */
  view: string | undefined
}

/** Renders the choices of a report. A change of the collection drops the filters. */
export function ReportForm({ c, report, fields, view }: Props) {
  const { query, measures, groupings, dates, collection, properties } = report
  const { countable, measure, by, split, date, period, isCompared, hideBelow, filters } = query
  const counting = measures.find(({ measured }) => measured.least > 0)
  const isFromTo = period !== undefined && typeof period !== 'string'
  const link: FilterLink = (changed, opensPanel) => {
    const params = formatReportQuery({ ...query, filters: changed })
    if (view) params.set(viewParameter, view)
    if (opensPanel) params.set('$panel', 'filter')
    return `?${params}`
  }
  const hidden = {
    [viewParameter]: view,
    $of: countable.collection,
    ...(!fields && groupValues(formatFilters(filters))),
  }
  return (
    <Form method="get" hidden={hidden}>
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
          Measure
          <select name="$measure">
            <Options choices={measures} selected={measure} />
          </select>
        </label>
        {counting && (
          <label class="least">
            Times
            <input
              name="$least"
              inputmode="numeric"
              maxlength={3}
              value={String(counting.measured.least)}
            />
          </label>
        )}
        <label>
          By
          <select name="$by">
            <Options choices={groupings} selected={by} />
          </select>
        </label>
        <label>
          Split by
          <select name="$split">
            <option value="">Nothing</option>
            <Options choices={groupings} selected={split} />
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
                <option value={fromTo} selected={isFromTo}>
                  From – to
                </option>
              </select>
            </label>
            {(['from', 'to'] as const).map((end) => (
              <label class="from-to">
                {capitalise(end)}
                <input
                  type="date"
                  name={`$${end}`}
                  value={typeof period === 'string' ? undefined : period?.[end]}
                />
              </label>
            ))}
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
        <label class="choice">
          <input
            type="checkbox"
            name="$hideBelow"
            value={smallNumber}
            checked={hideBelow !== undefined}
          />
          <span>Hide numbers below {smallNumber} (for publication)</span>
        </label>
        <button type="submit" class="button">
          Show
        </button>
      </div>
      <div class="row toolbar">
        {fields ? (
          <FilterPanel
            c={c}
            filters={filters}
            fields={fields}
            properties={properties}
            link={link}
            shown={collection.label.toLowerCase()}
          />
        ) : (
          <a class="button plain" href={link(filters, true)}>
            <Icon name="filter" />
            Filter
          </a>
        )}
        <FilterChips filters={filters} link={link} />
      </div>
    </Form>
  )
}

type Choice = { name: string; choice: string; section: string | undefined }

type OptionsProps = { choices: readonly Choice[]; selected: Choice | undefined }

/** Renders choices, those of a section under its heading. */
const Options = ({ choices, selected }: OptionsProps) => (
  <>
    {[...Map.groupBy(choices, ({ section }) => section)].map(([section, inSection]) => {
      const options = inSection.map(({ name, choice }) => (
        <option value={name} selected={name === selected?.name}>
          {choice}
        </option>
      ))
      return section === undefined ? options : <optgroup label={section}>{options}</optgroup>
    })}
  </>
)
