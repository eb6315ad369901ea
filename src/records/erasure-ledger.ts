import { ApiError } from '../model/api-error.ts'
import type { Kind } from '../model/schema.ts'
import { sha256 } from '../platform/sha256.ts'
import { withTimeout } from '../platform/timeout.ts'

/*
 * Who was erased, and when, in KV: no restore of the records' database takes it back. An entry is
 * noted before the person is erased. So one whose erasure was broken off is there, and a replay
 * finishes that; one whose erasure was refused is taken back.
 */

/** An entry of the ledger. Nothing else of a person is kept there. */
export type ErasureEntry = { organisationId: string; collection: Kind; id: string; at: string }

const atOnce = 50

/** Notes that a person is about to be erased; gives what takes that back. Throws 503 where it cannot be noted. */
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
      'The ledger of erasures is out of reach, so nothing was erased; try again shortly.',
      { 'Retry-After': '1' },
    )
  }
}

/** Every entry of the ledger, or those of one organisation. */
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

// An id may be longer than a name in KV.
const nameOf = async ({ organisationId, collection, id }: Omit<ErasureEntry, 'at'>) =>
  `${start}${organisationId}:${await sha256(JSON.stringify([collection, id]))}`
