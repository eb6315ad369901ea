import type { HonoRequest } from 'hono'
import { ApiError } from '../model/api-error.ts'
import { jsonObject } from './body.ts'

/**
 * Where a request names the organisation (contract 5, decisions 5): in the query, or else in its
 * path; in the body of a record to create; or by the record it asks for.
 */
export type OrganisationPlace = 'query' | 'path' | 'body' | 'record'

/** Whether a key's request names another organisation than the key's own; a key may name none in a body, which the contract says. */
export const namesAnother = (req: HonoRequest, place: OrganisationPlace, own: string) =>
  place !== 'body' && [...inQuery(req), ...inPath(req, place)].some((id) => id !== own)

/** The organisation a token's request names; undefined when it names none, 400 when it names two or by what is no text, 401 when its path is another's. */
export async function organisationNamed(
  req: HonoRequest,
  place: OrganisationPlace,
): Promise<string | undefined> {
  const [named, ...others] = new Set([
    ...inQuery(req),
    ...(place === 'body' ? await inBody(req) : []),
  ])
  if (others.length > 0)
    throw new ApiError('BAD_REQUEST', 'organisationId: may be given once only.')
  const [path] = inPath(req, place)
  if (path !== undefined && named !== undefined && path !== named)
    throw new ApiError('UNAUTHORIZED', 'These credentials are not of this organisation.')
  return named ?? path
}

/** A body less the organisation it names; 400 when a key's request names one there or in the query. */
export function withoutOrganisation(
  req: HonoRequest,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const { organisationId, ...others } = body
  const named = organisationId !== undefined || inQuery(req).length > 0
  if (named && req.header('x-api-key') !== undefined) {
    throw new ApiError('BAD_REQUEST', 'organisationId: must not be given with a key.')
  }
  return others
}

/** What a path of the API names after its collection, decoded: an organisation, or the id of a record. */
export function namedInPath(req: HonoRequest): string {
  const segment = req.path.split('/')[4] ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const inQuery = (req: HonoRequest) => req.queries('organisationId') ?? []

const inPath = (req: HonoRequest, place: OrganisationPlace) =>
  place === 'path' ? [namedInPath(req)] : []

// A body that is no JSON object names none; its faults are found once the credentials are settled.
async function inBody(req: HonoRequest): Promise<string[]> {
  const body = await jsonObject(req).catch(() => undefined)
  const named = body?.organisationId
  if (named === undefined) return []
  if (typeof named === 'string') return [named]
  throw new ApiError('BAD_REQUEST', 'organisationId: must be a text.')
}
