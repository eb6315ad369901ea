import { type Context, Hono } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { historyOf } from '../../store/history.ts'
import { ask } from '../api.ts'
import { flashOf } from '../flash.ts'
import { only } from '../may.ts'
import { described } from './described.ts'
import { editPage, newPage, saveEdit, saveNew } from './edit.tsx'
import { erase, erasePage } from './erase.tsx'
import { namedOf, namingOf } from './links.ts'
import { listed } from './list.ts'
import { ListPage } from './list-page.tsx'
import { listQueryOf } from './list-query.ts'
import { mergePage, saveMerge } from './merge-page.tsx'
import { apiPathOf, pathOfCollection } from './paths.ts'
import { recordOf } from './record.ts'
import { RecordPage } from './record-page.tsx'
import { remove, removePage } from './remove.tsx'
import { searchPage } from './search-page.tsx'

const shownLinks = 10

const writers = only('write', 'You may look at records here, and not change them.')
const erasers = only('administer', 'Only administrators of the organisation erase people.')

type OfCollection = '/:collection'
type OfRecord = '/:collection/:id'

/** Records: every collection as a table, its records as pages, and what may be done to them. */
export const recordPages = new Hono<DashboardEnv>()
  .get('/', (c) => c.redirect(pathOfCollection(c, 'members'), 303))
  .get('/search', (c) => searchPage(c))
  .get('/:collection', (c) => listPage(c))
  .get('/csv/:collection', (c) => {
    const query = new URLSearchParams(new URL(c.req.url).search)
    query.set('$format', 'csv')
    query.set('$labels', 'true')
    query.set('$bom', 'true')
    return ask(c, `/${encodeURIComponent(c.req.param('collection'))}?${query}`)
  })
  .get('/new/:collection', writers, (c) => newPage(c, c.req.param('collection')))
  .post('/new/:collection', writers, (c) => saveNew(c, c.req.param('collection')))
  .get('/:collection/:id', (c) => recordPage(c))
  .get('/:collection/:id/edit', writers, (c) => editPage(c, ...recordIn(c)))
  .post('/:collection/:id/edit', writers, (c) => saveEdit(c, ...recordIn(c)))
  .get('/:collection/:id/merge', writers, (c) => mergePage(c, ...recordIn(c)))
  .post('/:collection/:id/merge', writers, (c) => saveMerge(c, ...recordIn(c)))
  .get('/:collection/:id/delete', writers, (c) => removePage(c, ...recordIn(c)))
  .post('/:collection/:id/delete', writers, (c) => remove(c, ...recordIn(c)))
  .get('/:collection/:id/everything', writers, (c) => everythingFile(c))
  .get('/:collection/:id/erase', erasers, (c) => erasePage(c, ...recordIn(c)))
  .post('/:collection/:id/erase', erasers, (c) => erase(c, ...recordIn(c)))

const recordIn = (c: Context<DashboardEnv, OfRecord>) =>
  [c.req.param('collection'), c.req.param('id')] as const

async function listPage(c: Context<DashboardEnv, OfCollection>) {
  const about = await described(c, c.req.param('collection'))
  const query = listQueryOf(new URL(c.req.url).searchParams, about)
  const list = await listed(c, about, query)
  const { notice } = flashOf(c)
  return c.html(<ListPage c={c} described={about} query={query} list={list} notice={notice} />)
}

/** Everything of a person, as a file. */
function everythingFile(c: Context<DashboardEnv, OfRecord>) {
  const [name, id] = recordIn(c)
  const query = new URLSearchParams({ $format: c.req.query('$format') ?? 'zip' })
  return ask(c, `${apiPathOf(name, id)}/$everything?${query}`)
}

async function recordPage(c: Context<DashboardEnv, OfRecord>) {
  const [name, id] = recordIn(c)
  const about = await described(c, name)
  const record = await recordOf(c, about, id)
  const [named, naming, history] = await Promise.all([
    namedOf(c, about, record.values),
    namingOf(c, name, id, shownLinks),
    historyOf(c.var.store, name, id),
  ])
  const { notice } = flashOf(c)
  return c.html(
    <RecordPage
      c={c}
      described={about}
      record={record}
      named={named}
      naming={naming}
      history={history}
      notice={notice}
    />,
  )
}
