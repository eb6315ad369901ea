import type { Context } from 'hono'
import { Hono } from '../../http/hono.ts'
import { ApiError } from '../../model/api-error.ts'
import { describeCollection } from '../collection/collection-info.ts'
import { requireAction } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { takeFlash } from '../ui/notice.tsx'
import { collectionPath } from '../ui/paths.ts'

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

/** The record pages: lists, single records and their actions. Each page loads its code with the first request. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => c.redirect(collectionPath(c, 'members'), 303))
  .get('/search', async (c) => (await import('./list/search-page.tsx')).renderSearchPage(c))
  .get('/duplicates/:kind', requireEditor, async (c) =>
    (await import('./duplicates/duplicates-page.tsx')).renderDuplicatesPage(c, c.req.param('kind')),
  )
  .post('/duplicates/:kind', requireEditor, async (c) =>
    (await import('./duplicates/duplicates-page.tsx')).dismissDuplicate(c, c.req.param('kind')),
  )
  .get('/deleted', async (c) => (await import('./delete/deleted-page.tsx')).renderDeletedPage(c))
  .post('/:collection/selected', async (c) =>
    (await import('./selected/actions.ts')).openAction(c, c.req.param('collection')),
  )
  .post('/:collection/selected/apply', async (c) =>
    (await import('./selected/actions.ts')).applyAction(c, c.req.param('collection')),
  )
  .get('/series', async (c) => (await import('./series/list-page.tsx')).renderSeriesList(c))
  .get('/:collection', (c) => renderListPage(c))
  .get('/csv/:collection', (c) => download(c, 'csv'))
  .get('/xlsx/:collection', (c) => download(c, 'xlsx'))
  .get('/pick/:collection', async (c) =>
    (await import('../collection/picker.tsx')).renderChoices(c, c.req.param('collection')),
  )
  .get('/new/:collection', requireEditor, async (c) =>
    (await import('./form/new-record.tsx')).renderNewPage(c, c.req.param('collection')),
  )
  .post('/new/:collection', requireEditor, async (c) =>
    (await import('./form/new-record.tsx')).saveNew(c, c.req.param('collection')),
  )
  .get('/series/:id/add', requireEditor, async (c) =>
    (await import('./series/add-dates-page.tsx')).renderAddPage(c, c.req.param('id')),
  )
  .post('/series/:id/add', requireEditor, async (c) =>
    (await import('./series/add-dates-page.tsx')).submitDates(c, c.req.param('id')),
  )
  .get('/series/:id/change', requireEditor, async (c) =>
    (await import('./series/change-dates-page.tsx')).renderChangeDatesPage(c, c.req.param('id')),
  )
  .post('/series/:id/change', requireEditor, async (c) =>
    (await import('./series/change-dates-page.tsx')).submitChange(c, c.req.param('id')),
  )
  .get('/series/:id/poster', async (c) =>
    (await import('./series/poster-page.tsx')).renderPoster(c, c.req.param('id')),
  )
  .get('/:collection/:id', async (c) =>
    (await import('./record/view-page.tsx')).renderRecordPage(c, ...recordParameters(c)),
  )
  .get('/:collection/:id/history', async (c) =>
    (await import('./record/history.tsx')).renderHistoryPage(c, ...recordParameters(c)),
  )
  .post('/:collection/:id/undo', requireEditor, async (c) =>
    (await import('./record/undo.tsx')).undoChange(c, ...recordParameters(c)),
  )
  .post('/:collection/:id/restore', requireEditor, async (c) =>
    (await import('./delete/restore.ts')).submitRestore(c, ...recordParameters(c)),
  )
  .get('/:collection/:id/edit', requireEditor, async (c) =>
    (await import('./form/edit-record.tsx')).renderEditPage(c, ...recordParameters(c)),
  )
  .post('/:collection/:id/edit', requireEditor, async (c) =>
    (await import('./form/edit-record.tsx')).saveEdit(c, ...recordParameters(c)),
  )
  .get('/:collection/:id/merge', requireEditor, async (c) =>
    (await import('./duplicates/merge-page.tsx')).renderMergePage(c, ...recordParameters(c)),
  )
  .post('/:collection/:id/merge', requireEditor, async (c) =>
    (await import('./duplicates/merge-page.tsx')).saveMerge(c, ...recordParameters(c)),
  )
  .get('/:collection/:id/delete', requireEditor, async (c) =>
    (await import('./delete/delete-page.tsx')).renderDeletePage(c, ...recordParameters(c)),
  )
  .post('/:collection/:id/delete', requireEditor, async (c) =>
    (await import('./delete/delete-page.tsx')).submitDeletion(c, ...recordParameters(c)),
  )
  .get('/:collection/:id/export', (c) => exportPerson(c))
  .get('/:collection/:id/erase', requireAdministrator, async (c) =>
    (await import('./delete/erase-page.tsx')).renderErasePage(c, ...recordParameters(c)),
  )
  .post('/:collection/:id/erase', requireAdministrator, async (c) =>
    (await import('./delete/erase-page.tsx')).submitErasure(c, ...recordParameters(c)),
  )

const recordParameters = (c: Context<DashboardEnv, RecordPath>) =>
  [c.req.param('collection'), c.req.param('id')] as const

async function renderListPage(c: Context<DashboardEnv, CollectionPath>) {
  const { showListPage } = await import('./list-page.tsx')
  return showListPage(c, c.req.param('collection'), takeFlash(c))
}

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
  const [{ collectPersonalData, respondWithPersonalData }, { loadCollections }] = await Promise.all(
    [import('../../resources/routes/personal-data.ts'), import('../../resources/collections.ts')],
  )
  const data = await collectPersonalData(c.var.store, resource, id, await loadCollections())
  return respondWithPersonalData(c, data, c.req.query('$format') === 'json' ? 'json' : 'zip')
}
