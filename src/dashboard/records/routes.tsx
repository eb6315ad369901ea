import { type Context, Hono } from 'hono'
import { ApiError } from '../../model/api-error.ts'
import { loadCollections } from '../../resources/collections.ts'
import {
  collectPersonalData,
  respondWithPersonalData,
} from '../../resources/routes/personal-data.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { renderChoices } from '../collection/picker.tsx'
import { requireAction } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { takeFlash } from '../ui/notice.tsx'
import { collectionPath } from '../ui/paths.ts'
import { renderDeletePage, submitDeletion } from './delete/delete-page.tsx'
import { renderDeletedPage } from './delete/deleted-page.tsx'
import { renderErasePage, submitErasure } from './delete/erase-page.tsx'
import { submitRestore } from './delete/restore.ts'
import { dismissDuplicate, renderDuplicatesPage } from './duplicates/duplicates-page.tsx'
import { renderMergePage, saveMerge } from './duplicates/merge-page.tsx'
import { renderEditPage, saveEdit } from './form/edit-record.tsx'
import { renderNewPage, saveNew } from './form/new-record.tsx'
import { renderSearchPage } from './list/search-page.tsx'
import { showListPage } from './list-page.tsx'
import { renderHistoryPage } from './record/history.tsx'
import { undoChange } from './record/undo.tsx'
import { renderRecordPage } from './record/view-page.tsx'
import { selectedRoutes } from './selected/routes.ts'

const requireEditor = requireAction(
  'write',
  'Your role allows you to read records but not to change them.',
)
const requireAdministrator = requireAction(
  'administer',
  'Only administrators of the organisation can erase people.',
)

type CollectionPath = '/:collection'
type RecordPath = '/:collection/:id'

/** The record pages: lists, single records and their actions. */
export const recordRoutes = new Hono<DashboardEnv>()
  .get('/', (c) => c.redirect(collectionPath(c, 'members'), 303))
  .get('/search', (c) => renderSearchPage(c))
  .get('/duplicates/:kind', requireEditor, (c) => renderDuplicatesPage(c, c.req.param('kind')))
  .post('/duplicates/:kind', requireEditor, (c) => dismissDuplicate(c, c.req.param('kind')))
  .get('/deleted', (c) => renderDeletedPage(c))
  .route('/', selectedRoutes)
  .get('/:collection', (c) => renderListPage(c))
  .get('/csv/:collection', (c) => download(c, 'csv'))
  .get('/xlsx/:collection', (c) => download(c, 'xlsx'))
  .get('/pick/:collection', (c) => renderChoices(c, c.req.param('collection')))
  .get('/new/:collection', requireEditor, (c) => renderNewPage(c, c.req.param('collection')))
  .post('/new/:collection', requireEditor, (c) => saveNew(c, c.req.param('collection')))
  .get('/:collection/:id', (c) => renderRecordPage(c, ...recordParameters(c)))
  .get('/:collection/:id/history', (c) => renderHistoryPage(c, ...recordParameters(c)))
  .post('/:collection/:id/undo', requireEditor, (c) => undoChange(c, ...recordParameters(c)))
  .post('/:collection/:id/restore', requireEditor, (c) => submitRestore(c, ...recordParameters(c)))
  .get('/:collection/:id/edit', requireEditor, (c) => renderEditPage(c, ...recordParameters(c)))
  .post('/:collection/:id/edit', requireEditor, (c) => saveEdit(c, ...recordParameters(c)))
  .get('/:collection/:id/merge', requireEditor, (c) => renderMergePage(c, ...recordParameters(c)))
  .post('/:collection/:id/merge', requireEditor, (c) => saveMerge(c, ...recordParameters(c)))
  .get('/:collection/:id/delete', requireEditor, (c) => renderDeletePage(c, ...recordParameters(c)))
  .post('/:collection/:id/delete', requireEditor, (c) => submitDeletion(c, ...recordParameters(c)))
  .get('/:collection/:id/export', (c) => exportPerson(c))
  .get('/:collection/:id/erase', requireAdministrator, (c) =>
    renderErasePage(c, ...recordParameters(c)),
  )
  .post('/:collection/:id/erase', requireAdministrator, (c) =>
    submitErasure(c, ...recordParameters(c)),
  )

const recordParameters = (c: Context<DashboardEnv, RecordPath>) =>
  [c.req.param('collection'), c.req.param('id')] as const

const renderListPage = (c: Context<DashboardEnv, CollectionPath>) =>
  showListPage(c, c.req.param('collection'), takeFlash(c))

/** Downloads the records of a list's view. */
async function download(c: Context<DashboardEnv, CollectionPath>, format: 'csv' | 'xlsx') {
  const collection = await describeCollection(c, c.req.param('collection'))
  const { downloadList } = await import('./list/download.ts')
  return downloadList(c, collection, format)
}

/** Downloads all data of a person as a file. */
async function exportPerson(c: Context<DashboardEnv, RecordPath>) {
  const [name, id] = recordParameters(c)
  const { resource } = await describeCollection(c, name)
  if (!resource.kind) throw new ApiError('NOT_FOUND', 'Only people can be exported.')
  const collections = await loadCollections()
  const data = await collectPersonalData(c.var.store, resource, id, collections)
  return respondWithPersonalData(c, data, c.req.query('$format') === 'json' ? 'json' : 'zip')
}
