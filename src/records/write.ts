import type { AccessPolicy } from '../access/access-policy.ts'
import type { Permission } from '../access/permissions.ts'
import { ApiError, invalidInput } from '../model/api-error.ts'
import type { ChangeSource } from '../model/author.ts'
import { isInternalKey, parseStoredSchema } from '../model/properties/schema.ts'
import { referringProperties } from '../model/references.ts'
import { joinNames } from '../platform/join-names.ts'
import { emptySingle, type Related, type Single, type StoredRecord } from '../store/read/single.ts'
import type { Store } from '../store/store.ts'
import type { Audit } from '../store/terms.ts'
import { readBeforeWrite } from '../store/write/before-write.ts'
import type { IdempotentRequest } from '../store/write/idempotency.ts'
import { commitWrite, maxValuesToSet, type ValueMatches } from '../store/write/write.ts'
import { buildChanges, type PlannedChange, ReferenceChecks, UniqueChecks } from './changes.ts'
import { fillPeople } from './fill-people.ts'
import { type FieldUpsert, matchRecords } from './match.ts'
import { patchedValues } from './merge-patch.ts'
import { retryWhileChanged } from './retry.ts'
import type { PlannedWrite, RecordType, Rules } from './rules.ts'
import { rulesFor } from './rules-for.ts'
import { parseStoredResponse, type ResponseParts, recoverResponse } from './stored-responses.ts'

export type WriteCounts = { created: number; updated: number; unchanged: number }

export type WriteOptions = {
  permissions: readonly Permission[]
  /** The source of the change if it is not a single request. */
  source?: ChangeSource | undefined
  request?: IdempotentRequest | undefined
  /** Throws if the stored records forbid the write. */
  check?: (stored: ReadonlyMap<string, StoredRecord>) => void
  /** Whether what belonged to deleted records comes back with them. */
  isRestore?: boolean
  /** The questions of a new event, as JSON. */
  questions?: { eventId: string; questions: string } | undefined
  /** The entry in the audit log. */
  audit?: Audit
  /** Whether a concurrent change of a record since `check` saw it prevents the write. */
  requiresSameVersion?: boolean
  /**
   * Whether the write may replace concurrent changes, because it does not depend on the stored
   * record.
   */
  overwrite?: boolean
  /** Whether the record must exist, in any version. */
  mustExist?: boolean
  /** The patch merged into the record. Concurrent changes to other values survive. */
  patch?: Record<string, unknown>
  /** Related data to return with the written record. */
  related?: Related
  /** Whether the response has the counts instead of one id. */
  returnsCounts?: boolean
}

/** The records to write, which their ids or the values of a field identify. */
export type WritePlan = readonly PlannedWrite[] | FieldUpsert

/** The result of a write; a repeated request has only the stored response of the first. */
type WriteOutcome = { response: ResponseParts; isNew: boolean; single: Single }

/** The destination of a write: the organisation's store and the postcode directory. */
export type WriteParts = { store: Store; geography: D1Database }

/**
 * Writes records of one collection, all or none: reads once, then writes in one transaction that
 * requires unchanged records. Throws 400 with every validation error.
 */
export async function writeRecords(
  databases: WriteParts,
  type: RecordType,
  plan: WritePlan,
  options: WriteOptions,
): Promise<WriteOutcome> {
  return retryWhileChanged(() => writeOnce(databases, type, plan, options))
}

async function writeOnce(
  databases: WriteParts,
  type: RecordType,
  plan: WritePlan,
  options: WriteOptions,
): Promise<WriteOutcome | undefined> {
  const { store } = databases
  const { name: collection, kind } = type
  const { permissions, request } = options
  const ids = 'by' in plan ? [] : plan.map(({ id }) => id)
  const state = await readBeforeWrite(store, { collection, ids, kind, request, permissions })
  if (request && state.response) return repeatedResult(parseStoredResponse(request, state.response))
  try {
    const { policy } = store
    const schema = parseStoredSchema(state.schema)
    const rules = rulesFor(type, schema, store.organisationId, policy)
    const { writes, records, matches } =
      'by' in plan
        ? await matchRecords(store, type, { rules, schema: state.schema }, plan, permissions)
        : { writes: plan, records: state.records, matches: undefined }
    const { visible, hiddenIds } = splitByPolicy(policy, collection, records)
    options.check?.(visible)
    if (hiddenIds.length > 0) throw hiddenRecords(policy, collection)
    const by = { rules, schema, policy }
    const changes = await buildChanges(databases.geography, by, writes, visible)
    if (!changes.every(({ written }) => policy.allowsRecord(collection, written.document)))
      throw hiddenRecords(policy, collection)
    const result = await commit(store, type, rules, changes, { stored: visible, matches }, options)
    const written = changes.map((change) => change.written)
    if (result) await fillPeople({ ...databases, source: options.source }, collection, written)
    return result
  } catch (error) {
    return repeatedResult(await recoverResponse(store, collection, request, permissions, error))
  }
}

const repeatedResult = (response: ResponseParts): WriteOutcome => ({
  response,
  isNew: false,
  single: emptySingle,
})

/** Writes the differing records; undefined if another request changed one since it was read. */
async function commit(
  store: Store,
  { name: collection, singular }: RecordType,
  rules: Rules,
  changes: readonly PlannedChange[],
  {
    stored,
    matches,
  }: { stored: ReadonlyMap<string, StoredRecord>; matches?: ValueMatches | undefined },
  options: WriteOptions,
): Promise<WriteOutcome | undefined> {
  const { permissions, source, request, related, returnsCounts } = options
  // A redacted write restores hidden values from the read, so the record must not have changed.
  const isAlone = !options.requiresSameVersion && !store.policy.isRedacted
  const isOverwritten = isAlone && options.overwrite && !rules.dependsOnBefore
  const unique = new UniqueChecks(rules.unique, changes, isOverwritten)
  if (unique.errors.length > 0) throw invalidInput(unique.errors)
  const differing = changes.filter(({ differs }) => differs)
  const references = new ReferenceChecks(collection, differing)
  const created = differing.filter(({ before }) => !before).length
  const counts: WriteCounts = {
    created,
    updated: differing.length - created,
    unchanged: changes.length - differing.length,
  }
  const ids = changes.map(({ written }) => written.id)
  const response = {
    id: returnsCounts ? '' : String(ids[0]),
    text: returnsCounts ? JSON.stringify(counts) : null,
  }
  const [change] = changes
  const set =
    isAlone && options.patch && change ? valuesToSet(change, rules, options.patch) : undefined
  // Without differences, only the version check proves that the stored record is still the same.
  const isUnconditional = set || (isOverwritten && differing.length > 0)
  const { result, single } = await commitWrite(
    store,
    {
      collection,
      permissions,
      source,
      isRestore: options.isRestore,
      questions: options.questions,
      audit: options.audit,
      put: set ? [] : differing.map(({ written }) => written),
      set,
      versions: isUnconditional
        ? ids.flatMap((id) => (options.mustExist ? [{ id, version: 'any' }] : []))
        : ids.map((id) => ({ id, version: stored.get(id)?.version ?? null })),
      matches,
      unique: unique.values,
      references: references.referenced,
      request: request && { digests: request, response },
    },
    { ...related, collection, id: String(ids[0]) },
  )
  if (result.changed.length > 0 || (set && result.known.length === 0)) return undefined
  const errors = [...unique.taken(result, singular), ...references.missing(result)]
  if (errors.length > 0) throw invalidInput(errors)
  return { response, isNew: differing.length > result.known.length, single }
}

/** The values that a patch sets, if they can be set without writing the whole record; undefined if they depend on the rest of it. */
function valuesToSet(
  { before, values, written }: PlannedChange,
  rules: Rules,
  patch: Record<string, unknown>,
) {
  const patched = before && patchedValues(before, values, rules.normalisePatch(patch))
  const { collection, sources, unique } = rules
  // These are compared with the stored record or with other records.
  const dependent = new Set([...sources, ...unique, ...referringProperties(collection)])
  const areIndependent =
    patched &&
    patched.length > 0 &&
    patched.length <= maxValuesToSet &&
    patched.every(({ property }) => !isInternalKey(property) && !dependent.has(property))
  return areIndependent ? { id: written.id, values: patched } : undefined
}

/** The stored records that the policy shows, and the ids of the hidden ones. */
function splitByPolicy(
  policy: AccessPolicy,
  collection: string,
  stored: ReadonlyMap<string, StoredRecord>,
) {
  const isVisible = ([, { document }]: [string, StoredRecord]) =>
    policy.allowsRecord(collection, document)
  const visible = new Map([...stored].filter(isVisible))
  return { visible, hiddenIds: [...stored.keys()].filter((id) => !visible.has(id)) }
}

function hiddenRecords(policy: AccessPolicy, collection: string) {
  const names = policy.hiddenRecords(collection).map(({ name }) => name)
  return new ApiError('FORBIDDEN', `These credentials may not write ${joinNames(names)}.`)
}
