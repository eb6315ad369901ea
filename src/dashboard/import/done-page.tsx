import type { Context } from 'hono'
import type { TableResult } from '../../import/apply/table-result.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import type { Mapping } from '../../import/mapping.ts'
import { collectionPath } from '../records/paths.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { toWords } from '../ui/words.ts'
import type { ImportForm } from './form.ts'
import { importPath, StepPage } from './frame.tsx'
import { FieldChanges, MessageGroups, ResultCounts } from './outcome.tsx'

type DoneProps = {
  c: Context<DashboardEnv>
  form: ImportForm
  mapping: Mapping
  result: TableResult
  /** The rejected rows as CSV, and the number of rows left out of it. */
  rejectedRows: { csv: string; omitted: number }
}

/** Shows the result of an import, with the rejected rows to correct. */
export function DonePage({ c, form, mapping, result, rejectedRows }: DoneProps) {
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
          <textarea id="rest" readonly data-rest="not-imported.csv">
            {rejectedRows.csv}
          </textarea>
          <div class="acts" data-rest-link />
        </section>
      )}
      <MessageGroups title="Errors" groups={result.errors} hasAdvice />
      <section>
        <FieldChanges result={result} />
        <p>The next file with the same headings will be read the same way.</p>
        <div class="acts">
          <a class="button main" href={collectionPath(c, collection)}>
            Show {toWords(collection).toLowerCase()}
          </a>
          <a class="button" href={importPath(c)}>
            Import another file
          </a>
        </div>
      </section>
    </StepPage>
  )
}
