import { checkPreconditions, type Preconditions } from '../http/preconditions.ts'
import { ApiError } from '../model/api-error.ts'
import type { Kind } from '../model/properties/schema.ts'
import type { Store } from '../store/store.ts'
import { runErasureStep } from '../store/write/erase.ts'
import { type Erasure, previewErasure } from '../store/write/preview-erasure.ts'
import { notFound } from './delete.ts'
import { noteErasure } from './erasure-ledger.ts'
import type { RecordType } from './target.ts'

/** The kind of a person to erase. */
export type PersonTarget = Pick<RecordType, 'singular' | 'id'> & { kind: Kind }

/** A record that is also linked to other people. */
export type SharedRecord = { collection: string; id: string }

/**
 * The result of an erasure: the number of referring records by collection, and the shared records
 * that stay without the link.
 */
export type ErasureResult = { namedBy: Record<string, number>; shared: SharedRecord[] }

// This keeps a request well within the number of queries that Cloudflare allows.
const maxStepsOfRequest = 100

/**
 * Erases a person (additions 5), even if only referring records are left. Repeat the request to
 * finish an interrupted erasure. Throws 403, 404 and 412, and 503 if one request is not enough.
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
  const found = await previewErasure(store, erasure)
  if (found.version === null && found.namedBy.length === 0) throw notFound(target)
  admitted(found)
  const { organisationId } = store
  const takeBack = await noteErasure(ledger, { organisationId, collection: kind, id })
  const shared = new Map<string, SharedRecord>()
  let isGone = false
  let next = found.first
  for (let step = 0; step < maxSteps; step++) {
    try {
      const done = await runErasureStep(store, erasure, next)
      isGone = done.version === null
      admitted(done)
      for (const [collection, id] of done.shared)
        shared.set(JSON.stringify([collection, id]), { collection, id })
      if (!done.next)
        return { namedBy: Object.fromEntries(found.namedBy), shared: [...shared.values()] }
      next = done.next
    } catch (error) {
      // If the person is gone, another request may have erased them, and the entry belongs to that
      // one.
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
