import { createMiddleware } from 'hono/factory'
import { limitPublicPages } from '../auth/limits.ts'
import type { HttpEnv } from '../http/env.ts'
import type { Bindings } from '../platform/bindings.ts'
import type { Store } from '../store/store.ts'
import { feedEtag, isKnown } from './feed.ts'
import {
  openPublishedStore,
  type PublishedPart,
  type Publishing,
  readPublishing,
} from './settings.ts'

/** The Hono environment of published data. */
export type PublishingEnv = {
  Bindings: HttpEnv['Bindings'] & Bindings
  Variables: HttpEnv['Variables'] & { store: Store; publishing: Publishing; etag: string }
}

/** Opens a part of the open data of the organisation in the path, or responds with 404 or 304. `maxAge` is in seconds. */
export const openPublished = (part: PublishedPart, maxAge: number) =>
  createMiddleware<PublishingEnv, '/:organisation/*'>(async (c, next) => {
    await limitPublicPages(c)
    const store = openPublishedStore(c.env, c.req.param('organisation'), part)
    const { state, publishing } = await readPublishing(store)
    // Sessions end within the day.
    const period = part === 'sessions' ? Math.floor(Date.now() / 600_000) : 0
    const etag = await feedEtag(state, c.env.VERSION?.id, c.req.url, period, publishing)
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
