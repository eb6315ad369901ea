import type { Context } from 'hono'
import { invalidField } from '../model/api-error.ts'
import { keepText, readKept } from './feed.ts'
import type { PublishingEnv } from './open-published.ts'
import { readSessions, sessionLicence } from './sessions.ts'

/** The type of a page of Realtime Paged Data Exchange. */
export const feedType = 'application/vnd.openactive.rpde+json; version=1'

/** For how long a page may be stored, in seconds: a follower of an old page finds later changes at the end. */
const pageMaxAge = 3600

/** The same for the last page, which has no items: that is where changes appear. */
export const lastPageMaxAge = 8

/**
 * Responds with a page of OpenActive's feed of sessions (Realtime Paged Data Exchange 1.0), in order of our version and id. The
 * items of one version are never separated, so the version alone says where a page goes on.
 */
export async function respondWithSessions(c: Context<PublishingEnv>): Promise<Response> {
  const { store, publishing, etag } = c.var
  const { origin, pathname } = new URL(c.req.url)
  const key = JSON.stringify(['sessions', store.organisationId, c.req.url])
  const headers = { 'Content-Type': feedType }
  c.set('publicMaxAge', pageMaxAge)
  const kept = readKept(key, etag)
  if (kept) return new Response(kept, { headers })
  const address = `${origin}/o/${encodeURIComponent(store.organisationId)}`
  const organiser = { name: publishing.organisationName, address }
  const items = await readSessions(store, organiser, parseVersion(c.req.query('afterTimestamp')))
  const last = items.at(-1)
  const next = last
    ? `${origin}${pathname}?${new URLSearchParams({ afterTimestamp: String(last.modified), afterId: last.id })}`
    : c.req.url
  const text = JSON.stringify({ next, items, license: sessionLicence })
  if (last) keepText(key, etag, text)
  else c.set('publicMaxAge', lastPageMaxAge)
  return new Response(text, { headers })
}

function parseVersion(text = '0'): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalidField('afterTimestamp', 'invalid_format', 'must be that of the address in next.')
}
