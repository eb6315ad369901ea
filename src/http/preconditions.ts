import * as z from 'zod'
import { ApiError } from '../model/api-error.ts'

const etagHeader = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] })

const ifMatch = etagHeader(
  "The `ETag` that the record must have, or `*` for any version; otherwise 412. Only the record counts: a change of its schema or of a booking's profile changes the `ETag` and is ignored here.",
  '"4711"',
)

/** The precondition headers of `PATCH` and `DELETE`. */
export const matchHeaders = z.object({ 'If-Match': ifMatch })

/** The precondition headers of `PUT`. */
export const putHeaders = z.object({
  'If-Match': ifMatch,
  'If-None-Match': etagHeader('`*` only creates: 412 if the record exists.', '*'),
})

/** Parses the precondition headers. */
export const parsePreconditions = (
  headers: Partial<Record<'If-Match' | 'If-None-Match', string | undefined>>,
): Preconditions => ({
  ...parseVersions('match', headers['If-Match']),
  ...parseVersions('noneMatch', headers['If-None-Match']),
})

// Weak ETags never match in a precondition (RFC 9110, 13.1.1), and other texts match no version.
// The hash after the version covers more than the record, which writing the record leaves unchanged.
function parseVersions(name: 'match' | 'noneMatch', header: string | undefined): Preconditions {
  if (header === undefined) return {}
  const tags = header.split(',').map((tag) => tag.trim())
  const tagVersions: Versions = tags.includes('*')
    ? '*'
    : tags.flatMap((tag) => /^"(\d{1,15})(?:-[\da-f]{16})?"$/.exec(tag)?.slice(1).map(Number) ?? [])
  return { [name]: tagVersions }
}

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

/** Whether the preconditions depend on the version that was read. */
export const pinsVersion = ({ match, noneMatch }: Preconditions) =>
  (match !== undefined && match !== '*') || noneMatch !== undefined

const includes = (versions: Versions, version: number | undefined) =>
  version !== undefined && (versions === '*' || versions.includes(version))

const preconditionFailed = () =>
  new ApiError(
    'PRECONDITION_FAILED',
    'The record is not as If-Match or If-None-Match says: get it, and try again with its ETag.',
  )
