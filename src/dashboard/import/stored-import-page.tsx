import type { Context } from 'hono'
import {
  formatAffectedCursor,
  parseId,
  readAffectedAfter,
} from '../../import/routes/stored-imports.ts'
import { describeAuthor } from '../../model/author.ts'
import { collectionLabel } from '../../model/collection.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { findObstacle, nounOf, summariseUndo, undoImport } from '../../records/undo/undo-import.ts'
import { loadCollection } from '../../resources/resources.ts'
import { type AffectedRecord, readAffected } from '../../store/imports/affected-records.ts'
import {
  type AffectedCursor,
  readImport,
  type StoredImport,
} from '../../store/imports/list-imports.ts'
import { describeCollection, recordTitle } from '../collection/collection-info.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath, recordPath, undoPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'
import { describeImportError } from './describe-error.ts'
import { describeUndo, nameImport } from './imports-page.tsx'
import { respond, type StepResponse } from './steps/step-page.tsx'

type DashboardContext = Context<DashboardEnv>

const maxShown = 100
// Each takes a query, and most pages of a collection without new records none.
const maxReads = 20
// Each 250 records take about six of the 1,000 queries of a request.
const maxRecordsOfRequest = 20_000

/** Renders an import, a bulk edit or a bulk deletion with its records. */
export async function renderImportPage(c: DashboardContext) {
  const { page, status } = await showImport(c)
  return c.html(page, status)
}

/** Undoes an import, and shows the records that it left. */
export async function undo(c: DashboardContext): Promise<Response> {
  const id = parseId(c.req.param('id'))
  return respond(c, async (progress) => {
    try {
      const { destination } = await c.var.openRecords()
      const findType = async (name: string) => (await loadCollection(name)).resource
      await undoImport({ ...destination, findType }, id, {
        maxRecords: maxRecordsOfRequest,
        progress,
      })
      return await showImport(c)
    } catch (error) {
      const { message, status } = await describeImportError(c, error)
      return showImport(c, message, status)
    }
  })
}

async function showImport(
  c: DashboardContext,
  error?: string,
  status: StepResponse['status'] = 200,
): Promise<StepResponse> {
  const { store } = c.var
  const stored = await readImport(store, parseId(c.req.param('id')))
  const obstacle = findObstacle(stored, Date.now())
  const isUndone = stored.undo !== null
  const noun = nounOf(stored)
  const { records, next } = obstacle
    ? { records: [], next: undefined }
    : await readRecords(c, stored, (record) => !isUndone || record.state !== 'undone')
  const left = stored.undo ? summariseUndo(stored.undo).left : 0
  const canUndo = !obstacle && (!stored.undone || left > 0)
  return {
    status,
    page: String(
      <Page
        c={c}
        title={nameImport(stored)}
        lead={<Facts stored={stored} canUndo={canUndo} />}
        crumbs={[{ name: 'Imports', href: dashboardPath(c, '/import/done') }]}
        actions={
          canUndo && (
            <Form action={undoPath(c, stored.id)} attributes={{ 'data-import': 'undo' }}>
              <button type="submit" class="button primary">
                {undoLabel(stored)}
              </button>
            </Form>
          )
        }
      >
        <script src="/assets/import.js" defer />
        {error && <p role="alert">{error}</p>}
        <div role="status">
          {stored.undone && (
            <p class="notice">
              This {noun} is undone: {describeUndo(stored)}.
              {left > 0 && ' Those below changed since, or other records need them.'}
            </p>
          )}
        </div>
        {obstacle ? (
          <p>{obstacle}</p>
        ) : (
          <section class="section">
            <h2>{isUndone ? 'Records that are left' : `Records of this ${noun}`}</h2>
            {!isUndone && (
              <p>
                {noun === 'deletion'
                  ? 'Undo restores the records, and everything that was deleted or changed with them. It leaves records that somebody entered again.'
                  : `Undo deletes new records, and returns changed ones to their version before the ${noun}. It leaves records that somebody changed since.`}
              </p>
            )}
            {records.length === 0 ? (
              <p>There are none.</p>
            ) : (
              <DataTable
                label="Records"
                isStacked
                columns={[
                  {
                    heading: 'Record',
                    cell: ({ name, collection, id, state }) =>
                      state === 'deleted' ? (
                        name
                      ) : (
                        <a href={recordPath(c, collection, id)}>{name}</a>
                      ),
                  },
                  { heading: 'Kind', cell: ({ collection }) => collectionLabel(collection) },
                  {
                    heading: 'Change',
                    cell: ({ change }) => changeLabels[change],
                  },
                  {
                    heading: 'Since then',
                    cell: ({ state }) => describeState(state, isUndone),
                  },
                ]}
                rows={records}
              />
            )}
            {next && (
              <p class="pager">
                <a class="button" href={`?after=${next}`}>
                  More records
                </a>
              </p>
            )}
          </section>
        )}
      </Page>,
    ),
  }
}

const changeLabels: Readonly<Record<AffectedRecord['change'], string>> = {
  created: 'New',
  updated: 'Changed',
  deleted: 'Deleted',
}

function undoLabel(stored: StoredImport): string {
  const { undo, undone } = stored
  if (!undo) return `Undo this ${nounOf(stored)}`
  return undone ? 'Try again' : 'Continue to undo'
}

function describeState(state: AffectedRecord['state'], isUndone: boolean): string {
  switch (state) {
    case 'changed':
      return 'Changed'
    case 'deleted':
      return 'Deleted'
    case 'undone':
      return 'Undone'
    default:
      return isUndone
        ? 'Others refer to it, it refers to a record that is gone, or its old values are no longer allowed'
        : '–'
  }
}

/** Renders who imported, the counts, and until when the import can be undone. */
function Facts({ stored, canUndo }: { stored: StoredImport; canUndo: boolean }) {
  const { at, finished, collection, counts, deleted, undoUntil } = stored
  const numbers =
    deleted === null
      ? [
          `${formatNumber(counts.created)} new`,
          `${formatNumber(counts.updated)} changed`,
          `${formatNumber(counts.unchanged)} unchanged`,
          `${formatNumber(counts.rejected)} rejected`,
        ]
      : [`${formatNumber(deleted)} deleted`]
  return (
    <>
      {collectionLabel(collection)}, <Time value={at} />,{' '}
      {describeAuthor(stored.author, stored.key)}. {numbers.join(', ')}.
      {finished === null && ' It did not finish.'}
      {canUndo && undoUntil !== null && (
        <>
          {' '}
          You can undo it until <Time value={undoUntil} type="date" />.
        </>
      )}
    </>
  )
}

/** Reads up to a page of the wanted records of an import, with their names. */
async function readRecords(
  c: DashboardContext,
  stored: StoredImport,
  isWanted: (record: AffectedRecord) => boolean,
) {
  const { store } = c.var
  const records: AffectedRecord[] = []
  const after = c.req.query('after')
  const next = await readAffectedAfter(store, stored, after, async (first) => {
    let cursor: AffectedCursor | undefined = first
    for (let reads = 0; reads < maxReads && records.length < maxShown; reads++) {
      const page = await readAffected(store, stored, cursor)
      records.push(...page.records.filter(isWanted))
      cursor = page.next
      if (!cursor) break
    }
    return cursor
  })
  const names = [...new Set(records.map(({ collection }) => collection))]
  const described = await Promise.all(
    names.map(async (name) => [name, await describeCollection(c, name)] as const),
  )
  const infos = new Map(described)
  const named = records.map((record) => {
    const info = infos.get(record.collection)
    const name = info ? recordTitle(info, JSON.parse(record.document)) : record.id
    return { ...record, name }
  })
  return { records: named, next: next && (await formatAffectedCursor(store, stored, next)) }
}
