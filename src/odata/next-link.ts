import { invalidField } from '../model/api-error.ts'
import { foreignToken, type Position } from '../model/query/query-options.ts'
import { formatCursor, readAfter } from '../store/cursors.ts'
import type { Store } from '../store/store.ts'
import type { Options } from './options.ts'

/** The query that a token belongs to. */
type TokenQuery = { store: Store; collection: string; options: Options }

/** Reads the page after `$skiptoken`, or the first one. Throws 400 unless the token belongs to this query, organisation and restrictions. */
export async function readEntitiesAfter<Page>(
  query: TokenQuery,
  read: (after: Position | undefined) => Promise<Page>,
): Promise<Page> {
  const { options } = query
  const text = options.get('$skiptoken')
  // `$skiptoken=start` is the first page, of a client that follows pages by tokens from the first on.
  const cursor = text === 'start' ? undefined : text
  if (cursor !== undefined && options.has('$skip'))
    throw invalidField('$skip', 'not_allowed', 'must not be combined with $skiptoken.')
  const refuse = () => foreignToken('$skiptoken')
  return readAfter({ ...cursorScope(query), refuse }, cursor, read)
}

/** The address of the page after a position; `top` is the number of entities left, if limited. */
export async function formatEntitiesLink(
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
    ['$skiptoken', await formatCursor(cursorScope(query), position)],
  ]
  return `${address}?${parameters.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

const cursorScope = ({ store, collection, options }: TokenQuery) => ({
  store,
  query: ['odata', collection, options.get('$filter') ?? null, options.get('$orderby') ?? null],
})
