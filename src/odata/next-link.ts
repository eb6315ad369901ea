import { invalidField } from '../model/api-error.ts'
import type { Position } from '../model/query/query-options.ts'
import {
  foreignToken,
  formatSkipToken,
  parseSkipToken,
  requireScope,
} from '../model/query/skip-token.ts'
import type { Store } from '../store/store.ts'
import type { EntityQuery, Options } from './options.ts'

/** The query that a token belongs to. */
type TokenQuery = { store: Store; collection: string; options: Options }

/** Returns the position in `$skiptoken`. Throws 400 unless the token belongs to this query, organisation and restrictions. */
export async function readPosition(
  query: TokenQuery,
  { orderBy }: EntityQuery,
): Promise<Position | undefined> {
  const text = query.options.get('$skiptoken')
  if (text === undefined || text === 'start') return undefined
  if (query.options.has('$skip'))
    throw invalidField('$skip', 'not_allowed', 'must not be combined with $skiptoken.')
  const token = parseSkipToken(text, orderBy.length)
  if (!token) throw invalidField('$skiptoken', 'invalid_format', foreignToken)
  await requireScope(token, buildScope(query))
  return token.position
}

/** Returns the address of the page after a position; `top` is the number of entities left, if limited. */
export async function formatNextLink(
  query: TokenQuery,
  address: string,
  position: Position,
  top: number | undefined,
): Promise<string> {
  const kept = ['$filter', '$orderby', '$select', '$format'].flatMap((name) => {
    const value = query.options.get(name)
    return value === undefined ? [] : [[name, value]]
  })
  const parameters = [
    ...kept,
    ...(top === undefined ? [] : [['$top', String(top)]]),
    ['$skiptoken', await formatSkipToken(position, buildScope(query))],
  ]
  return `${address}?${parameters.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

const buildScope = ({ store, collection, options }: TokenQuery) => [
  ...['odata', store.organisationId, collection],
  ...[options.get('$filter') ?? null, options.get('$orderby') ?? null],
  store.credential.restrictions,
]
