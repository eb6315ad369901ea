import type { TableImportResult } from '../../../import/report/import-result.ts'
import { asWorkbook, describeFormat } from '../../../import/rows/table.ts'
import { collectionTitle } from '../../../model/collection.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import { FileFields } from '../steps/collection-page.tsx'
import { ResultCounts } from '../steps/result-counts.tsx'
import { FileAgain, importPath, StepPage } from '../steps/step-page.tsx'
import { ChangedRecords } from './changed-records.tsx'
import { ColumnsSection } from './columns-section.tsx'
import type { PreparedImport } from './prepare-import.ts'
import { Questions } from './questions.tsx'
import { ReadingFields } from './reading-fields.tsx'

type Props = {
  prepared: PreparedImport
  /** What the import would do; absent until every required answer is there. */
  result: TableImportResult | undefined
  /** The records' collection; absent for people without a schema. */
  collection: CollectionInfo | undefined
  error?: string | undefined
}

/** Renders the questions about a file, what its import would change, and its columns. */
export function ReviewPage({ prepared, result, collection, error }: Props) {
  const { opened, mapping, inspected, rowAnswers } = prepared
  const { c, form, table } = opened
  const { rows } = inspected.tableFacts
  const days = table.ticks?.days.length
  const size =
    days === undefined
      ? `${formatCount(rows, 'row')} of ${collectionTitle(mapping.collection)}`
      : `A sheet of ticks with ${formatCount(rows, 'person', 'people')} and ${formatCount(days, 'date')}`
  const workbook = asWorkbook(table.format)
  const sheet = workbook ? ` from sheet “${workbook.sheet}”` : ''
  const title = form.pasted ? 'Pasted rows' : opened.source.name
  return (
    <StepPage
      c={c}
      step="review"
      title={title}
      lead={`${size}${sheet}. Nothing is saved until you import.`}
      actions={
        <a class="button" href={importPath(c)}>
          Choose another file
        </a>
      }
      form={form}
      carried={{
        mapping: JSON.stringify(mapping),
        rows: rows * (days ?? 1),
        changes: result?.changesHash,
        answers: rowAnswers.text,
      }}
      error={error ?? prepared.error}
    >
      {/* The Enter key presses the first button of a form. */}
      <button type="submit" name="step" value="review" hidden>
        Update preview
      </button>
      {result && <ResultCounts result={result} />}
      <Questions prepared={prepared} result={result} />
      {result && collection && (
        <ChangedRecords prepared={prepared} collection={collection} result={result} />
      )}
      <ColumnsSection prepared={prepared} />
      <Details prepared={prepared} result={result} />
      <SaveBar prepared={prepared} result={result} />
    </StepPage>
  )
}

type PartProps = { prepared: PreparedImport; result: TableImportResult | undefined }

/** Renders how the file is read, and notes about it. */
function Details({ prepared, result }: PartProps) {
  const { mapping, noun, errors } = prepared
  const hasErrors = ['id', 'timeZone', 'match'].some((name) => errors[name] !== undefined)
  const added = mapping.fields.length
  return (
    <section class="section">
      <details class="fold" open={hasErrors}>
        <summary>How {noun.many} are matched and dates are read</summary>
        <ReadingFields prepared={prepared} />
      </details>
      <details class="fold">
        <summary>What the file holds</summary>
        <p class="quiet">The file is {describeFormat(prepared.opened.table.format)}.</p>
        <FileFields opened={prepared.opened} mapping={mapping} />
        <button type="submit" class="button" name="step" value="review">
          Read the file again
        </button>
      </details>
      {prepared.opened.usesSavedMapping && (
        <p class="quiet">
          A file with the same headings was imported before. This one is read the same way.
        </p>
      )}
      {added > 0 && (
        <p class="quiet">
          {formatCount(added, 'field')} will be added to the schema of {mapping.collection}.
        </p>
      )}
      {result?.warnings.map(({ column, message, count, examples }) => (
        <p class="quiet">
          {column || (examples[0] ? `Row ${examples[0].line}, “${examples[0].value}”,` : 'A row')}{' '}
          {message}
          {count > 1 && ` (${formatCount(count, 'row')})`}
        </p>
      ))}
    </section>
  )
}

/** Renders the buttons of the page: import, or another preview. */
function SaveBar({ prepared, result }: PartProps) {
  const { c, form } = prepared.opened
  const validRows = result?.records ?? 0
  const changes = result ? result.created + result.updated + prepared.mapping.fields.length : 0
  const isImportable = validRows > 0 && (changes > 0 || (result?.rejected ?? 0) > 0)
  return (
    <>
      {result && !isImportable && result.rejected === 0 && (
        <p class="notice">All records in this file are up to date. There is nothing to import.</p>
      )}
      <FileAgain form={form} />
      <div class="save">
        {isImportable && (
          <button type="submit" class="button primary" name="step" value="import">
            Import {formatCount(validRows, 'row')}
          </button>
        )}
        <button
          type="submit"
          class={isImportable ? 'button' : 'button primary'}
          name="step"
          value="review"
        >
          {result ? 'Update preview' : 'Show preview'}
        </button>
        <a class="button plain wide-only" href={importPath(c)}>
          Cancel
        </a>
        <span class="quiet wide-only">
          {result && result.rejected > 0 && (
            <>
              {formatCount(result.rejected, 'row')} without an answer will not be imported. You can
              download them.{' '}
            </>
          )}
          {isImportable && 'You can undo the import.'}
        </span>
      </div>
    </>
  )
}
