import { ApiError } from './api-error.ts'

/** The versions that a record must or must not have before a write; '*' is any. */
export type Preconditions = { match?: Versions; noneMatch?: Versions }

export type Versions = readonly number[] | '*'

/** Throws 412 if a record's version does not meet the preconditions; undefined means no record. */
export function checkPreconditions(
  { match, noneMatch }: Preconditions,
  version: number | undefined,
): void {
  if ((match && !includes(match, version)) || (noneMatch && includes(noneMatch, version)))
    throw preconditionFailed()
}

/** Returns whether the preconditions depend on the version that was read. */
export const pinsVersion = ({ match, noneMatch }: Preconditions) =>
  (match !== undefined && match !== '*') || noneMatch !== undefined

const includes = (versions: Versions, version: number | undefined) =>
  version !== undefined && (versions === '*' || versions.includes(version))

const preconditionFailed = () =>
  new ApiError(
    'PRECONDITION_FAILED',
    'The record is not as If-Match or If-None-Match says: get it, and try again with its ETag.',
  )
