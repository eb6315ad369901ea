import type { Context } from 'hono'
import type { TableResult } from '../../import/apply/table-result.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import type { Mapping } from '../../import/mapping.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { ImportForm } from './form.ts'
import { importPath, StepButtons, StepPage } from './frame.tsx'
import { ChangedRecords, FieldChanges, MessageGroups, ResultCounts } from './outcome.tsx'

type Props = {
  c: Context<DashboardEnv>
  form: ImportForm
  mapping: Mapping
  result: TableResult
  /** The number of fields to be added to the schema. */
  addedFields: number
  error?: string
}

/** Shows the result of a dry run. */
export function CheckPage({ c, form, mapping, result, addedFields, error }: Props) {
  const { rows, rejected } = result
  const validRows = rows - rejected
  const leftOut = [...listUnmappedHeadings(mapping), ...result.leftOut]
  const changesNothing = result.created + result.updated + addedFields + rejected === 0
  return (
    <StepPage
      c={c}
      step="check"
      title="Check the import"
      form={form}
      mapping={JSON.stringify(mapping)}
      rows={rows}
      error={error}
    >
      <ResultCounts result={result} />
      <section>
        <h2>Reading options</h2>
        <ul>
          {describeReading(mapping).map((reading) => (
            <li>{reading}</li>
          ))}
          {addedFields > 0 && (
            <li>
              {formatCount(addedFields, 'field')} will be added to the schema of{' '}
              {mapping.collection}.
            </li>
          )}
          {leftOut.length > 0 && <li>Left out: {leftOut.join(', ')}.</li>}
        </ul>
        <FieldChanges result={result} />
      </section>
      <ChangedRecords c={c} collection={mapping.collection} result={result} />
      <MessageGroups title="Errors" groups={result.errors} hasAdvice />
      <MessageGroups title="Notes" groups={result.sayings} />
      <section>
        {rejected > 0 && (
          <p>
            {validRows > 0
              ? `You can import the ${formatCount(validRows, 'valid row')} now and download the others as CSV with the reasons, to correct and import later. Or correct the file first: nothing has been saved yet.`
              : 'No row is valid. Go back and check that each column fills the right field.'}
          </p>
        )}
        {changesNothing && (
          <p>All records in this file are up to date. There is nothing to import.</p>
        )}
        <StepButtons previousStep="where">
          {changesNothing && (
            <a class="button main" href={importPath(c)}>
              Import another file
            </a>
          )}
          {rejected === 0 && !changesNothing && (
            <button type="submit" name="step" value="all">
              Import {formatCount(rows, 'row')}
            </button>
          )}
          {rejected > 0 && validRows > 0 && (
            <button type="submit" name="step" value="good">
              Import {formatCount(validRows, 'valid row')}
            </button>
          )}
          {rejected > 0 && (
            <button type="submit" class="plain" name="step" value="file">
              Correct the file first
            </button>
          )}
        </StepButtons>
      </section>
    </StepPage>
  )
}

/** The headings of columns that fill no field, except the id's. */
const listUnmappedHeadings = ({ columns, id }: Mapping): string[] =>
  columns.flatMap(({ heading, field }) =>
    field === null && (id.isMade || !id.columns.includes(heading)) ? [heading] : [],
  )

/** Describes how dates, times, ids and people are read. */
function describeReading({ columns, timeZone, id, match }: Mapping): string[] {
  const headings = (dates: string) => [
    ...new Set(columns.filter((column) => column.dates === dates).map(({ heading }) => heading)),
  ]
  const describeDates = (dates: string, format: string) =>
    headings(dates).length > 0 ? [`Dates are read ${format}: ${headings(dates).join(', ')}.`] : []
  return [
    ...describeDates('day-first', 'day first (03/04/2025 is 3 April)'),
    ...describeDates('month-first', 'month first (03/04/2025 is 4 March)'),
    ...describeDates('excel', 'as Excel day numbers'),
    ...(columns.some(({ as }) => as === 'time')
      ? [`Times without a time zone are in ${timeZone}.`]
      : []),
    `${id.isMade ? 'Ids are derived from' : 'Ids are in'} ${id.columns.map((heading) => `"${heading}"`).join(' and ')}.`,
    ...(match.length > 0
      ? [`Existing people with another id are matched by ${match.join(' and ')}.`]
      : []),
  ]
}
