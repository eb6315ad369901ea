import { sha256 } from '../../platform/sha256.ts'
import { invalidField } from '../api-error.ts'
import type { Position, SortKey } from './query-options.ts'

/** A parsed `$skiptoken`: the position before the page, and a checksum that binds it to its query. */
export type SkipToken = { position: Position; checksum: string }

const [maxTokenCharacters, maxKeyCharacters] = [8192, 1024]

/**
 * Returns the token of the page after a position. The scope is everything that must be the same
 * for the following page: organisation, collection, query and restrictions.
 */
export async function formatSkipToken(
  position: Position,
  scope: readonly unknown[],
): Promise<string> {
  const { ordinal, keys } = position
  const bytes = new TextEncoder().encode(
    JSON.stringify([ordinal, keys, await checksum(position, scope)]),
  )
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Parses a token for an order by `fields` fields; undefined if it is malformed. */
export function parseSkipToken(text: string, fields: number): SkipToken | undefined {
  const value = parseJson(text)
  if (!Array.isArray(value)) return undefined
  const [ordinal, keys, checksum]: unknown[] = value
  const isValid =
    typeof ordinal === 'number' &&
    Number.isSafeInteger(ordinal) &&
    ordinal >= 0 &&
    Array.isArray(keys) &&
    keys.length === fields &&
    keys.every(isSortKey) &&
    typeof checksum === 'string'
  return isValid ? { position: { ordinal, keys }, checksum } : undefined
}

/** Throws 400 unless a token belongs to this scope. */
export async function requireScope(token: SkipToken, scope: readonly unknown[]): Promise<void> {
  if (token.checksum !== (await checksum(token.position, scope))) throw invalidToken()
}

/** The message for a token that is malformed or of another query. */
export const foreignToken =
  'is not the token of a page of this query with these credentials: start again without it.'

const invalidToken = () => invalidField('$skiptoken', 'invalid_format', foreignToken)

const checksum = async ({ ordinal, keys }: Position, scope: readonly unknown[]) =>
  (await sha256(JSON.stringify([ordinal, keys, scope]))).slice(0, 24)

function parseJson(text: string): unknown {
  if (text.length > maxTokenCharacters || !/^[\w-]+$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    return undefined
  }
}

function isSortKey(key: unknown): key is SortKey {
  if (typeof key === 'string') return key.length <= maxKeyCharacters
  if (typeof key === 'number' || key === null) return true
  if (typeof key !== 'object' || !('hex' in key) || Object.keys(key).length > 1) return false
  const { hex } = key
  return typeof hex === 'string' && /^(?:[\da-f]{2}){0,512}$/i.test(hex)
}
