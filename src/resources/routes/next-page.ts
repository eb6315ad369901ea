import type { ResponseContext } from '../../formats/stream.ts'
import { foreignToken, type Position } from '../../model/query/query-options.ts'
import { formatCursor, readAfter } from '../../store/cursors.ts'

/** The parameters that may differ between the pages of a list. */
const pageParameters = new Set(['$skiptoken', 'offset', 'limit', '$top', '$format'])

/** The path and query of the page after a position. */
export async function formatNextAddress(
  c: ResponseContext,
  collection: string,
  position: Position,
): Promise<string> {
  const token = await formatCursor(c.var.store, tokenQuery(c, collection), position)
  return formatAddress(c, `$skiptoken=${token}`)
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
): Promise<Page> => {
  const query = tokenQuery(c, collection)
  return readAfter(
    c.var.store,
    { cursor: token, query, refuse: () => foreignToken('$skiptoken') },
    read,
  )
}

function tokenQuery({ req }: ResponseContext, collection: string) {
  const parameters = [...new URL(req.url).searchParams]
    .filter(([name]) => !pageParameters.has(name))
    .map((parameter) => JSON.stringify(parameter))
    .sort()
  return ['list', collection, parameters]
}

const nameOf = (parameter: string) => new URLSearchParams(parameter).keys().next().value ?? ''
