import { ApiError } from '../model/api-error.ts'
import { parseRecordEtags, type Versions } from './etags.ts'
import { textParameter } from './parameters.ts'

const ifMatch = textParameter({
  description:
    "The `ETag` that the record must have, or `*` for any version; otherwise 412. Only the record counts: a change of its schema or of a booking's profile changes the `ETag` and is ignored here.",
  example: '"4711"',
})

/** The precondition headers of `PATCH` and `DELETE`. */
export const matchHeaders = { 'If-Match': ifMatch }

/** The precondition headers of `PUT`. */
export const putHeaders = {
  'If-Match': ifMatch,
  'If-None-Match': textParameter({
    description: '`*` only creates: 412 if the record exists.',
    example: '*',
  }),
}

/** Parses the precondition headers. */
export function parsePreconditions(
  headers: Partial<Record<'If-Match' | 'If-None-Match', string | undefined>>,
): Preconditions {
  const { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch } = headers
  return {
    ...(ifMatch !== undefined && { match: parseRecordEtags(ifMatch) }),
    ...(ifNoneMatch !== undefined && { noneMatch: parseRecordEtags(ifNoneMatch) }),
  }
}

/** The versions that a record must or must not have before a write. */
export type Preconditions = { match?: Versions; noneMatch?: Versions }

/** Throws 412 if a record's version does not meet the preconditions; undefined means no record. */
export function checkPreconditions(
  { match, noneMatch }: Preconditions,
  version: number | undefined,
): void {
  if ((match && !includes(match, version)) || (noneMatch && includes(noneMatch, version)))
    throw preconditionFailed()
}

/** Whether the preconditions depend on the version that was read. */
export const dependsOnVersion = ({ match, noneMatch }: Preconditions) =>
  (match !== undefined && match !== '*') || noneMatch !== undefined

const includes = (versions: Versions, version: number | undefined) =>
  version !== undefined && (versions === '*' || versions.includes(version))

const preconditionFailed = () =>
  new ApiError(
    'PRECONDITION_FAILED',
    'The record is not as If-Match or If-None-Match says: get it, and try again with its ETag.',
  )
