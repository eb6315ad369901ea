import type { AccessPolicy } from '../access/access-policy.ts'
import type { Permission } from '../access/permissions.ts'
import { ApiError, invalidInput } from '../model/api-error.ts'
import { collectionTitle } from '../model/collection.ts'
import { isInternalKey, parseStoredSchema } from '../model/properties/schema.ts'
import { referringProperties } from '../model/references.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { emptySingle, type Related, type Single, type StoredRecord } from '../store/read/single.ts'
import type { Store } from '../store/store.ts'
import { readBeforeWrite } from '../store/write/before-write.ts'
import {
  type IdempotentRequest,
  isDuplicateRequest,
  type StoredResponse,
} from '../store/write/idempotency.ts'
import { commitWrite, maxLeaves } from '../store/write/write.ts'
import { buildChanges } from './build-changes.ts'
import { type Change, ReferenceChecks, UniqueChecks } from './checks.ts'
import { fillPeople } from './fill-people.ts'
import { patchedLeaves } from './patched-leaves.ts'
import { retryWhileChanged } from './retry.ts'
import type { Rules } from './rules.ts'
import type { PlannedWrite, RecordType } from './target.ts'

export type Counts = { created: number; updated: number; unchanged: number }

export type WriteOptions = {
  permissions: readonly Permission[]
  request?: IdempotentRequest | undefined
  /** Throws if the stored records forbid the write. */
  check?: (kept: ReadonlyMap<string, StoredRecord>) => void
  /** Whether the records must still have the versions that `check` saw when they are written. */
  isPinned?: boolean
  /**
   * Whether the write may replace concurrent changes, because it does not depend on the stored
   * record.
   */
  overwrite?: boolean
  /** Whether a record of any version must exist. */
  mustExist?: boolean
  /** The patch merged into the record; concurrent changes of other values are kept. */
  patch?: Record<string, unknown>
  /** What to return in addition to the written record. */
  sought?: Related
  /** Whether the response has the counts instead of one id. */
  tellsCounts?: boolean
}

/** The result of a write; for a repeated request, only the result of the first one. */
type Done = { made: Omit<StoredResponse, 'body'>; isNew: boolean; single: Single }

/** Where records are written: the organisation's records and the postcode directory. */
export type WriteParts = { store: Store; geography: D1Database }

/**
 * Writes records of one collection, all or none: one read, and one transaction that succeeds only
 * if the records it read are unchanged. Throws 400 with every validation error.
 */
export async function writeRecords(
  parts: WriteParts,
  target: RecordType,
  intents: readonly PlannedWrite[],
  how: WriteOptions,
): Promise<Done> {
  return retryWhileChanged(() => once(parts, target, intents, how))
}

async function once(
  parts: WriteParts,
  target: RecordType,
  intents: readonly PlannedWrite[],
  how: WriteOptions,
): Promise<Done | undefined> {
  const { store } = parts
  const { name: collection, kind } = target
  const { permissions, request } = how
  const ids = intents.map(({ id }) => id)
  const state = await readBeforeWrite(store, { collection, ids, kind, request, permissions })
  if (request && state.response) return parseStoredResponse(request, state.response)
  try {
    const { policy } = store
    const { seen, unseen } = seenOf(policy, collection, state.records)
    how.check?.(seen)
    if (unseen.length > 0) throw notTheirs(target)
    const schema = parseStoredSchema(state.schema)
    const rules = target.rules(schema, store.organisationId, policy)
    const by = { rules, schema, view: policy }
    const changes = await buildChanges(parts.geography, by, intents, seen)
    if (!changes.every(({ written }) => policy.allowsRecord(collection, written.document)))
      throw notTheirs(target)
    const done = await commit(store, target, rules, changes, seen, how)
    const written = changes.map((change) => change.written)
    if (done) await fillPeople(parts, collection, written)
    return done
  } catch (error) {
    return storedResponseAfter(error, store, { collection, request, permissions })
  }
}

/**
 * Returns the stored response to a request that failed, or throws its error: the same request may
 * have succeeded before, so that its record prevents this one; or this one succeeded and only its
 * response is lost.
 */
export async function storedResponseAfter(
  error: unknown,
  store: Store,
  {
    collection,
    request,
    permissions,
  }: Pick<WriteOptions, 'request' | 'permissions'> & { collection: string },
): Promise<Done> {
  const mayBeAnswered =
    isDuplicateRequest(error) || isConnectionLost(error) || error instanceof ApiError
  if (!request || !mayBeAnswered) throw error
  const { response } = await readBeforeWrite(store, { collection, ids: [], request, permissions })
  if (!response) throw error
  return parseStoredResponse(request, response)
}

/** Writes the differing records; undefined if another request changed one since it was read. */
async function commit(
  store: Store,
  { name: collection, singular }: RecordType,
  rules: Rules,
  changes: readonly Change[],
  kept: ReadonlyMap<string, StoredRecord>,
  how: WriteOptions,
): Promise<Done | undefined> {
  const { permissions, request, sought, tellsCounts } = how
  // Hidden values are written as they were read.
  const isAlone = !how.isPinned && !store.policy.isRedacted
  const isOverwritten = isAlone && how.overwrite && !rules.dependsOnBefore
  const unique = new UniqueChecks(rules.unique, changes, isOverwritten)
  if (unique.errors.length > 0) throw invalidInput(unique.errors)
  const differing = changes.filter(({ differs }) => differs)
  const names = new ReferenceChecks(collection, differing)
  const created = differing.filter(({ before }) => !before).length
  const counts: Counts = {
    created,
    updated: differing.length - created,
    unchanged: changes.length - differing.length,
  }
  const ids = changes.map(({ written }) => written.id)
  const made = {
    id: tellsCounts ? '' : String(ids[0]),
    answer: tellsCounts ? JSON.stringify(counts) : null,
  }
  const [change] = changes
  const set = isAlone && how.patch && change ? setOf(change, rules, how.patch) : undefined
  // If nothing differs, nothing is overwritten, and the record must be unchanged since the read.
  const isFree = set || (isOverwritten && differing.length > 0)
  const { result, single } = await commitWrite(
    store,
    {
      collection,
      permissions,
      put: set ? [] : differing.map(({ written }) => written),
      set,
      versions: isFree
        ? ids.flatMap((id) => (how.mustExist ? [{ id, version: 'any' }] : []))
        : ids.map((id) => ({ id, version: kept.get(id)?.version ?? null })),
      unique: unique.values,
      named: names.named,
      request: request && { repeatable: request, made },
    },
    { ...sought, collection, id: String(ids[0]) },
  )
  if (result.changed.length > 0 || (set && result.known.length === 0)) return undefined
  const errors = [...unique.taken(result, singular), ...names.missing(result)]
  if (errors.length > 0) throw invalidInput(errors)
  return { made, isNew: differing.length > result.known.length, single }
}

/** Returns the values that a patch sets; undefined if they depend on the rest of the record. */
function setOf({ before, values, written }: Change, rules: Rules, patch: Record<string, unknown>) {
  const leaves = before && patchedLeaves(before, values, rules.named(patch))
  const { collection, sources, unique } = rules
  // These are compared with the stored record or with other records.
  const dependent = new Set([...sources, ...unique, ...referringProperties(collection)])
  const areFree =
    leaves &&
    leaves.length > 0 &&
    leaves.length <= maxLeaves &&
    leaves.every(({ property }) => !isInternalKey(property) && !dependent.has(property))
  return areFree ? { id: written.id, leaves } : undefined
}

/** Returns the stored records that the view shows, and the ids of the hidden ones. */
function seenOf(view: AccessPolicy, collection: string, kept: ReadonlyMap<string, StoredRecord>) {
  const isSeen = ([, { document }]: [string, StoredRecord]) =>
    view.allowsRecord(collection, document)
  const seen = new Map([...kept].filter(isSeen))
  return { seen, unseen: [...kept.keys()].filter((id) => !seen.has(id)) }
}

const notTheirs = ({ name }: RecordType) =>
  new ApiError('FORBIDDEN', `These credentials may not write private ${collectionTitle(name)}.`)

/** Returns the result of the first request; throws 422 if it had another body. */
export function parseStoredResponse({ body }: IdempotentRequest, before: string): Done {
  const { body: first, ...made }: StoredResponse = JSON.parse(before)
  if (first === body) return { made, isNew: false, single: emptySingle }
  throw new ApiError('UNPROCESSABLE', 'Idempotency-Key: was used with another body.')
}
