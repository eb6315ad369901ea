import type { Permission } from '../access/permissions.ts'
import { ApiError } from '../model/api-error.ts'
import { isConnectionLost } from '../platform/outage.ts'
import { sha256 } from '../platform/sha256.ts'
import type { Store } from '../store/store.ts'
import { readBeforeWrite } from '../store/write/before-write.ts'
import {
  type IdempotentRequest,
  isDuplicateRequest,
  type StoredResponse,
} from '../store/write/idempotency.ts'
import { commitWrite } from '../store/write/write.ts'

/** The Idempotency-Key of a request, and the text of the request. */
export type IdempotencyKey = { key: string; body: string }

/** The stored response without the digest of its request. */
export type ResponseParts = Omit<StoredResponse, 'bodyHash'>

/** The digests that identify a request; undefined without an Idempotency-Key. */
export async function identifyRequest(
  { credential: { principal, organisationId } }: Store,
  idempotencyKey: IdempotencyKey | undefined,
): Promise<IdempotentRequest | undefined> {
  if (!idempotencyKey) return undefined
  const { key, body } = idempotencyKey
  return {
    id: await sha256(JSON.stringify([principal, organisationId, key])),
    bodyHash: await sha256(body),
  }
}

/** The response to the first request; throws 422 if it had another body. */
export function parseStoredResponse({ bodyHash }: IdempotentRequest, text: string): ResponseParts {
  const { bodyHash: firstHash, ...parts }: StoredResponse = JSON.parse(text)
  if (firstHash === bodyHash) return parts
  throw new ApiError('UNPROCESSABLE', 'Idempotency-Key: was used with another body.')
}

/**
 * Returns the stored response after an error, or throws the error. The same request may have
 * succeeded earlier, or this one may have succeeded and only its response was lost.
 */
export async function recoverResponse(
  store: Store,
  collection: string,
  request: IdempotentRequest | undefined,
  permissions: readonly Permission[],
  error: unknown,
): Promise<ResponseParts> {
  const mayBeStored =
    isDuplicateRequest(error) || isConnectionLost(error) || error instanceof ApiError
  if (!request || !mayBeStored) throw error
  const { response } = await readBeforeWrite(store, { collection, ids: [], request, permissions })
  if (!response) throw error
  return parseStoredResponse(request, response)
}

/**
 * The stored response to an import, or undefined if the request is new. Throws 422 if the
 * key was used with another body.
 */
export async function readStoredResponse(
  store: Store,
  collection: string,
  key: IdempotencyKey,
): Promise<string | undefined> {
  const request = await identifyRequest(store, key)
  const { response } = await readBeforeWrite(store, {
    collection,
    ids: [],
    request,
    permissions: ['write'],
  })
  if (!request || response === undefined) return undefined
  return parseStoredResponse(request, response).text ?? undefined
}

/**
 * Stores the response to a completed import and returns it, or returns the response that another
 * request stored first.
 */
export async function saveResponse(
  store: Store,
  collection: string,
  key: IdempotencyKey,
  response: string,
): Promise<string> {
  const digests = await identifyRequest(store, key)
  try {
    await commitWrite(store, {
      collection,
      permissions: ['write'],
      request: digests && { digests, response: { id: '', text: response } },
    })
    return response
  } catch (error) {
    if (!isDuplicateRequest(error) && !isConnectionLost(error)) throw error
    return (await readStoredResponse(store, collection, key)) ?? response
  }
}
