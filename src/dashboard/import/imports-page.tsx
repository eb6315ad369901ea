import type { Context } from 'hono'
import { describeAuthor } from '../../model/author.ts'
import { collectionLabel, formatRecordCount } from '../../model/collection.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { summariseUndo } from '../../records/undo/undo-import.ts'
import { listImports, type StoredImport } from '../../store/imports/list-imports.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Page } from '../ui/page.tsx'
import { dashboardPath, storedImportPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'

const pageSize = 50

/** Renders the list of imports, newest first. */
export async function renderImportsPage(c: Context<DashboardEnv>) {
  const before = Number(c.req.query('before')) || undefined
  const imports = await listImports(c.var.store, { before, limit: pageSize })
  const last = imports.length === pageSize ? imports.at(-1) : undefined
  return c.html(
    <Page
      c={c}
      title="Imports"
      lead="Open an import, a bulk edit or a deletion of several records to see its records, or to undo it."
      actions={
        <a class="button primary" href={dashboardPath(c, '/import')}>
          Import a file
        </a>
      }
    >
      {imports.length === 0 ? (
        <p>There are no imports yet.</p>
      ) : (
        <DataTable
          label="Imports"
          isStacked
          columns={[
            {
              heading: 'File',
              cell: (stored) => <a href={storedImportPath(c, stored.id)}>{nameImport(stored)}</a>,
            },
            { heading: 'Records', cell: ({ collection }) => collectionLabel(collection) },
            { heading: 'When', cell: ({ at }) => <Time value={at} /> },
            { heading: 'Person', cell: ({ author, key }) => describeAuthor(author, key) },
            {
              heading: 'New',
              isRightAligned: true,
              cell: ({ counts }) => formatNumber(counts.created),
            },
            {
              heading: 'Changed',
              isRightAligned: true,
              cell: ({ counts }) => formatNumber(counts.updated),
            },
            {
              heading: 'Unchanged',
              isRightAligned: true,
              cell: ({ counts }) => formatNumber(counts.unchanged),
            },
            {
              heading: 'Rejected',
              isRightAligned: true,
              cell: ({ counts }) => formatNumber(counts.rejected),
            },
            { heading: 'Undone', cell: describeUndo },
          ]}
          rows={imports}
        />
      )}
      {last && (
        <p class="pager">
          <a class="button" href={`?before=${last.id}`}>
            Older imports
          </a>
        </p>
      )}
    </Page>,
  )
}

/** The name of an import: its file, its collection, for a bulk edit the field, or for a bulk deletion its records. */
export function nameImport({ file, collection, edited, deleted }: StoredImport): string {
  if (deleted !== null) return `Deletion of ${formatRecordCount(deleted, collection)}`
  const name = collectionLabel(collection).toLowerCase()
  return file ?? (edited === null ? `Import of ${name}` : `${edited} of ${name}`)
}

/** Describes the undo of an import in a few words; a dash without one. */
export function describeUndo({ undo, undone }: StoredImport): string {
  if (!undo) return '–'
  const { reverted, left } = summariseUndo(undo)
  const counts = [`${formatNumber(reverted)} reverted`]
  if (left > 0) counts.push(`${formatNumber(left)} left`)
  return `${undone ? '' : 'In part: '}${counts.join(', ')}`
}
