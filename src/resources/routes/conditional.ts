import type { Context } from 'hono'
import type { Env } from '../../auth/env.ts'
import type { Content } from '../../formats/content.ts'
import { pageMemory } from '../../formats/page-memory.ts'
import { parseStateEtags, stateEtag } from '../../http/etags.ts'
import { type Found, type Known, onlyState, type Unchanged, versionOf } from '../../store/state.ts'
import { canonicalAddress, pageKey, recall } from './recall.ts'

/** The response of a list page, and the number of its records. */
type ListResponse = {
  etag: string
  bytes: Uint8Array
  headers: Record<string, string>
  collection: string
  records: number
}

const responses = pageMemory.pagesOf<ListResponse>('response', ({ bytes }) => bytes.byteLength)

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
  const address = canonicalAddress(c.req.url)
  const keyOfPage = () => pageKey(c.env, store, address, variant)
  const {
    tags,
    versions: clientVersions,
    matchesAny,
  } = parseStateEtags(c.req.header('If-None-Match'))
  const { key, found, remembered } = await recall(responses, keyOfPage, read<Unchanged>, {
    clientVersions,
  })
  const etag = remembered?.etag ?? (await buildEtag(found.state, key))
  if (matchesAny || tags.has(etag))
    return new Response(null, { status: 304, headers: { ETag: etag } })
  if (!found.unchanged) return respond(found, key, etag)
  if (remembered) {
    store.countReturned(remembered.collection, remembered.records)
    return new Response(remembered.bytes, { headers: { ...remembered.headers, ETag: etag } })
  }
  // The client has another response of this version.
  const content = await read(onlyState)
  const newKey = keyOfPage()
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
  responses.set(key, { state, content: { ...list, etag, bytes, headers } })
  return new Response(bytes, { headers: { ...headers, ETag: etag } })
}

const buildEtag = (state: string, key: string) =>
  stateEtag(versionOf(state), JSON.stringify([state, key]))
