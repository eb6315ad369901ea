import type { SQL } from 'drizzle-orm/sql'
import { requireUnrestricted } from '../../access/credential.ts'
import { ApiError } from '../../model/api-error.ts'
import {
  type AffectedRecord,
  firstAffected,
  readAffected,
} from '../../store/imports/affected-records.ts'
import {
  readImport,
  type StoredImport,
  type UndoProgress,
} from '../../store/imports/list-imports.ts'
import {
  addDeleted,
  claimUndo,
  releaseUndo,
  saveUndoProgress,
} from '../../store/imports/undo-progress.ts'
import type { Store } from '../../store/store.ts'
import { depthOf } from '../../store/write/delete.ts'
import { deleteCreated } from '../../store/write/delete-unreferenced.ts'
import {
  type LeftRecord,
  restoreImported,
  splitByValues,
  type UndoParts,
} from './restore-imported.ts'

/** The records that this request left, and where the next has to continue; null if the undo is done. */
type UndoResult = { records: LeftRecord[]; next: UndoProgress['cursor'] }

type UndoOptions = {
  /** The maximum number of records that this request reverts; it may exceed it by a page. */
  maxRecords: number
  progress?: (done: number, total: number) => void
}

/** The time that an import without an end may still be running. */
const runningMs = 15 * 60_000

/**
 * Reverts the records that an import, a bulk edit or a bulk deletion wrote and nobody has changed since: updated ones get
 * their previous version back, deleted ones are restored, created ones are deleted unless others refer to them. Continues where the
 * last request stopped; a finished undo starts again and reverts what it then can. Throws 403, 404,
 * and 409 for an import that cannot be undone, or while another undo runs.
 */
export async function undoImport(
  parts: UndoParts,
  id: number,
  { maxRecords, progress }: UndoOptions,
): Promise<UndoResult> {
  const { store } = parts
  const of = await readImport(store, id)
  requireUnrestricted(store.policy, '$undo')
  const obstacle = findObstacle(of, Date.now())
  if (obstacle) throw new ApiError('CONFLICT', obstacle)
  let state = continueFrom(of)
  if (!(await claimUndo(store, of, state, of.undo?.cursor == null)))
    throw new ApiError('CONFLICT', 'Another undo is running: try again in a minute.')
  const undo = new ImportUndo(parts, of)
  const total = of.counts.created + of.counts.updated
  const isPaused = () => state.cursor !== null && undo.records >= maxRecords
  try {
    while (state.cursor !== null && !isPaused()) {
      state = await undo.revertPage(state)
      await saveUndoProgress(store, of, state, state.cursor === null || isPaused())
      const { reverted, left } = summariseUndo(state)
      progress?.(Math.min(reverted + left, total), total)
    }
  } catch (error) {
    await releaseUndo(store, of).catch(() => {})
    throw error
  }
  return { records: [...undo.left.values()], next: state.cursor }
}

/** What messages call an import, a bulk edit or a bulk deletion. */
export function nounOf({ edited, deleted }: StoredImport): 'import' | 'bulk edit' | 'deletion' {
  if (deleted !== null) return 'deletion'
  return edited === null ? 'import' : 'bulk edit'
}

/** Why an import cannot be undone; undefined if it can. */
export function findObstacle(stored: StoredImport, now: number): string | undefined {
  const { undoUntil, finished, at } = stored
  if (undoUntil === null || Date.parse(undoUntil) < now)
    return `This ${nounOf(stored)} can no longer be undone: the previous versions of its records are no longer stored.`
  if (finished === null && Date.parse(at) > now - runningMs)
    return `This ${nounOf(stored)} has not finished yet: try again in 15 minutes.`
  return undefined
}

/** The numbers of records that an undo reverted and left so far. */
export const summariseUndo = ({ restored, deleted, left }: UndoProgress) => ({
  reverted: restored + deleted,
  left: left.updated + left.created,
})

const continueFrom = ({ undo }: StoredImport): UndoProgress =>
  undo?.cursor
    ? undo
    : {
        cursor: firstAffected,
        isSecondPass: false,
        restored: 0,
        deleted: undo?.deleted ?? 0,
        left: { updated: 0, created: 0 },
      }

/** Reverts pages of affected records. Collects the records that it left, and counts all. */
class ImportUndo {
  readonly left = new Map<string, LeftRecord>()
  records = 0
  readonly #parts: UndoParts
  readonly #store: Store
  readonly #import: StoredImport

  constructor(parts: UndoParts, of: StoredImport) {
    this.#parts = parts
    this.#store = parts.store
    this.#import = of
  }

  async revertPage(state: UndoProgress): Promise<UndoProgress> {
    const { records, next } = await readAffected(
      this.#store,
      this.#import,
      state.cursor ?? undefined,
    )
    const unchanged = records.filter((record) => record.state === 'unchanged')
    const left: LeftRecord[] = records.flatMap(({ collection, id, state }) =>
      state === 'changed' || state === 'deleted' ? [{ collection, id, reason: state }] : [],
    )
    // Records that an interrupted request reverted count here, because it did not store its counts.
    let restored = records.filter((record) => record.state === 'undone').length
    let deleted = 0
    const groups = Map.groupBy(unchanged, ({ change, collection }) => `${change} ${collection}`)
    for (const group of [...groups.values()].toSorted(referencedFirst)) {
      const leftOfGroup = await this.#revert(group)
      left.push(...leftOfGroup)
      const count = group.length - leftOfGroup.length
      for (const record of group) this.left.delete(keyOf(record))
      if (group[0]?.change === 'created') deleted += count
      else restored += count
    }
    for (const record of left) this.left.set(keyOf(record), record)
    this.records += records.length
    const page = { restored, deleted, left: left.length }
    return advance(state, next ?? null, page, this.#import.deleted !== null)
  }

  /** Reverts records of one collection with the same change. */
  async #revert(records: readonly AffectedRecord[]): Promise<LeftRecord[]> {
    const { id } = this.#import
    const source = { through: 'undo', import: id } as const
    const [{ change, collection } = { change: 'created', collection: '' }] = records
    if (change !== 'created') return restoreImported(this.#parts, { collection, records, source })
    const left: LeftRecord[] = []
    for (const batch of splitByValues(records)) {
      const note = (count: SQL) => addDeleted(this.#store, this.#import, count)
      const deleted = new Set(
        await deleteCreated(this.#store, { collection, records: batch, source, note }),
      )
      for (const { id } of batch)
        if (!deleted.has(id)) left.push({ collection, id, reason: 'referenced' })
    }
    return left
  }
}

/** Deleted records come first, each before the records that refer to it. */
function referencedFirst([one]: readonly AffectedRecord[], [other]: readonly AffectedRecord[]) {
  const rank = (record: AffectedRecord | undefined) =>
    record?.change === 'deleted' ? depthOf(record.collection) : Number.POSITIVE_INFINITY
  const [first, second] = [rank(one), rank(other)]
  return first === second ? 0 : first - second
}

const keyOf = ({ collection, id }: { collection: string; id: string }) =>
  JSON.stringify([collection, id])

/**
 * The progress after a page. A value of a created record may have prevented the return of a previous version, and a
 * deleted record may have been restored after another that refers to it, so these are tried a second time.
 */
function advance(
  state: UndoProgress,
  next: UndoProgress['cursor'],
  page: { restored: number; deleted: number; left: number },
  isDeletion: boolean,
): UndoProgress {
  const isUpdated = state.cursor?.collection === null
  const isEndOfUpdated = isUpdated && next?.collection !== null
  const after: UndoProgress = {
    cursor: next,
    isSecondPass: state.isSecondPass,
    restored: state.restored + page.restored,
    deleted: state.deleted + page.deleted,
    left: {
      updated: state.left.updated + (isUpdated ? page.left : 0),
      created: state.left.created + (isUpdated ? 0 : page.left),
    },
  }
  if (state.isSecondPass && isEndOfUpdated) return { ...after, cursor: null }
  const mayRevertMore = after.deleted > 0 || isDeletion
  if (next !== null || after.left.updated === 0 || !mayRevertMore) return after
  if (state.isSecondPass) return after
  return {
    cursor: firstAffected,
    isSecondPass: true,
    restored: 0,
    deleted: after.deleted,
    left: { updated: 0, created: after.left.created },
  }
}
