import * as z from 'zod'
import type { Preconditions, Versions } from '../model/preconditions.ts'

const etagHeader = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] })

const ifMatch = etagHeader(
  'The `ETag` that the record must have, or `*` for any version: 412 otherwise. The profile in the `ETag` of a booking is not compared.',
  '"4711"',
)

/** The headers that a `PATCH` and a `DELETE` look at. */
export const matchHeaders = z.object({ 'If-Match': ifMatch })

/** The headers that a `PUT` looks at. */
export const putHeaders = z.object({
  'If-Match': ifMatch,
  'If-None-Match': etagHeader('`*` to create a record only: 412 if there is one.', '*'),
})

/** What these headers say must be so of a record. */
export const parsePreconditions = (
  headers: Partial<Record<'If-Match' | 'If-None-Match', string | undefined>>,
): Preconditions => ({
  ...parseVersions('match', headers['If-Match']),
  ...parseVersions('noneMatch', headers['If-None-Match']),
})

// A weak ETag is no proof that a record is the same (RFC 9110, 13.1.1); any other text is of no version.
// The hash behind a booking's version covers the profile, which a write of the booking cannot lose.
function parseVersions(name: 'match' | 'noneMatch', header: string | undefined): Preconditions {
  if (header === undefined) return {}
  const tags = header.split(',').map((tag) => tag.trim())
  const tagVersions: Versions = tags.includes('*')
    ? '*'
    : tags.flatMap((tag) => /^"(\d{1,15})(?:-[\da-f]{16})?"$/.exec(tag)?.slice(1).map(Number) ?? [])
  return { [name]: tagVersions }
}
