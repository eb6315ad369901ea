import type { Context } from 'hono'
import type { Env } from '../../auth/env.ts'
import type { Content } from '../../formats/content.ts'
import { pageMemory } from '../../formats/page-memory.ts'
import { parseStateEtags, stateEtag } from '../../http/etags.ts'
import {
  type Found,
  type Known,
  knownVersions,
  onlyState,
  type Unchanged,
  versionOf,
} from '../../store/state.ts'

/**
 * Responds to GET with a weak ETag, or with 304 if the client already has the response.
 * The statement that checks the credential also reports the organisation's state, and reads no
 * content if the client or the page memory has a response in that state. `variant` names what the
 * response takes from the other request headers, such as its media type.
 */
export async function respondConditionally(
  c: Context<Env>,
  variant: string,
  read: <U extends Unchanged>(known: Known<U>) => Promise<Found<Content> | U>,
): Promise<Response> {
  const store = c.get('store')
  const { credential, organisationId } = store
  const address = canonicalAddress(c.req.url)
  // Everything that a response depends on besides the state. A read updates the access.
  const identify = () => {
    const { permissions, restrictions } = credential
    const version = c.env.VERSION?.id
    return JSON.stringify([organisationId, permissions, restrictions, version, address, variant])
  }
  const { tags, versions, matchesAny } = parseStateEtags(c.req.header('If-None-Match'))
  const remembered = pageMemory.get(identify())
  const rememberedVersions = remembered ? [versionOf(remembered.state)] : []
  const found = await read(knownVersions([...versions, ...rememberedVersions]))
  const key = identify()
  const page = pageMemory.get(key)
  const current = page?.state === found.state ? page : undefined
  const etag = current?.etag ?? (await buildEtag(found.state, key))
  if (matchesAny || tags.has(etag))
    return new Response(null, { status: 304, headers: { ETag: etag } })
  if (!found.unchanged) return respond(found, key, etag)
  if (current) {
    store.countReturned(current.collection, current.records)
    return new Response(current.bytes, { headers: { ...current.headers, ETag: etag } })
  }
  // The client has another response of this version.
  const content = await read(onlyState)
  const newKey = identify()
  return respond(content, newKey, await buildEtag(content.state, newKey))
}

function respond(
  { body, headers, list, state }: Found<Content>,
  key: string,
  etag: string,
): Response {
  if (!list || typeof body !== 'string')
    return new Response(body, { headers: { ...headers, ETag: etag } })
  const bytes = new TextEncoder().encode(body)
  pageMemory.set(key, { ...list, state, etag, bytes, headers })
  return new Response(bytes, { headers: { ...headers, ETag: etag } })
}

const buildEtag = (state: string, key: string) =>
  stateEtag(versionOf(state), JSON.stringify([state, key]))

/** An address with the parameters in order. The headers of a page have its origin too. */
function canonicalAddress(url: string): string {
  const at = url.indexOf('?')
  if (at < 0) return `${url}?`
  const query = url.slice(at + 1)
  // Without decoding, so that two queries with different meanings stay different.
  return `${url.slice(0, at)}?${query.split('&').sort().join('&')}`
}
