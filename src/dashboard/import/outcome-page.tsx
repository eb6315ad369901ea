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
  /** How many fields the schema would be given. */
  addedFields: number
  error?: string
}

/** Says what an import would do, before it is done. */
export function CheckPage({ c, form, mapping, result, addedFields, error }: Props) {
  const { rows, rejected } = result
  const validRows = rows - rejected
  const leftOut = [...listUnmappedHeadings(mapping), ...result.leftOut]
  const changesNothing = result.created + result.updated + addedFields + rejected === 0
  return (
    <StepPage
      c={c}
      step="check"
      title="What would happen"
      form={form}
      mapping={JSON.stringify(mapping)}
      rows={rows}
      error={error}
    >
      <ResultCounts result={result} />
      <section>
        <h2>How it is read</h2>
        <ul>
          {describeReading(mapping).map((reading) => (
            <li>{reading}</li>
          ))}
          {addedFields > 0 && (
            <li>
              {formatCount(addedFields, 'field')} would be added to the schema of{' '}
              {mapping.collection}.
            </li>
          )}
          {leftOut.length > 0 && <li>Left out: {leftOut.join(', ')}.</li>}
        </ul>
        <FieldChanges result={result} />
      </section>
      <ChangedRecords c={c} collection={mapping.collection} result={result} />
      <MessageGroups title="What needs correcting" groups={result.errors} hasAdvice />
      <MessageGroups title="Worth knowing" groups={result.sayings} />
      <section>
        {rejected > 0 && (
          <p>
            {validRows > 0
              ? `Import the ${formatCount(validRows, 'good row')} now, and you get the others as a CSV with the reasons, to be corrected and imported in the same way. Or leave it at that: nothing is kept yet, and you can correct the file first.`
              : 'No row is in order: go back and see whether each column goes to the right field.'}
          </p>
        )}
        {changesNothing && (
          <p>Everything in this file is here already. There is nothing to import.</p>
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
              Import the {formatCount(validRows, 'good row')}
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

/** The columns that a mapping sends nowhere, but for one that holds the id. */
const listUnmappedHeadings = ({ columns, id }: Mapping): string[] =>
  columns.flatMap(({ heading, field }) =>
    field === null && (id.isMade || !id.columns.includes(heading)) ? [heading] : [],
  )

/** How the dates and times of the file are read, and what a record's id is. */
function describeReading({ columns, timeZone, id, match }: Mapping): string[] {
  const headings = (dates: string) => [
    ...new Set(columns.filter((column) => column.dates === dates).map(({ heading }) => heading)),
  ]
  const describeDates = (dates: string, format: string) =>
    headings(dates).length > 0 ? [`Dates are read ${format}: ${headings(dates).join(', ')}.`] : []
  return [
    ...describeDates('day-first', 'day first (03/04/2025 is 3 April)'),
    ...describeDates('month-first', 'month first (03/04/2025 is 4 March)'),
    ...describeDates('excel', "as Excel's count of days"),
    ...(columns.some(({ as }) => as === 'time') ? [`Times are those of ${timeZone}.`] : []),
    `${id.isMade ? 'An id is made of' : 'The id is in'} ${id.columns.map((heading) => `"${heading}"`).join(' and ')}.`,
    ...(match.length > 0
      ? [`People who are here under another id are found by ${match.join(' and ')}.`]
      : []),
  ]
}
