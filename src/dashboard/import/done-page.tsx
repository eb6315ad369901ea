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
  /** The rows that were not imported, as CSV, and how many more there are. */
  rejectedRows: { csv: string; omitted: number }
}

/** Says what an import has done, and gives the rows back that were not imported. */
export function DonePage({ c, form, mapping, result, rejectedRows }: DoneProps) {
  const { collection } = mapping
  return (
    <StepPage c={c} step="done" title="Imported" form={form}>
      <ResultCounts result={result} />
      {result.rejected > 0 && (
        <section>
          <h2>Rows that were not imported</h2>
          <p>
            {formatCount(result.rejected - rejectedRows.omitted, 'row')} with the reasons. Correct
            them there and import that file: it is read the same way, and its last three columns
            stay. A row that repeats another stays out until you correct it, or write the id of the
            record to change in the last column.
            {rejectedRows.omitted > 0 &&
              ` ${formatCount(rejectedRows.omitted, 'more row')} did not find room here: import the same file again to get them.`}
          </p>
          <label for="rest">As CSV</label>
          <textarea id="rest" readonly data-rest="not-imported.csv">
            {rejectedRows.csv}
          </textarea>
          <div class="acts" data-rest-link />
        </section>
      )}
      <MessageGroups title="What needs correcting" groups={result.errors} hasAdvice />
      <section>
        <FieldChanges result={result} />
        <p>How the file was read is kept for the next file with the same headings.</p>
        <div class="acts">
          <a class="button main" href={collectionPath(c, collection)}>
            See the {toWords(collection).toLowerCase()}
          </a>
          <a class="button" href={importPath(c)}>
            Import another file
          </a>
        </div>
      </section>
    </StepPage>
  )
}
