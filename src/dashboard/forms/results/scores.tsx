import { englishDates } from '../../../model/dates.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { figureOf } from '../../../store/summary/measure-groups.ts'
import { DataTable } from '../../ui/table.tsx'
import type { Score, SurveyResults } from './load-results.ts'

type Props = { results: SurveyResults }

/** Renders the responses and the average scores of each month. */
export function ByMonth({ results: { summary, scores } }: Props) {
  type Month = (typeof summary.groups)[number]
  const months = summary.groups.toSorted((one, other) =>
    String(one.by[0]).localeCompare(String(other.by[0])),
  )
  return (
    <section class="section">
      <h2>By month</h2>
      <DataTable
        label="Responses and average scores by month"
        class="by-month"
        columns={[
          { heading: 'Month', cell: ({ by: [month] }: Month) => formatMonth(String(month)) },
          {
            heading: 'Responses',
            isRightAligned: true,
            cell: ({ figures }) => formatFigure(figureOf(figures, 'count')),
          },
          ...scores.map(({ label, name }) => ({
            heading: label,
            isRightAligned: true,
            cell: ({ figures }: Month) => formatFigure(figureOf(figures, `average(${name})`)),
          })),
        ]}
        rows={months}
      />
    </section>
  )
}

/** A month such as "Mar 2026". */
export const formatMonth = (month: string) =>
  englishDates.formatMonths(month.slice(0, 4), Number(month.slice(5)))

/** The number of people from which an average may be published. */
const minPeople = 5

/** Renders the average scores of the same people in their first and their last response. */
export function BeforeAndAfter({ results: { summary, scores } }: Props) {
  const { total, withoutPerson = 0 } = summary
  const people = figureOf(total, 'people') ?? 0
  const compared = figureOf(total, 'peopleWithAtLeast(2)') ?? 0
  if (scores.length === 0 || people === 0) return null
  const countPeople = ({ name }: Score) => total.get(`averageFirst(${name})`)?.reveals[0] ?? 0
  return (
    <section class="section">
      <h2>
        Before and after <small>{formatCount(compared, 'person', 'people')}</small>
      </h2>
      {compared > 0 && (
        <DataTable
          label="Average scores before and after"
          columns={[
            { heading: 'Score', cell: ({ label }: Score) => label },
            {
              heading: 'First',
              isRightAligned: true,
              cell: ({ name }) => formatFigure(figureOf(total, `averageFirst(${name})`)),
            },
            {
              heading: 'Last',
              isRightAligned: true,
              cell: ({ name }) => formatFigure(figureOf(total, `averageLast(${name})`)),
            },
            {
              heading: 'People',
              isRightAligned: true,
              cell: (score) => formatNumber(countPeople(score)),
            },
          ]}
          rows={scores}
        />
      )}
      <p class="quiet after">
        The averages of the first and of the last response, by date, of each person with a score in
        at least two. Left out: {formatCount(people - compared, 'person', 'people')} with one
        response, and {formatCount(withoutPerson, 'response')} without a person.
        {compared > 0 &&
          scores.some((score) => countPeople(score) < minPeople) &&
          ` Do not publish averages of fewer than ${minPeople} people.`}
      </p>
    </section>
  )
}

/** A figure with at most two decimals; a dash without one. */
export const formatFigure = (figure: number | undefined): string =>
  figure === undefined ? '–' : formatNumber(Math.round(100 * figure) / 100)
