import type { ApiError } from '../model/api-error.ts'
import { fromBase64, toBase64 } from '../platform/base64.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { sha256 } from '../platform/sha256.ts'
import { text } from './columns.ts'
import { organisationColumn } from './fragments.ts'
import type { Store } from './store.ts'

/*
 * A cursor holds the position after which a page starts. Positions have ordinals and times, which would tell a
 * restricted client how many hidden records are between two visible ones, so a cursor is encrypted by
 * AES-GCM with a key of the organisation. Additional data binds it to its query; the text inside names the
 * restrictions, which only a read confirms. The nonce is a MAC of all this, so that the same page always has
 * the same cursor.
 */

/** The text of a cursor, undefined on the first page; the query that it must belong to; and the error for any other text. */
export type CursorInput = {
  cursor: string | undefined
  query: readonly unknown[]
  refuse: () => ApiError
}

type Content<Position> = { position: Position; restrictions: string }

const nonceBytes = 12
const maxCharacters = 8192
/** The content is padded to a multiple of this, because its length would reveal that of an ordinal. */
const blockCharacters = 64

/** The keys of an organisation: one encrypts, the other makes nonces. */
type Keys = { encryption: CryptoKey; mac: CryptoKey }

/** The keys of recent organisations. */
const recentKeys = new BoundedMap<string, Keys>(1000)

/** The cursor of the page after a position. Call it after the read of the previous page. */
export async function formatCursor(
  store: Store,
  query: readonly unknown[],
  position: unknown,
): Promise<string> {
  const { encryption, mac } = await readKeys(store)
  const content = JSON.stringify({ position, restrictions: await digestRestrictions(store) })
  const length = Math.ceil(content.length / blockCharacters) * blockCharacters
  const bytes = new TextEncoder().encode(content.padEnd(length))
  const additionalData = encodeQuery(store, query)
  const digest = await crypto.subtle.sign(
    'HMAC',
    mac,
    new Uint8Array([...additionalData, ...bytes]),
  )
  const iv = new Uint8Array(digest, 0, nonceBytes)
  const algorithm = { name: 'AES-GCM', iv, additionalData }
  const encrypted = await crypto.subtle.encrypt(algorithm, encryption, bytes)
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(encrypted)]))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/**
 * Reads the page after a cursor, or the first one. Refuses a cursor that is malformed, or of another
 * organisation, query or restrictions.
 */
export async function readAfter<Position, Page>(
  store: Store,
  { cursor, query, refuse }: CursorInput,
  read: (position: Position | undefined) => Promise<Page>,
): Promise<Page> {
  if (cursor === undefined) return read(undefined)
  const content = await decrypt<Position>(store, query, cursor)
  if (!content) {
    // Callers without access get their own error.
    await store.verify({ permissions: ['read'] })
    throw refuse()
  }
  const page = await read(content.position)
  if (content.restrictions !== (await digestRestrictions(store))) throw refuse()
  return page
}

/** The position in a person's cursor; undefined unless it belongs to this query. People have no restrictions. */
export const parseCursorOfPerson = async <Position>(
  store: Store,
  query: readonly unknown[],
  cursor: string,
): Promise<Position | undefined> => (await decrypt<Position>(store, query, cursor))?.position

async function decrypt<Position>(
  store: Store,
  query: readonly unknown[],
  cursor: string,
): Promise<Content<Position> | undefined> {
  if (cursor.length > maxCharacters || !/^[\w-]+$/.test(cursor)) return undefined
  const { encryption } = await readKeys(store)
  try {
    const bytes = fromBase64(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const iv = bytes.slice(0, nonceBytes)
    const encrypted = bytes.slice(nonceBytes)
    const algorithm = { name: 'AES-GCM', iv, additionalData: encodeQuery(store, query) }
    const content = await crypto.subtle.decrypt(algorithm, encryption, encrypted)
    return JSON.parse(new TextDecoder().decode(content))
  } catch {
    return undefined
  }
}

/** Reads the organisation's keys, once in an isolate. */
async function readKeys(store: Store): Promise<Keys> {
  const { organisationId } = store
  const known = recentKeys.get(organisationId)
  if (known) return known
  const { head } = await store.select({
    head: { key: text(organisationColumn(store, 'cursor_key')) },
  })
  const bytes = Uint8Array.from(head.key.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const { subtle } = crypto
  const keys = {
    encryption: await subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
    mac: await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  }
  recentKeys.set(organisationId, keys)
  return keys
}

const encodeQuery = ({ organisationId }: Store, query: readonly unknown[]) =>
  new TextEncoder().encode(JSON.stringify([organisationId, ...query]))

const digestRestrictions = ({ credential }: Store) =>
  sha256(JSON.stringify(credential.restrictions))
