import { ApiError } from './api-error.ts'

/** What must be so of a record before it is written: the versions of which it must be, or must not; '*' is any. */
export type Preconditions = { match?: Versions; noneMatch?: Versions }

export type Versions = readonly number[] | '*'

/** Throws 412 where a record of this version, undefined where there is none, does not meet the conditions. */
export function checkPreconditions(
  { match, noneMatch }: Preconditions,
  version: number | undefined,
): void {
  if ((match && !includes(match, version)) || (noneMatch && includes(noneMatch, version)))
    throw preconditionFailed()
}

/** Returns whether the conditions hold for the version that was read, but perhaps for no other. */
export const pinsVersion = ({ match, noneMatch }: Preconditions) =>
  (match !== undefined && match !== '*') || noneMatch !== undefined

const includes = (versions: Versions, version: number | undefined) =>
  version !== undefined && (versions === '*' || versions.includes(version))

const preconditionFailed = () =>
  new ApiError(
    'PRECONDITION_FAILED',
    'The record is not as If-Match or If-None-Match says: get it, and try again with its ETag.',
  )
