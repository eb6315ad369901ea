import { pageMemory } from '../formats/page-memory.ts'
import { createErrorLogger, createStream, type ResponseContext } from '../formats/stream.ts'
import { matchesEtag } from '../http/etags.ts'
import { londonDay } from '../model/timestamp.ts'
import { sha256 } from '../platform/sha256.ts'

/** For how long anybody may store published data, in seconds. */
export const maxAge = 600

/** The largest text that is kept in the page memory, in bytes. */
const maxKeptBytes = 1 << 20

/** Published data, in the state that its ETag names. */
const feeds = pageMemory.pagesOf<Uint8Array>('feed', (bytes) => bytes.byteLength)

/**
 * The ETag of published data in a state of the organisation, as a hash: the state itself has the number of changes of its
 * records. `dependencies` are the settings and the format; the day decides which dates are past.
 */
export const feedEtag = async (state: string, ...dependencies: readonly unknown[]) =>
  `W/"${(await sha256(JSON.stringify([state, londonDay(Date.now()), dependencies]))).slice(0, 32)}"`

/** Whether the client has the data with an ETag. */
export const isKnown = ({ req }: ResponseContext, etag: string) =>
  matchesEtag(req.header('If-None-Match') ?? '', etag)

/** Streams a text, or sends it from the page memory. The key names the feed. */
export function respondWithText(
  c: ResponseContext,
  {
    key,
    etag,
    type,
    texts,
  }: { key: string; etag: string; type: string; texts: AsyncGenerator<string, void> },
): Response {
  const headers = { 'Content-Type': type }
  const kept = readKept(key, etag)
  if (kept) return new Response(kept, { headers })
  return new Response(createStream(keep(texts, key, etag), createErrorLogger(c)), { headers })
}

/** The published data with a key and an ETag in the page memory. */
export function readKept(key: string, etag: string): Uint8Array | undefined {
  const kept = feeds.get(key)
  return kept?.state === etag ? kept.content : undefined
}

/** Keeps published data in the page memory unless it is too long. */
export function keepText(key: string, etag: string, text: string): void {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= maxKeptBytes) feeds.set(key, { state: etag, content: bytes })
}

/** Passes texts on, and keeps them in the page memory. */
async function* keep(texts: AsyncGenerator<string, void>, key: string, etag: string) {
  let whole = ''
  for await (const text of texts) {
    if (whole.length <= maxKeptBytes) whole += text
    yield text
  }
  keepText(key, etag, whole)
}
