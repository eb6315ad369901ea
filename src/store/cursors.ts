import type { ApiError } from '../model/api-error.ts'
import { fromBase64, toBase64 } from '../platform/base64.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { sha256 } from '../platform/sha256.ts'
import { type Columns, text } from './columns.ts'
import { organisationColumn } from './fragments.ts'
import type { Row } from './statement.ts'
import type { Store } from './store.ts'

/*
 * A cursor holds the position after which a page starts. Positions have ordinals and times, which would tell a
 * restricted client how many hidden records are between two visible ones, so a cursor is encrypted by
 * AES-GCM with a key of the organisation. Additional data binds it to its query; the text inside names the
 * restrictions, which only a read confirms. The nonce is a MAC of all this, so that the same page always has
 * the same cursor.
 *
 * The cursor of the change feed is short and readable instead: every reader knows its versions from the feed
 * itself. A checksum binds it to the organisation.
 */

/** The query of an organisation that cursors belong to. */
export type CursorScope = { store: Store; query: readonly unknown[] }

type Content<P> = { position: P; restrictions: string }

const nonceBytes = 12
const maxCharacters = 8192
/** The content is padded to a multiple of this, because its length would reveal that of an ordinal. */
const blockCharacters = 64

/** The keys of an organisation: one encrypts, the other makes nonces. */
type Keys = { encryption: CryptoKey; mac: CryptoKey; readAt: number }

/** An organisation that is removed and created again has another key. */
const maxKeyAgeMs = 60_000

/** The keys of recent organisations. */
const recentKeys = new BoundedMap<string, Keys>(1000)

/** The cursor of the page after a position. Call it after the read of the previous page. */
export async function formatCursor(scope: CursorScope, position: unknown): Promise<string> {
  const { store } = scope
  const { encryption, mac } = await readKeys(store)
  const content = JSON.stringify({ position, restrictions: await digestRestrictions(store) })
  const length = Math.ceil(content.length / blockCharacters) * blockCharacters
  const bytes = new TextEncoder().encode(content.padEnd(length))
  const additionalData = encodeScope(scope)
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

/** The cursor of the page after this one; undefined on the last page, and on a page of a download, which goes on by itself. */
export const formatNextCursor = async (
  scope: CursorScope,
  { next }: { next?: object | undefined },
): Promise<string | undefined> => (next && 'keys' in next ? formatCursor(scope, next) : undefined)

/**
 * Reads the page after a cursor, or the first one. Refuses a cursor that is malformed, or of another
 * organisation, query or restrictions.
 */
export async function readAfter<P, Page>(
  scope: CursorScope & { refuse: () => ApiError },
  cursor: string | undefined,
  read: (position: P | undefined) => Promise<Page>,
): Promise<Page> {
  if (cursor === undefined) return read(undefined)
  const { store, refuse } = scope
  const content = await decrypt<P>(scope, cursor)
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
export const parseCursorOfPerson = async <P>(
  scope: CursorScope,
  cursor: string,
): Promise<P | undefined> => (await decrypt<P>(scope, cursor))?.position

async function decrypt<P>(scope: CursorScope, cursor: string): Promise<Content<P> | undefined> {
  if (cursor.length > maxCharacters || !/^[\w-]+$/.test(cursor)) return undefined
  const { encryption } = await readKeys(scope.store)
  try {
    const bytes = fromBase64(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const iv = bytes.slice(0, nonceBytes)
    const encrypted = bytes.slice(nonceBytes)
    const algorithm = { name: 'AES-GCM', iv, additionalData: encodeScope(scope) }
    const content = await crypto.subtle.decrypt(algorithm, encryption, encrypted)
    return JSON.parse(new TextDecoder().decode(content))
  } catch {
    return undefined
  }
}

/** The column with the organisation's key. */
const keyColumn = (store: Store) => ({ cursorKey: text(organisationColumn(store, 'cursor_key')) })

/** The columns that the head of a page needs for the cursor after it: none while this isolate knows the keys. */
export const cursorColumns = (store: Store): Columns => (findKeys(store) ? {} : keyColumn(store))

/** Remembers the key that a page has read with `cursorColumns`, which saves the cursor its own statement. */
export async function rememberCursorKey(store: Store, { cursorKey }: Row): Promise<void> {
  if (typeof cursorKey === 'string') await importKeys(store, cursorKey)
}

/** The organisation's keys, which this isolate reads once a minute. */
async function readKeys(store: Store): Promise<Keys> {
  const known = findKeys(store)
  if (known) return known
  const { head } = await store.select({ head: keyColumn(store) })
  return importKeys(store, head.cursorKey)
}

function findKeys({ organisationId }: Store): Keys | undefined {
  const known = recentKeys.get(organisationId)
  return known && Math.abs(Date.now() - known.readAt) < maxKeyAgeMs ? known : undefined
}

async function importKeys({ organisationId }: Store, key: string): Promise<Keys> {
  const bytes = Uint8Array.from(key.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const { subtle } = crypto
  const keys = {
    encryption: await subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']),
    readAt: Date.now(),
    mac: await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
  }
  recentKeys.set(organisationId, keys)
  return keys
}

const encodeScope = ({ query }: CursorScope) => new TextEncoder().encode(JSON.stringify(query))

/**
 * A client's position in the change feed, after the version `after`. The client needs no deletions
 * up to `since`, because it started at that version without records.
 */
export type FeedPosition = { after: number; since: number }

/** The cursor of the change feed after a position. */
export async function formatFeedCursor(
  { organisationId }: Store,
  { after, since }: FeedPosition,
): Promise<string> {
  const numbers = since > after ? [after, since] : [after]
  const text = numbers.map((number) => number.toString(36)).join('.')
  return `${text}.${await checksum(organisationId, text)}`
}

/** The position of a cursor of the change feed; undefined unless it belongs to this organisation. */
export async function parseFeedCursor(
  { organisationId }: Store,
  cursor: string,
): Promise<FeedPosition | undefined> {
  const [, text = '', after = '', since = after, cursorChecksum] =
    /^(([0-9a-z]{1,10})(?:\.([0-9a-z]{1,10}))?)\.([0-9a-f]{12})$/.exec(cursor) ?? []
  if (cursorChecksum === undefined || cursorChecksum !== (await checksum(organisationId, text)))
    return undefined
  return { after: Number.parseInt(after, 36), since: Number.parseInt(since, 36) }
}

const checksum = async (organisationId: string, text: string) =>
  (await sha256(JSON.stringify([organisationId, text]))).slice(0, 12)

const digestRestrictions = ({ credential }: Store) =>
  sha256(JSON.stringify(credential.restrictions))
