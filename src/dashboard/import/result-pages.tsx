import type { Context } from 'hono'
import type { ImportResult } from '../../import/apply/import-result.ts'
import type { Mapping } from '../../import/infer/mapping.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import { toLabel } from '../../model/properties/compile.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath, dashboardPath } from '../ui/paths.ts'
import type { ImportForm } from './import-form.ts'
import { ChangedRecords, FieldChanges, MessageGroups, ResultCounts } from './result.tsx'
import { importPath, StepButtons, StepPage } from './step-page.tsx'

type Props = {
  c: Context<DashboardEnv>
  form: ImportForm
  mapping: Mapping
  result: ImportResult
  /** The number of fields that the import adds to the schema. */
  addedFields: number
  error?: string
}

/** Renders the result of a dry run. */
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
      <MessageGroups title="Errors" groups={result.errors} />
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
        <StepButtons previousStep="mapping">
          {changesNothing && (
            <a class="button primary" href={importPath(c)}>
              Import another file
            </a>
          )}
          {rejected === 0 && !changesNothing && (
            <button type="submit" name="step" value="import-all">
              Import {formatCount(rows, 'row')}
            </button>
          )}
          {rejected > 0 && validRows > 0 && (
            <button type="submit" name="step" value="import-valid">
              Import {formatCount(validRows, 'valid row')}
            </button>
          )}
          {rejected > 0 && (
            <button type="submit" class="secondary" name="step" value="file">
              Correct the file first
            </button>
          )}
        </StepButtons>
      </section>
    </StepPage>
  )
}

/** Lists the headings of columns that fill no field, except the id's. */
const listUnmappedHeadings = ({ columns, id }: Mapping): string[] =>
  columns.flatMap(({ heading, field }) =>
    field === null && (id.isMade || !id.columns.includes(heading)) ? [heading] : [],
  )

/** Describes how the import parses dates, times and ids, and matches people. */
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

type DoneProps = {
  c: Context<DashboardEnv>
  form: ImportForm
  mapping: Mapping
  result: ImportResult
  /** The rejected rows as CSV, and the number of rejected rows missing from it. */
  rejectedRows: { csv: string; omitted: number }
  importId: number | undefined
}

/** Renders the result of an import with the rejected rows, so that people can correct them. */
export function DonePage({ c, form, mapping, result, rejectedRows, importId }: DoneProps) {
  const { collection } = mapping
  return (
    <StepPage c={c} step="done" title="Imported" form={form}>
      <ResultCounts result={result} />
      {result.rejected > 0 && (
        <section>
          <h2>Rejected rows</h2>
          <p>
            {formatCount(result.rejected - rejectedRows.omitted, 'row')} with the reasons. Correct
            the rows and import this file, which is read the same way. Keep its last three columns.
            A row that repeats another is rejected again unless you correct it, or write the id of
            the record to change in the last column.
            {rejectedRows.omitted > 0 &&
              ` ${formatCount(rejectedRows.omitted, 'more row')} did not fit: import the same file again to get them.`}
          </p>
          <label for="rest">As CSV</label>
          <textarea id="rest" readonly data-rejected-rows="not-imported.csv">
            {rejectedRows.csv}
          </textarea>
          <div class="buttons" data-download />
        </section>
      )}
      <MessageGroups title="Errors" groups={result.errors} />
      <section>
        <FieldChanges result={result} />
        <p>The next file with the same headings will be read the same way.</p>
        <div class="buttons">
          <a class="button primary" href={collectionPath(c, collection)}>
            Show {toLabel(collection).toLowerCase()}
          </a>
          <a class="button" href={importPath(c)}>
            Import another file
          </a>
          {importId !== undefined && (
            <a class="button" href={dashboardPath(c, `/import/done/${importId}`)}>
              Undo
            </a>
          )}
        </div>
      </section>
    </StepPage>
  )
}
