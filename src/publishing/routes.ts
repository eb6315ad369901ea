import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { limitPublicPages } from '../auth/limits.ts'
import { respondWithTable } from '../formats/table-file.ts'
import type { HttpEnv } from '../http/env.ts'
import type { Bindings } from '../platform/bindings.ts'
import type { Store } from '../store/store.ts'
import { feedEtag, isKnown, maxAge, respondWithText } from './feed.ts'
import { headings, toCells } from './grant-columns.ts'
import { writePackage } from './grant-package.ts'
import { listPublishedGrants } from './list-grants.ts'
import { openPublishedStore, type Publishing, readPublishing } from './settings.ts'

/** The Hono environment of published data. */
export type PublishingEnv = {
  Bindings: HttpEnv['Bindings'] & Bindings
  Variables: HttpEnv['Variables'] & { store: Store; publishing: Publishing; etag: string }
}

/** Opens the grants of the organisation in the path, or responds with 404 or 304. */
const openGrants = createMiddleware<PublishingEnv, '/:organisation/*'>(async (c, next) => {
  await limitPublicPages(c)
  const store = openPublishedStore(c.env, c.req.param('organisation'), 'grants')
  const { state, publishing } = await readPublishing(store)
  const etag = await feedEtag(state, c.env.VERSION?.id, c.req.path, publishing)
  c.set('store', store)
  c.set('publishing', publishing)
  c.set('etag', etag)
  c.set('publicMaxAge', maxAge)
  if (isKnown(c, etag)) c.res = new Response(null, { status: 304 })
  else await next()
  c.res.headers.set('ETag', etag)
  // Other websites may read what everybody may.
  c.res.headers.set('Access-Control-Allow-Origin', '*')
})

/** The open data of an organisation, which anybody may read. */
export const routes = new Hono<PublishingEnv>()
  .get('/:organisation/grants.json', openGrants, (c) => {
    const { store, publishing, etag } = c.var
    const { origin, pathname } = new URL(c.req.url)
    return respondWithText(c, {
      key: JSON.stringify(['grants', store.organisationId, origin]),
      etag,
      type: 'application/json',
      texts: writePackage(listGrants(c), publishing, origin + pathname),
    })
  })
  .get('/:organisation/grants.csv', openGrants, (c) => respondWithGrants(c, 'csv'))
  .get('/:organisation/grants.xlsx', openGrants, (c) => respondWithGrants(c, 'xlsx'))

const respondWithGrants = (c: Context<PublishingEnv>, format: 'csv' | 'xlsx') =>
  respondWithTable(c, { format, name: 'grants', label: 'grants', headings, rows: listRows(c) })

const listGrants = ({ var: { store, publishing }, env }: Context<PublishingEnv>) =>
  listPublishedGrants(store, env.GEOGRAPHY, publishing)

async function* listRows(c: Context<PublishingEnv>) {
  for await (const chunk of listGrants(c)) yield chunk.map(toCells)
}
