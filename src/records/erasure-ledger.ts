import { ApiError } from '../model/api-error.ts'
import type { Kind } from '../model/properties/schema.ts'
import { sha256 } from '../platform/sha256.ts'
import { withTimeout } from '../platform/timeout.ts'

/*
 * The erasure ledger is in KV, so that restoring the database does not undo it. An entry is written
 * before the person is erased: a replay finishes an interrupted erasure, and the entry of a refused
 * one is deleted.
 */

/** An entry of the ledger. The ledger stores nothing else about a person. */
export type ErasureEntry = { organisationId: string; collection: Kind; id: string; at: string }

const atOnce = 50

/**
 * Notes that a person will be erased, and returns a function that deletes the entry. Throws 503 if
 * KV fails.
 */
export async function noteErasure(
  ledger: KVNamespace,
  person: Omit<ErasureEntry, 'at'>,
): Promise<() => Promise<void>> {
  const name = await nameOf(person)
  try {
    const before = await withTimeout(ledger.get(name))
    await withTimeout(ledger.put(name, JSON.stringify({ ...person, at: new Date().toISOString() })))
    return () => (before === null ? ledger.delete(name) : ledger.put(name, before))
  } catch {
    throw new ApiError(
      'UNAVAILABLE',
      'The erasure ledger is unavailable, so nothing was erased: try again shortly.',
      { 'Retry-After': '1' },
    )
  }
}

/** Yields every entry of the ledger, or those of one organisation. */
export async function* listErasures(
  ledger: KVNamespace,
  organisationId?: string,
): AsyncGenerator<ErasureEntry> {
  const prefix = organisationId === undefined ? start : `${start}${organisationId}:`
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await ledger.list({ prefix, cursor })
    const names = page.keys.map(({ name }) => name)
    for (let from = 0; from < names.length; from += atOnce) {
      const part = names.slice(from, from + atOnce)
      const entries = await Promise.all(part.map((name) => ledger.get<ErasureEntry>(name, 'json')))
      for (const entry of entries) if (entry) yield entry
    }
    cursor = page.list_complete ? null : page.cursor
  } while (cursor)
}

const start = 'erased:'

// An id may be longer than a KV key.
const nameOf = async ({ organisationId, collection, id }: Omit<ErasureEntry, 'at'>) =>
  `${start}${organisationId}:${await sha256(JSON.stringify([collection, id]))}`
