import type { Contract } from '../contract.ts'
import { ErrorBody } from '../error-bodies.ts'
import { referToHeaders } from './headers.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'

/** A request body or a response. */
export type BodyDescription = {
  $ref?: string
  description?: string
  headers?: object
  content?: Record<string, { schema: JsonSchema }>
}

/** The responses without a body, as components by status. */
export const emptyResponses = {
  204: {
    description: 'Success, without a body.',
    headers: referToHeaders(['RateLimit', 'RateLimit-Policy']),
  },
  304: {
    description: 'The response still has this `ETag`.',
    'x-addition': true,
    headers: referToHeaders(['RateLimit', 'RateLimit-Policy', 'ETag']),
  },
}

/** A reference to the response with a status that many operations share. */
const referToStatus = (status: string | number) => ({ $ref: `#/components/responses/${status}` })

const commonErrors = {
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  429: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
}

/** Returns the responses of an operation by status, and adds their named types to `schemas`. */
export async function buildResponses(contract: Contract, schemas: Record<string, JsonSchema>) {
  const { isConditional, responseHeaders = {}, otherFormats = {} } = contract
  const types = { ...(await contract.responses()), ...commonErrors }
  const responses: Record<string, BodyDescription> = isConditional
    ? { 304: referToStatus(304) }
    : {}
  for (const [status, type] of Object.entries(types)) {
    if (type === ErrorBody || type === null) responses[status] = referToStatus(status)
    else
      responses[status] = {
        description: status === '201' ? 'Created.' : 'Success.',
        headers: referToHeaders([
          ...(['RateLimit', 'RateLimit-Policy'] as const),
          ...(isConditional ? (['ETag'] as const) : []),
          ...(responseHeaders[Number(status)] ?? []),
        ]),
        content: {
          'application/json': { schema: toJsonSchema(type, 'output', schemas) },
          ...(status === '200' && buildOtherFormats(otherFormats)),
        },
      }
  }
  return responses
}

const buildOtherFormats = (examples: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(examples).map(([mediaType, example]) => [
      mediaType,
      { schema: { type: 'string' }, example },
    ]),
  )
