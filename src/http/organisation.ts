import type { HonoRequest } from 'hono'
import { ApiError } from '../model/api-error.ts'
import { readJsonObject } from './body.ts'

/**
 * Where a request names the organisation (contract 5, decisions 5): in the query, or else in its
 * path; in the body of a record to create; or by the record it asks for.
 */
export type OrganisationSource = 'query' | 'path' | 'body' | 'record'

/** Whether a key's request names another organisation than the key's own; a key may name none in a body, which the contract says. */
export const namesOtherOrganisation = (
  req: HonoRequest,
  source: OrganisationSource,
  ownId: string,
) => source !== 'body' && [...queryIds(req), ...pathIds(req, source)].some((id) => id !== ownId)

/** The organisation a token's request names; undefined when it names none, 400 when it names two or by what is no text, 401 when its path is another's. */
export async function requestedOrganisation(
  req: HonoRequest,
  source: OrganisationSource,
): Promise<string | undefined> {
  const [requestedId, ...otherIds] = new Set([
    ...queryIds(req),
    ...(source === 'body' ? await readBodyIds(req) : []),
  ])
  if (otherIds.length > 0)
    throw new ApiError('BAD_REQUEST', 'organisationId: may be given once only.')
  const [idInPath] = pathIds(req, source)
  if (idInPath !== undefined && requestedId !== undefined && idInPath !== requestedId)
    throw new ApiError('UNAUTHORIZED', 'These credentials are not of this organisation.')
  return requestedId ?? idInPath
}

/** A body less the organisation it names; 400 when a key's request names one there or in the query. */
export function removeOrganisation(
  req: HonoRequest,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const { organisationId, ...otherProperties } = body
  const namesOrganisation = organisationId !== undefined || queryIds(req).length > 0
  if (namesOrganisation && req.header('x-api-key') !== undefined) {
    throw new ApiError('BAD_REQUEST', 'organisationId: must not be given with a key.')
  }
  return otherProperties
}

/** What a path of the API names after its collection, decoded: an organisation, or the id of a record. */
export function pathId(req: HonoRequest): string {
  const segment = req.path.split('/')[4] ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const queryIds = (req: HonoRequest) => req.queries('organisationId') ?? []

const pathIds = (req: HonoRequest, source: OrganisationSource) =>
  source === 'path' ? [pathId(req)] : []

// A body that is no JSON object names none; its errors are found once the credentials are settled.
async function readBodyIds(req: HonoRequest): Promise<string[]> {
  const body = await readJsonObject(req).catch(() => undefined)
  const id = body?.organisationId
  if (id === undefined) return []
  if (typeof id === 'string') return [id]
  throw new ApiError('BAD_REQUEST', 'organisationId: must be a text.')
}
