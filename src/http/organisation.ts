import type { HonoRequest, MiddlewareHandler } from 'hono'
import { ApiError, invalidField } from '../model/api-error.ts'
import { valueAt } from '../model/json.ts'
import { messages } from '../model/validation-error.ts'
import { readJsonText } from './body.ts'
import { findDuplicateName } from './duplicate-names.ts'
import type { HttpEnv } from './env.ts'

/**
 * The part of a request that can name the organisation besides the query:
 * the path, the body of a new record, or the requested record. An id comes from a path outside the API.
 */
export type OrganisationSource = 'query' | 'path' | 'body' | 'record' | { id: string }

/** Whether a request with a key names an organisation other than `ownId`. `removeOrganisation` checks the body. */
export const namesOtherOrganisation = (
  req: HonoRequest,
  source: OrganisationSource,
  ownId: string,
) => source !== 'body' && [...queryIds(req), ...pathIds(req, source)].some((id) => id !== ownId)

/** The organisation that a request with a token names, if any. Throws 400 for two organisations or a value that is not text, 401 if query and path differ. */
export async function requestedOrganisation(
  req: HonoRequest,
  source: OrganisationSource,
): Promise<string | undefined> {
  const [requestedId, ...otherIds] = new Set([
    ...queryIds(req),
    ...(source === 'body' ? await readBodyIds(req) : []),
  ])
  if (otherIds.length > 0) throw invalidField('organisationId', 'duplicate', messages.repeated)
  const [idInPath] = pathIds(req, source)
  if (idInPath !== undefined && requestedId !== undefined && idInPath !== requestedId)
    throw new ApiError('UNAUTHORIZED', 'These credentials belong to another organisation.')
  return requestedId ?? idInPath
}

/** Middleware that removes `organisationId` from the validated body. Throws 400 if a request with a key has one in the body or query. */
export const removeOrganisation: MiddlewareHandler<HttpEnv, string, JsonInput> = async ({
  req,
}) => {
  const { organisationId, ...otherProperties } = req.valid('json')
  const namesOrganisation = organisationId !== undefined || queryIds(req).length > 0
  if (namesOrganisation && req.header('x-api-key') !== undefined) {
    throw invalidField('organisationId', 'not_allowed', 'is not allowed with a key.')
  }
  req.addValidatedData('json', otherProperties)
}

type JsonInput = { out: { json: Record<string, unknown> } }

/** The decoded path segment after the collection: an organisation or a record's id. */
export function pathId(req: HonoRequest): string {
  const segment = req.path.split('/')[4] ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const queryIds = (req: HonoRequest) => req.queries('organisationId') ?? []

function pathIds(req: HonoRequest, source: OrganisationSource): string[] {
  if (typeof source === 'object') return [source.id]
  return source === 'path' ? [pathId(req)] : []
}

async function readBodyIds(req: HonoRequest): Promise<string[]> {
  const id = valueAt(await readJson(req), ['organisationId'])
  if (id === undefined) return []
  if (typeof id === 'string') return [id]
  throw invalidField('organisationId', 'invalid_type', messages.text)
}

/** The parsed body, or undefined if it is invalid: validation rejects it after authentication. */
async function readJson(req: HonoRequest): Promise<unknown> {
  try {
    const text = await readJsonText(req)
    const body: unknown = JSON.parse(text)
    return findDuplicateName(text) === undefined ? body : undefined
  } catch {
    return undefined
  }
}
