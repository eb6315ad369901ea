import { ApiError } from '../model/api-error.ts'
import { collectionTitle } from '../model/collection-title.ts'
import { checkPreconditions, type Preconditions } from '../model/preconditions.ts'
import { maxCascade } from '../store/referrers.ts'
import type { DeletionResult } from '../store/write/delete.ts'
import type { RecordType } from './target.ts'

/**
 * Throws if the record was not deleted: 404, 412, 409 if other records refer to it, 400 if the
 * cascade is too large. For a credential that sees only a part of the collection, the error gives
 * no number of referring records.
 */
export function throwIfNotDeleted(
  target: RecordType,
  { version, namedBy, size }: DeletionResult,
  { match, cascade, isPart }: Preconditions & { cascade: boolean; isPart: boolean },
): void {
  if (version === null) throw notFound(target)
  checkPreconditions({ ...(match && { match }) }, version)
  const counts = namedBy.map(([name, count]) => `${count} of the ${collectionTitle(name)}`)
  const isNamed = `This ${target.singular} is named by ${isPart ? 'other records' : counts.join(', ')}`
  if (!cascade && namedBy.length > 0) {
    throw new ApiError(
      'CONFLICT',
      `${isNamed}. With $cascade=true those that make no sense without it are deleted as well, and it is taken out of the others.`,
    )
  }
  if (size > maxCascade) {
    throw new ApiError(
      'BAD_REQUEST',
      `$cascade: more than ${maxCascade.toLocaleString('en-GB')} records would be deleted or changed at once, while others had to wait. ${isNamed}: delete some of these first.`,
    )
  }
}

export const notFound = ({ singular, id }: Pick<RecordType, 'singular' | 'id'>) =>
  new ApiError('NOT_FOUND', `There is no ${singular} with this ${id}.`)
