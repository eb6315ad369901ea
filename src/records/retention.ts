import { propertyPath } from '../access/collection-properties.ts'
import { cutoffDate, isBefore } from '../model/age.ts'
import { isErrorOf } from '../model/api-error.ts'
import { valueAt } from '../model/json.ts'
import { isKind, type Kind, kinds } from '../model/properties/schema.ts'
import { londonDay } from '../model/timestamp.ts'
import type { Bindings } from '../platform/bindings.ts'
import { tolerate } from '../platform/log.ts'
import { readSortedRecords, type SortedCursor } from '../store/read/sorted.ts'
import { nextRule, type RetentionRule, saveProgress } from '../store/settings/retention.ts'
import type { Store } from '../store/store.ts'
import { trustedStore } from '../store/trusted-store.ts'
import { type DeletionResult, deleteRecord, previewDelete } from '../store/write/delete.ts'
import { previewErasure } from '../store/write/preview-erasure.ts'
import { erase } from './erase.ts'

/**
 * The result of a rule for one record: deleted, kept because other records reference it, or passed
 * over because it has changed or has no valid date. The rule continues after `cursor`.
 */
export type RetentionResult = {
  id: string
  /** The record, as JSON text. */
  document: string
  cursor: SortedCursor
  outcome: 'removed' | 'kept' | 'passed over'
  /** The number of records that refer to a kept one, by collection. */
  namedBy: DeletionResult['namedBy']
}

type Storage = Pick<Bindings, 'DB' | 'KEYS'>

/** The organisation's store and the erasure ledger. */
type Retained = { store: Store; ledger: KVNamespace }

/** An organisation's store and the erasure ledger, with retention as the author. */
export const retentionContext = ({ DB, KEYS }: Storage, organisationId: string): Retained => ({
  store: trustedStore(DB, organisationId, { by: 'retention' }),
  ledger: KEYS,
})

// Erasing a person takes about twenty queries, and a run may make at most 1,000.
const pageRecords = 10
const partsInRun = 4
const maxRunMs = 10_000

/** The number of parts that a run may still apply, in all databases, and the time of its end. */
export type RetentionBudget = { parts: number; end: number }

export const newRetentionBudget = (): RetentionBudget => ({
  parts: partsInRun,
  end: Date.now() + maxRunMs,
})

// Leaves time to test and remove a rule before it first runs.
const graceMs = 24 * 60 * 60_000

/**
 * Applies a rule after its cursor to the records that are too old on `day`, oldest first: deletes
 * unreferenced records and erases people, if unchanged since the read. A dry run deletes nothing.
 */
export async function* applyRule(
  context: Retained,
  {
    collection,
    field,
    age,
    cursor,
  }: Pick<RetentionRule, 'collection' | 'field' | 'age' | 'cursor'>,
  day: string,
  dry = false,
): AsyncGenerator<RetentionResult> {
  const before = cutoffDate(age, day)
  const path = propertyPath(collection, field)
  let after: SortedCursor | undefined = cursor === null ? undefined : JSON.parse(cursor)
  do {
    const query = { field, descending: false, limit: pageRecords, after }
    const { records, next } = await readSortedRecords(context.store, collection, query)
    for (const { id, ordinal, version, document } of records) {
      const value = valueAt(JSON.parse(document), path)
      if (typeof value === 'string' && value >= before) return
      const one = { id, document, cursor: { value: value as string, ordinal } }
      yield isBefore(before, value)
        ? { ...one, ...(await remove(context, collection, { id, version }, dry)) }
        : { ...one, outcome: 'passed over', namedBy: [] }
    }
    after = next
  } while (after)
}

async function remove(
  context: Retained,
  collection: string,
  { id, version }: { id: string; version: number },
  dry: boolean,
): Promise<Pick<RetentionResult, 'outcome' | 'namedBy'>> {
  if (isKind(collection))
    return {
      outcome: (await tryErase(context, collection, { id, version }, dry))
        ? 'removed'
        : 'passed over',
      namedBy: [],
    }
  const deletion = { collection, id, versions: [version], cascade: false }
  const result = await (dry ? previewDelete : deleteRecord)(context.store, deletion)
  const { namedBy } = result
  if (result.version !== version) return { outcome: 'passed over', namedBy: [] }
  return { outcome: namedBy.length > 0 ? 'kept' : 'removed', namedBy }
}

/** Erases a person unless `dry` is set. Returns false if the person has changed. */
async function tryErase(
  { store, ledger }: Retained,
  kind: Kind,
  { id, version }: { id: string; version: number },
  dry: boolean,
): Promise<boolean> {
  if (dry) return (await previewErasure(store, { kind, id })).version === version
  try {
    await erase(store, ledger, { kind, ...kinds[kind] }, id, { match: [version] })
    return true
  } catch (error) {
    if (isErrorOf(error, 'PRECONDITION_FAILED', 'NOT_FOUND')) return false
    throw error
  }
}

/**
 * Runs the next parts of the day's retention in one database, small enough not to delay other work. A
 * rule starts a day after it was set.
 */
export async function runRetention(
  env: Storage,
  now: number,
  budget = newRetentionBudget(),
): Promise<void> {
  const { DB } = env
  const day = londonDay(now)
  const setBefore = new Date(now - graceMs).toISOString()
  for (; budget.parts > 0 && Date.now() < budget.end; budget.parts--) {
    const rule = await nextRule(DB, day, setBefore)
    if (!rule) return
    const { organisationId, collection } = rule
    // The rule continues at its cursor in its next turn.
    await tolerate('retention', { organisation: organisationId, collection }, () => {
      const context = retentionContext(env, organisationId)
      return applyRuleInParts(DB, context, rule, day, { by: 'retention', maxRecords: pageRecords })
    })
  }
}

/** Applies a rule to a limited number of records and saves the progress, also after an error. */
export async function applyRuleInParts(
  DB: D1Database,
  context: Retained,
  rule: RetentionRule,
  day: string,
  { by, maxRecords }: { by: string; maxRecords: number },
): Promise<RetentionResult[]> {
  const part: RetentionResult[] = []
  let isDone = false
  try {
    for await (const one of applyRule(context, rule, day)) {
      part.push(one)
      if (part.length === maxRecords) return part
    }
    isDone = true
    return part
  } finally {
    const count = (outcome: RetentionResult['outcome']) =>
      part.filter((one) => one.outcome === outcome).length
    const cursor =
      part.at(-1)?.cursor ?? (rule.cursor === null ? undefined : JSON.parse(rule.cursor))
    const progress = { removed: count('removed'), kept: count('kept'), cursor, isDone }
    await saveProgress(DB, rule, day, by, progress)
  }
}
