import type { ResponseContext } from '../../formats/stream.ts'
import { foreignToken, type Position } from '../../model/query/query-options.ts'
import { formatNextCursor, readAfter, rememberCursorKey } from '../../store/cursors.ts'
import type { ReadPage } from './list-source.ts'

/** The parameters that may differ between the pages of a list. */
const pageParameters = new Set(['$skiptoken', 'offset', 'limit', '$top', '$format'])

/** The parameters that say where a page starts. */
const startParameters = new Set(['$skiptoken', 'offset'])

/** The path and query of the page after this one; undefined on the last page. */
export async function formatNextAddress(
  c: ResponseContext,
  collection: string,
  page: ReadPage,
): Promise<string | undefined> {
  await rememberCursorKey(c.var.store, page.head)
  const token = await formatNextCursor(cursorScope(c, collection), page)
  return token && formatAddress(c, `$skiptoken=${token}`)
}

export const formatOffsetAddress = (c: ResponseContext, offset: number): string =>
  formatAddress(c, `offset=${offset}`)

function formatAddress({ req }: ResponseContext, start: string): string {
  const { pathname, search, searchParams } = new URL(req.url)
  const parameters = search.slice(1).split('&').filter(Boolean)
  const names = [...searchParams.keys()]
  const others = parameters.filter((_, index) => !startParameters.has(names[index] ?? ''))
  return `${pathname}?${[...others, start].join('&')}`
}

/** The `Link` header that leads to the next page. */
export const formatNextLink = ({ req }: ResponseContext, address: string): string =>
  `<${new URL(address, req.url).href}>; rel="next"`

/** Reads the page after a token, or the first one. Throws 400 unless the token is of this organisation, collection, query and restrictions. */
export const readPageAfter = <Page>(
  c: ResponseContext,
  collection: string,
  token: string | undefined,
  read: (after: Position | undefined) => Promise<Page>,
): Promise<Page> => readAfter(cursorScope(c, collection), token, read)

const cursorScope = ({ req, var: { store } }: ResponseContext, collection: string) => ({
  store,
  // Only a page with a cursor needs the parameters, and most have none.
  get query() {
    const parameters = [...new URL(req.url).searchParams]
      .filter(([name]) => !pageParameters.has(name))
      .map((parameter) => JSON.stringify(parameter))
      .sort()
    return ['list', collection, parameters]
  },
  refuse: () => foreignToken('$skiptoken'),
})
