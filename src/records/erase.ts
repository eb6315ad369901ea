import { checkPreconditions, type Preconditions } from '../http/preconditions.ts'
import { ApiError } from '../model/api-error.ts'
import { notFound } from '../model/collection.ts'
import type { Kind } from '../model/properties/schema.ts'
import { sha256 } from '../platform/sha256.ts'
import type { Store } from '../store/store.ts'
import { runErasureStep } from '../store/write/erase.ts'
import { countMatched } from '../store/write/person-links.ts'
import { type Erasure, previewErasure } from '../store/write/preview-erasure.ts'
import type { RecordType } from './rules.ts'

/** The kind of a person to erase, with its names for messages. */
export type PersonTarget = Pick<RecordType, 'singular' | 'id'> & { kind: Kind }

/** A record that is also linked to other people. */
export type SharedRecord = { collection: string; id: string }

/**
 * The result of an erasure: the number of referring records by collection and of those with a detail of the
 * person, and the records of other people that stay without the link or detail.
 */
export type ErasureResult = {
  namedBy: Record<string, number>
  matched: Record<string, number>
  shared: SharedRecord[]
}

// Keeps a request well below Cloudflare's limit on the number of queries.
const maxStepsOfRequest = 100

/**
 * Erases a person. Accepts a deleted person with previous versions, and a person with only
 * referring records left, so that a repeated request finishes the erasure. Throws 403, 404, 412, and 503 after too many steps.
 */
export async function erase(
  store: Store,
  ledger: KVNamespace,
  target: PersonTarget,
  id: string,
  { match }: Preconditions = {},
  maxSteps = maxStepsOfRequest,
): Promise<ErasureResult> {
  const versions = match === '*' ? undefined : match
  const { kind } = target
  const erasure: Erasure = { kind, id, versions }
  const admitted = ({ version }: { version: number | null }) => {
    if (match) checkPreconditions({ match }, version ?? undefined)
  }
  const preview = await previewErasure(store, erasure)
  if (!preview.isStored) throw notFound(target)
  admitted(preview)
  const { organisationId } = store
  const takeBack = await noteErasure(ledger, { organisationId, collection: kind, id })
  const shared = new Map<string, SharedRecord>()
  let isGone = false
  let next = preview.first
  for (let step = 0; step < maxSteps; step++) {
    try {
      const done = await runErasureStep(store, erasure, preview.found, next)
      isGone = done.version === null
      admitted(done)
      for (const [collection, id] of done.shared)
        shared.set(JSON.stringify([collection, id]), { collection, id })
      if (!done.next)
        return {
          namedBy: Object.fromEntries(preview.namedBy),
          matched: Object.fromEntries(countMatched(preview.found.matched)),
          shared: [...shared.values()],
        }
      next = done.next
    } catch (error) {
      // If the person is gone, the entry may belong to another request that erased them.
      if (step === 0 && error instanceof ApiError && !isGone) await takeBack()
      throw error
    }
  }
  throw new ApiError(
    'UNAVAILABLE',
    'One request was not enough to erase everything: send it again to continue.',
    { 'Retry-After': '1' },
  )
}

/*
 * The erasure ledger is in KV, so a database restore does not revert it. An entry is written before
 * the erasure, so that a replay can finish an interrupted one; a refused erasure reverts its entry.
 */

/** A ledger entry: all that the ledger stores about a person. */
export type ErasureEntry = { organisationId: string; collection: Kind; id: string; at: string }

const atOnce = 50

/**
 * Adds a person to the ledger and returns a function that restores the previous entry, if any.
 * Throws 503 if KV fails.
 */
export async function noteErasure(
  ledger: KVNamespace,
  person: Omit<ErasureEntry, 'at'>,
): Promise<() => Promise<void>> {
  const name = await nameOf(person)
  try {
    const before = await ledger.get(name)
    await ledger.put(name, JSON.stringify({ ...person, at: new Date().toISOString() }))
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
  for await (const names of listNames(ledger, organisationId))
    for (let from = 0; from < names.length; from += atOnce) {
      const part = names.slice(from, from + atOnce)
      const entries = await Promise.all(part.map((name) => ledger.get<ErasureEntry>(name, 'json')))
      for (const entry of entries) if (entry) yield entry
    }
}

/** Yields the entries of the ledger for some people of an organisation. Reads no other entries, only their names. */
export async function* findErasures(
  ledger: KVNamespace,
  organisationId: string,
  people: AsyncIterable<{ collection: Kind; id: string }>,
): AsyncGenerator<ErasureEntry> {
  const names = new Set((await Array.fromAsync(listNames(ledger, organisationId))).flat())
  if (names.size === 0) return
  for await (const person of people) {
    const name = await nameOf({ organisationId, ...person })
    const entry = names.delete(name) && (await ledger.get<ErasureEntry>(name, 'json'))
    if (entry) yield entry
  }
}

/** Yields the names of the entries of the ledger, or of those of one organisation, in pages. */
async function* listNames(ledger: KVNamespace, organisationId?: string): AsyncGenerator<string[]> {
  const prefix = organisationId === undefined ? start : `${start}${organisationId}:`
  let cursor: string | null = null
  do {
    const page: KVNamespaceListResult<unknown> = await ledger.list({ prefix, cursor })
    yield page.keys.map(({ name }) => name)
    cursor = page.list_complete ? null : page.cursor
  } while (cursor)
}

const start = 'erased:'

// Hashed, because an id may be longer than a KV key.
const nameOf = async ({ organisationId, collection, id }: Omit<ErasureEntry, 'at'>) =>
  `${start}${organisationId}:${await sha256(JSON.stringify([collection, id]))}`
