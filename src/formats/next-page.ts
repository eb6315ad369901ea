import type { Position } from '../model/query/query-options.ts'
import { formatSkipToken, requireScope, type SkipToken } from '../model/query/skip-token.ts'
import type { ResponseContext } from './stream.ts'

/** The parameters that may differ between the pages of a list. */
const pageParameters = new Set(['$skiptoken', 'offset', 'limit', '$top', '$format'])

/** Returns the path and query of the page after a position. */
export async function formatNextAddress(
  c: ResponseContext,
  collection: string,
  position: Position,
): Promise<string> {
  const { pathname, search } = new URL(c.req.url)
  const token = await formatSkipToken(position, tokenScope(c, collection))
  const others = search
    .slice(1)
    .split('&')
    .filter((parameter) => !['$skiptoken', 'offset'].includes(nameOf(parameter)))
  return `${pathname}?${[...others, `$skiptoken=${token}`].join('&')}`
}

/** Throws 400 unless a token is of this organisation, collection, query and restrictions. Call it after a read, which confirms the restrictions. */
export const requireOwnToken = (c: ResponseContext, collection: string, token: SkipToken) =>
  requireScope(token, tokenScope(c, collection))

function tokenScope({ req, var: { store } }: ResponseContext, collection: string) {
  const parameters = [...new URL(req.url).searchParams]
    .filter(([name]) => !pageParameters.has(name))
    .map((parameter) => JSON.stringify(parameter))
    .sort()
  return [store.organisationId, collection, parameters, store.credential.restrictions]
}

const nameOf = (parameter: string) => new URLSearchParams(parameter).keys().next().value ?? ''
