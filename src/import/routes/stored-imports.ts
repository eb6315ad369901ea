import * as z from 'zod'
import { route } from '../../auth/route.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { textParameter, wholeNumber } from '../../http/parameters.ts'
import { closedQuery } from '../../http/query.ts'
import { invalidField } from '../../model/api-error.ts'
import { describeAuthor } from '../../model/author.ts'
import { summariseUndo, undoImport } from '../../records/undo/undo-import.ts'
import { loadCollection } from '../../resources/resources.ts'
import { formatCursor, readAfter } from '../../store/cursors.ts'
import { readAffected } from '../../store/imports/affected-records.ts'
import {
  type AffectedCursor,
  listImports,
  readImport,
  type StoredImport,
} from '../../store/imports/list-imports.ts'
import type { Store } from '../../store/store.ts'

const text = (description: string, example: string) =>
  z.string().meta({ description, examples: [example] })

const textOrNull = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] })

const counts = (description: string, example: Record<string, number>) =>
  z.record(z.string(), z.int()).meta({ description, examples: [example] })

const time = '2026-03-14T09:30:00.000Z'

const Import = z
  .strictObject({
    importId: text('The id of the import.', '42'),
    at: text('When it started, in UTC.', time),
    finished: textOrNull('When it ended; null if it runs or was interrupted.', time),
    by: text('The key or person that imported.', 'key Website (sk_1a2b3c…)'),
    file: textOrNull('The name of the file, if known.', 'members.csv'),
    edited: textOrNull('The field that a bulk edit changed.', 'Tags'),
    collection: text('The collection of the file.', 'members'),
    rows: counts(
      'How many rows were `created`, `updated`, `unchanged`, `rejected`, or `deleted`.',
      {
        created: 2,
        updated: 1,
        unchanged: 7,
        rejected: 0,
      },
    ),
    undoUntil: textOrNull('Until when it can be undone; null if it cannot.', time),
    undo: counts('How many records its undo `reverted` and `left` so far.', {
      reverted: 3,
      left: 0,
    }),
  })
  .meta({ id: 'StoredImport', description: 'An import or a bulk change.' })

const next = textOrNull('`$after` of the next page; null on the last.', '41')

const ImportPage = z
  .strictObject({
    import: Import,
    records: z
      .array(
        z.strictObject({
          collection: text('The collection of the record.', 'members'),
          id: text('The id of the record.', 'member-0001'),
          state: z
            .enum(['unchanged', 'changed', 'deleted', 'undone', 'referenced', 'invalid'])
            .meta({
              description:
                'Its state now: `$undo` reverts `unchanged` ones, unless others refer to one (`referenced`) or its previous version is not valid (`invalid`).',
              examples: ['unchanged'],
            }),
        }),
      )
      .meta({ description: 'Records that it changed.' }),
    next,
  })
  .meta({ id: 'ImportPage' })

const pageImports = 100

const path = { importId: { description: 'The id of an import.', example: '42' } }

export const listImportsRoute = route(
  {
    operationId: 'listImports',
    summary: 'List imports',
    description:
      'Lists imports and bulk changes, newest first, 100 at a time. Needs the `read` and `write` permissions.',
    isAddition: true,
    query: closedQuery({
      $after: wholeNumber(1, Number.MAX_SAFE_INTEGER, {
        description: 'The `next` of the previous page.',
        example: 42,
      }),
    }),
    responses: () => ({
      200: z.strictObject({
        imports: z.array(Import).meta({ description: 'The imports, newest first.' }),
        next,
      }),
      403: ErrorBody,
    }),
  },
  async (c) => {
    const { $after: before } = c.req.valid('query')
    const imports = await listImports(c.var.store, { before, limit: pageImports })
    const last = imports.length === pageImports ? imports.at(-1) : undefined
    return c.json({ imports: imports.map(toImport), next: last ? String(last.id) : null })
  },
)

export const getImportRoute = route(
  {
    operationId: 'getImport',
    summary: 'Get an import with its records',
    description:
      'Returns an import and, as long as it can be undone, its records. A page can be empty although `next` is set.',
    isAddition: true,
    path,
    query: closedQuery({
      $after: textParameter({
        description: 'The `next` of the previous page.',
        example: '2rLx0UEzVnVb9cMjBz0wQk1T',
      }),
    }),
    responses: () => ({
      200: ImportPage,
      403: ErrorBody,
      404: ErrorBody,
    }),
  },
  async (c) => {
    const { store } = c.var
    const found = await readImport(store, parseId(c.req.param('importId')))
    const { $after } = c.req.valid('query')
    const { records, next } = await readAffectedAfter(store, found, $after, (cursor) =>
      readAffected(store, found, cursor),
    )
    const { policy } = store
    const visible = records.filter(
      ({ collection, document }) =>
        policy.allowsCollection(collection) && policy.allowsRecord(collection, document),
    )
    return c.json({
      import: toImport(found),
      records: visible.map(({ collection, id, state }) => ({ collection, id, state })),
      next: next ? await formatAffectedCursor(store, found, next) : null,
    })
  },
)

// Keeps a request short: each page takes a few queries.
const maxRecordsOfRequest = 1000

export const undoImportRoute = route(
  {
    operationId: 'undoImport',
    summary: 'Undo an import',
    description:
      'Reverts the records that nobody has changed since, and returns those that it left: send it again until `next` is null. Needs the `read` and `write` permissions, and a key that sees every record.',
    isAddition: true,
    path,
    query: closedQuery(),
    responses: () => ({
      200: ImportPage,
      403: ErrorBody,
      404: ErrorBody,
      409: ErrorBody,
    }),
  },
  async (c) => {
    const { destination } = await c.var.openRecords()
    const findType = async (name: string) => (await loadCollection(name)).resource
    const id = parseId(c.req.param('importId'))
    const options = { maxRecords: maxRecordsOfRequest }
    const { records, next } = await undoImport({ ...destination, findType }, id, options)
    const undone = await readImport(destination.store, id)
    return c.json({
      import: toImport(undone),
      records: records.map(({ collection, id, reason }) => ({ collection, id, state: reason })),
      next: next && (await formatAffectedCursor(destination.store, undone, next)),
    })
  },
)

const toImport = ({ author, key, counts, deleted, undo, ...stored }: StoredImport) => ({
  importId: String(stored.id),
  at: stored.at,
  finished: stored.finished,
  by: describeAuthor(author, key),
  file: stored.file,
  edited: stored.edited,
  collection: stored.collection,
  rows: deleted === null ? counts : { ...counts, deleted },
  undoUntil: stored.undoUntil,
  undo: undo ? summariseUndo(undo) : {},
})

/** Parses the id of an import; 0, which no import has, for any other text. */
export const parseId = (text = ''): number => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0)

/** Formats a position among the records that an import affected. */
export const formatAffectedCursor = (
  store: Store,
  of: StoredImport,
  position: AffectedCursor,
): Promise<string> => formatCursor(affectedScope(store, of), position)

/** Reads affected records after a cursor, or the first ones. Throws 400 for any other text. */
export const readAffectedAfter = <Page>(
  store: Store,
  of: StoredImport,
  cursor: string | undefined,
  read: (position: AffectedCursor | undefined) => Promise<Page>,
): Promise<Page> => {
  const refuse = () => invalidField('$after', 'invalid_format', 'must be the `next` of an answer.')
  return readAfter({ ...affectedScope(store, of), refuse }, cursor, read)
}

const affectedScope = (store: Store, { id }: StoredImport) => ({ store, query: ['import', id] })
