import { ApiError } from '../model/api-error.ts'

/** What must be so of a record before it is written: the versions of which it must be, or must not; '*' is any. */
export type Conditions = { match?: Versions; noneMatch?: Versions }

export type Versions = readonly number[] | '*'

/** Throws 412 where a record of this version, undefined where there is none, does not meet the conditions. */
export function admit({ match, noneMatch }: Conditions, version: number | undefined): void {
  if ((match && !includes(match, version)) || (noneMatch && includes(noneMatch, version)))
    throw preconditionFailed()
}

/** Returns the error for a record that another request changes meanwhile; undefined where the conditions may still hold, so that the write is tried again. */
export const conflictOf = ({ match, noneMatch }: Conditions) =>
  (match && match !== '*') || noneMatch ? preconditionFailed() : undefined

const includes = (versions: Versions, version: number | undefined) =>
  version !== undefined && (versions === '*' || versions.includes(version))

const preconditionFailed = () =>
  new ApiError(
    'PRECONDITION_FAILED',
    'The record is not as If-Match or If-None-Match says: get it, and try again with its ETag.',
  )
