import type { Context } from 'hono'
import { toLabel } from '../../model/properties/compile.ts'
import { referencesToPeople } from '../../model/properties/people-references.ts'
import {
  FilterChips,
  type FilterField,
  type FilterLink,
  FilterPanel,
} from '../filters/filter-panel.tsx'
import { formatFilters } from '../filters/filters.ts'
import { Pair } from '../filters/pair.tsx'
import { describePeriod, periodNames } from '../filters/periods.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form, groupValues } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { viewParameter } from '../views/view-paths.ts'
import { countables } from './countables.ts'
import type { Grouping } from './grouping.ts'
import { capitalise, type LoadedReport } from './load-report.ts'
import { formatReportQuery, fromTo, measureOfField, smallNumber } from './report-query.ts'

type Props = {
  c: Context<DashboardEnv>
  report: LoadedReport
  /** The fields of the filter panel, if it is open. */
  fields: readonly FilterField[] | undefined
  /** The id of the saved report. */
  view: string | undefined
}

/** Renders the question of a report beside its answer; on a small screen it opens above. A change of the collection drops the filters. */
export function ReportForm({ c, report, fields, view }: Props) {
  const { query, collection, properties, errors } = report
  const { countable, isCompared, hideBelow, filters } = query
  const linkTo = (changed: Partial<typeof query>) => {
    const params = formatReportQuery({ ...query, ...changed })
    if (view) params.set(viewParameter, view)
    return params
  }
  const link: FilterLink = (changed, opensPanel) => {
    const params = linkTo({ filters: changed })
    if (opensPanel) params.set('$panel', 'filter')
    return `?${params}`
  }
  const hidden = {
    [viewParameter]: view,
    $of: countable.collection,
    ...(!fields && groupValues(formatFilters(filters))),
  }
  return (
    <details class="ask" open={fields !== undefined || errors.length > 0}>
      <summary class="button">
        <Icon name="filter" />
        Change the question
      </summary>
      <Form method="get" hidden={hidden} attributes={{ 'aria-label': 'Question' }}>
        <CountFields report={report} />
        <GroupFields report={report} linkTo={(changed) => `?${linkTo(changed)}`} />
        <DateFields report={report} isCompared={isCompared} />
        <fieldset>
          <legend>Only</legend>
          <div class="row">
            <FilterChips filters={filters} link={link} />
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
                <Icon name="plus" />
                Filter
              </a>
            )}
          </div>
          <label class="choice">
            <input
              type="checkbox"
              name="$hideBelow"
              value={smallNumber}
              checked={hideBelow !== undefined}
            />
            <span>Hide numbers below {smallNumber} (for publication)</span>
          </label>
        </fieldset>
        <button type="submit" class="button">
          Show
        </button>
      </Form>
    </details>
  )
}

/** What to count, and how. */
function CountFields({ report: { query, measures } }: { report: LoadedReport }) {
  const ofFields = measures.filter(({ section }) => section !== undefined)
  const isOfField = ofFields.includes(query.measure)
  return (
    <fieldset>
      <legend>Count</legend>
      <select name="$count" aria-label="Records">
        {countables.map(({ name, plural }) => (
          <option value={name} selected={name === query.countable.name}>
            {capitalise(plural)}
          </option>
        ))}
      </select>
      {measures
        .filter(({ section }) => section === undefined)
        .map(({ name, choice, measured }) => (
          <label class="choice">
            <input
              type="radio"
              name="$measure"
              value={name}
              checked={name === query.measure.name}
            />
            <span class="row">
              {choice}
              {measured.least > 0 && (
                <>
                  {' '}
                  <input
                    name="$least"
                    inputmode="numeric"
                    maxlength={3}
                    value={String(measured.least)}
                    aria-label="Number of times"
                  />{' '}
                  times
                </>
              )}
            </span>
          </label>
        ))}
      {ofFields.length > 0 && (
        <>
          <label class="choice">
            <input type="radio" name="$measure" value={measureOfField} checked={isOfField} />
            <span>A sum, an average or a share</span>
          </label>
          <select name="$measured" aria-label="Field">
            {[...Map.groupBy(ofFields, ({ section }) => section)].map(([section, inSection]) => (
              <optgroup label={section}>
                {inSection.map(({ name, choice }) => (
                  <option value={name} selected={name === query.measure.name}>
                    {choice}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </>
      )}
    </fieldset>
  )
}

type GroupProps = {
  report: LoadedReport
  linkTo: (changed: { by?: Grouping; split?: Grouping | undefined }) => string
}

/** The fields to group by, the chosen ones first. */
function GroupFields({ report: { query, groupings }, linkTo }: GroupProps) {
  const { by, split, countable } = query
  const chosen = split ? [by, split] : [by]
  const others = groupings.filter(
    (grouping) => !grouping.property.isTechnical && !chosen.includes(grouping),
  )
  const own = capitalise(countable.singular)
  const sections = [...Map.groupBy(others, ({ section = own }) => section)]
  const people = referencesToPeople(countable.collection).map(({ name = '' }) => toLabel(name))
  /** The details of people come first, those of the records themselves last. */
  const rank = ([section]: (typeof sections)[number]) => {
    if (people.includes(section)) return 0
    return section === own ? 2 : 1
  }
  return (
    <fieldset>
      <legend>By</legend>
      <p class="row">
        {chosen.map((grouping) => (
          <span class="chip">
            <span>{grouping.label}</span>
            {split && (
              <a
                href={linkTo({ by: grouping === by ? split : by, split: undefined })}
                aria-label={`Remove ${grouping.label}`}
              >
                <Icon name="close" />
              </a>
            )}
          </span>
        ))}
      </p>
      <div class="search" data-find-options hidden>
        <Icon name="search" />
        <input type="search" aria-label="Find a field" placeholder="Find a field" />
      </div>
      <section class="options" tabindex={0} aria-label="Fields">
        {chosen.map((grouping) => (
          <GroupChoice grouping={grouping} label={grouping.label} isChosen />
        ))}
        {sections
          .toSorted((one, other) => rank(one) - rank(other))
          .map(([section, inSection]) => (
            <section>
              <p>{section}</p>
              {inSection.map((grouping) => (
                <GroupChoice grouping={grouping} label={grouping.choice} />
              ))}
            </section>
          ))}
      </section>
      <p class="quiet">
        Up to two: the rows, then the columns.{' '}
        {split && <a href={linkTo({ by: split, split: by })}>Swap them</a>}
      </p>
    </fieldset>
  )
}

type ChoiceProps = { grouping: Grouping; label: string; isChosen?: boolean }

const GroupChoice = ({ grouping: { name }, label, isChosen = false }: ChoiceProps) => (
  <label class="choice">
    <input type="checkbox" name="$by" value={name} checked={isChosen} />
    <span>{label}</span>
  </label>
)

/** The days to count; nothing if the records have no dates. */
function DateFields({ report, isCompared }: { report: LoadedReport; isCompared: boolean }) {
  const { query, dates } = report
  const { date, period } = query
  if (!date) return null
  const ends = typeof period === 'string' ? undefined : period
  const presets = [
    ['', 'All time', period === undefined],
    ...periodNames.map(
      (name) => [name, capitalise(describePeriod(name)), name === period] as const,
    ),
    [fromTo, 'Own dates', ends !== undefined],
  ] as const
  return (
    <fieldset>
      <legend>Dates</legend>
      <div class="presets" role="radiogroup" aria-label="Dates">
        {presets.map(([value, label, isChosen]) => (
          <label>
            <input type="radio" name="$period" value={value} checked={isChosen} />
            {label}
          </label>
        ))}
      </div>
      <Pair
        labels={['From', 'To']}
        names={['$from', '$to']}
        values={[ends?.from, ends?.to]}
        attributes={{ type: 'date' }}
      />
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
    </fieldset>
  )
}
