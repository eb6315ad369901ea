import type { ResponseContext } from '../../formats/stream.ts'
import { foreignToken, type Position } from '../../model/query/query-options.ts'
import { formatNextCursor, readAfter } from '../../store/cursors.ts'
import type { ReadPage } from './list-source.ts'

/** The parameters that may differ between the pages of a list. */
const pageParameters = new Set(['$skiptoken', 'offset', 'limit', '$top', '$format'])

/** The path and query of the page after this one; undefined on the last page. */
export async function formatNextAddress(
  c: ResponseContext,
  collection: string,
  page: ReadPage,
): Promise<string | undefined> {
  const token = await formatNextCursor(cursorScope(c, collection), page)
  return token && formatAddress(c, `$skiptoken=${token}`)
}

export const formatOffsetAddress = (c: ResponseContext, offset: number): string =>
  formatAddress(c, `offset=${offset}`)

function formatAddress({ req }: ResponseContext, start: string): string {
  const { pathname, search } = new URL(req.url)
  const others = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter && !['$skiptoken', 'offset'].includes(nameOf(parameter)))
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

function cursorScope({ req, var: { store } }: ResponseContext, collection: string) {
  const parameters = [...new URL(req.url).searchParams]
    .filter(([name]) => !pageParameters.has(name))
    .map((parameter) => JSON.stringify(parameter))
    .sort()
  const query = ['list', collection, parameters]
  return { store, query, refuse: () => foreignToken('$skiptoken') }
}

const nameOf = (parameter: string) => new URLSearchParams(parameter).keys().next().value ?? ''
