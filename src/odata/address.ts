import { ApiError, invalidField } from '../model/api-error.ts'
import { collectionsBySet } from './entity-sets.ts'
import { UnsupportedError } from './errors.ts'

/** An address below `/odata/`: the organisation, the collection of the entity set, if any, and the decoded segments. */
type Address = { organisationId: string; collection: string | undefined; segments: string[] }

/** The resource at an address (OData URL Conventions 4.0, 4). */
export type ODataResource =
  | { type: 'service' }
  | { type: 'metadata' }
  | { type: 'entities'; collection: string }
  | { type: 'count'; collection: string }
  | { type: 'entity'; collection: string; key: EntityKey }

/** A key in parentheses, with the name of its property if it is stated. */
type EntityKey = { name: string | undefined; value: string }

/** Splits an address into its parts. Accepts any URL, because it runs before authentication. */
export function parseAddress(url: string): Address {
  const [, , organisationId = '', ...segments] = new URL(url).pathname.split('/').map(decode)
  const [setName = ''] = (segments[0] ?? '').split('(', 1)
  return { organisationId, collection: collectionsBySet.get(setName), segments }
}

/** The resource at an address. Throws 404 for an unknown address, 501 for a part of OData that this service lacks. */
export function findResource({ collection, segments }: Address): ODataResource {
  const [first = '', second, ...others] = segments
  if (first === '' && second === undefined) return { type: 'service' }
  if (first === '$metadata' && second === undefined) return { type: 'metadata' }
  if (collection === undefined) {
    if (first.startsWith('$')) throw unsupported()
    throw new ApiError(
      'NOT_FOUND',
      'This entity set does not exist: the service document lists them.',
    )
  }
  const key = first.includes('(') ? parseKey(first.slice(first.indexOf('('))) : undefined
  if (second === undefined)
    return key ? { type: 'entity', collection, key } : { type: 'entities', collection }
  if (second === '$count' && !key && others.length === 0) return { type: 'count', collection }
  throw unsupported()
}

function parseKey(text: string): EntityKey {
  const [, name, value] = /^\((?:(\w+)=)?'((?:[^']|'')*)'\)$/.exec(text) ?? []
  if (value === undefined)
    throw invalidField('key', 'invalid_format', "must be a text: Events('id').")
  return { name, value: value.replaceAll("''", "'") }
}

const unsupported = () =>
  new UnsupportedError(
    501,
    'This service has only the service document, $metadata, entity sets, their $count, and entities by key.',
  )

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
