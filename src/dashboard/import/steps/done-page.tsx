import type { Context } from 'hono'
import type { Mapping } from '../../../import/mapping/mapping.ts'
import type { TableImportResult } from '../../../import/report/import-result.ts'
import { collectionLabel } from '../../../model/collection.ts'
import { formatCount, pluralise } from '../../../platform/pluralise.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { collectionPath, storedImportPath } from '../../ui/paths.ts'
import type { ImportForm } from './import-form.ts'
import { MessageList } from './message-list.tsx'
import { ResultCounts } from './result-counts.tsx'
import { importPath, StepPage } from './step-page.tsx'

type DoneProps = {
  c: Context<DashboardEnv>
  form: ImportForm
  mapping: Mapping
  result: TableImportResult
  /** The rejected rows as CSV, and the number of rejected rows missing from it. */
  rejectedRows: { csv: string; omitted: number }
  /** The id of the import; undefined if it changed nothing. */
  importId: number | undefined
}

/** Renders the result of an import with the rejected rows, so that people can correct them. */
export function DonePage({ c, form, mapping, result, rejectedRows, importId }: DoneProps) {
  const { collection } = mapping
  return (
    <StepPage
      c={c}
      step="done"
      title="Imported"
      form={form}
      lead="The next file with the same headings will be read the same way."
      actions={
        <>
          <a class="button" href={importPath(c)}>
            Import another file
          </a>
          {importId !== undefined && (
            <a class="button" href={storedImportPath(c, importId)}>
              Undo
            </a>
          )}
          <a class="button primary" href={collectionPath(c, collection)}>
            Show {collectionLabel(collection).toLowerCase()}
          </a>
        </>
      }
    >
      <ResultCounts result={result} isDone />
      {result.addedMembers > 0 && (
        <p class="after">
          {formatCount(result.addedMembers, 'person', 'people')} became{' '}
          {pluralise(result.addedMembers, 'a member', 'members')}.
        </p>
      )}
      {result.rejected > 0 && (
        <section class="section">
          <h2>
            Rows that were not imported <small>{formatCount(result.rejected, 'row')}</small>
          </h2>
          <MessageList groups={result.errors} />
          <h3>Correct them in one file</h3>
          <p>
            The file has these rows with their reasons. Correct it and import it: it is read the
            same way. Keep its last three columns. For a row that may be about somebody who is here
            already, you choose the person then.
            {rejectedRows.omitted > 0 &&
              ` ${formatCount(rejectedRows.omitted, 'more row')} did not fit: import the same file again to get them.`}
          </p>
          <p data-download />
          <details class="fold">
            <summary>The rows as text</summary>
            <label class="visually-hidden" for="rest">
              The rows as text
            </label>
            <textarea id="rest" readonly data-rejected-rows="not-imported.csv">
              {rejectedRows.csv}
            </textarea>
          </details>
        </section>
      )}
    </StepPage>
  )
}
