import { checkPreconditions, type Preconditions } from '../http/preconditions.ts'
import { ApiError, invalidField } from '../model/api-error.ts'
import type { ChangeSource } from '../model/author.ts'
import { formatRecordCount, notFound } from '../model/collection.ts'
import { formatNumber } from '../platform/format-number.ts'
import type { Store } from '../store/store.ts'
import { deleteRecord } from '../store/write/delete.ts'
import { maxCascade } from '../store/write/referrers.ts'
import type { RecordType } from './rules.ts'

export type DeletionOptions = {
  cascade: boolean
  /** The source of the change if it is not a single request. */
  source?: ChangeSource
}

/**
 * Deletes a record; with `cascade`, also deletes dependent records and unlinks the others. Throws
 * 404, 412, 409 if other records refer to it, and 400 if the cascade is too large.
 */
export async function deleteUnlessReferenced(
  store: Store,
  type: RecordType,
  id: string,
  { match, cascade, source }: Pick<Preconditions, 'match'> & DeletionOptions,
): Promise<void> {
  const versions = match === '*' ? undefined : match
  const { version, namedBy, size } = await deleteRecord(store, {
    collection: type.name,
    id,
    versions,
    cascade,
    source,
  })
  if (version === null) throw notFound(type)
  checkPreconditions({ ...(match && { match }) }, version)
  const counts = namedBy.map(([name, count]) => formatRecordCount(count, name))
  const isOne = store.seesEverything && namedBy.length === 1 && namedBy[0]?.[1] === 1
  const references = `${store.seesEverything ? counts.join(', ') : 'Other records'} ${isOne ? 'refers' : 'refer'} to this ${type.singular}`
  if (!cascade && namedBy.length > 0) {
    throw new ApiError(
      'CONFLICT',
      `${references}. With $cascade=true, dependent records are deleted and the others are unlinked.`,
    )
  }
  if (size > maxCascade) {
    throw invalidField(
      '$cascade',
      'too_large',
      `deletes or changes at most ${formatNumber(maxCascade)} records at once. ${references}: delete some of these first.`,
    )
  }
}
