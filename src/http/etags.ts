import { sha256 } from '../platform/sha256.ts'

/*
 * Every ETag begins with a version, which tells a later request what its sender has.
 *
 * A record's is strong: its version, and a hash of the body if the response depends on more than the record. It
 * is also what `If-Match` names before a write, which compares the version only: the hash covers what a
 * write of the record leaves unchanged.
 *
 * That of a list, a schema or the change feed is weak: the organisation's version, and a hash of everything
 * that the response depends on, so that it is known without the response.
 */

const recordHashDigits = 16
const stateHashDigits = 24
const recordTag = /^"(\d{1,15})(?:-[\da-f]{16})?"$/
const stateTag = /^(?:W\/)?("(\d{1,16})-[\da-f]{24}")$/

/** The maximum number of tags of an `If-None-Match` header that are compared with a list. */
const maxTags = 10

/** The versions of records that a header names; '*' is any. */
export type Versions = readonly number[] | '*'

/** The ETag of a record, if the response depends on nothing else. */
export const recordEtag = (version: number): string => `"${version}"`

/** The ETag of a record, if the response depends on more, such as its schema. */
export const recordBodyEtag = async (version: number, body: string): Promise<string> =>
  `"${version}-${(await sha256(body)).slice(0, recordHashDigits)}"`

/** Whether an `If-None-Match` header matches a record's ETag; `*` matches any. */
export const matchesEtag = (header: string, etag: string): boolean =>
  splitTags(header).some((tag) => ['*', etag, `W/${etag}`].includes(tag))

/**
 * Parses the ETags of records in a precondition. Weak ones never match (RFC 9110, 13.1.1), and other texts
 * match no version.
 */
export function parseRecordEtags(header: string): Versions {
  const tags = splitTags(header)
  if (tags.includes('*')) return '*'
  return tags.flatMap((tag) => recordTag.exec(tag)?.slice(1).map(Number) ?? [])
}

/** The ETag of a response in a version of the organisation. `dependencies` is everything that it depends on. */
export const stateEtag = async (version: string, dependencies: string): Promise<string> =>
  `W/"${version}-${(await sha256(dependencies)).slice(0, stateHashDigits)}"`

/** Parses an `If-None-Match` header: the tags of `stateEtag`, their versions, and whether it matches any response. */
export function parseStateEtags(header = '') {
  const texts = splitTags(header, maxTags)
  const matches = texts.flatMap((text) => {
    const [, tag, version] = stateTag.exec(text) ?? []
    return tag && version ? [{ tag: `W/${tag}`, version }] : []
  })
  return {
    tags: new Set(matches.map(({ tag }) => tag)),
    versions: matches.map(({ version }) => version),
    matchesAny: texts.includes('*'),
  }
}

const splitTags = (header: string, max?: number) => header.split(',', max).map((tag) => tag.trim())
