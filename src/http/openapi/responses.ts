import { addition, type Contract } from '../contract.ts'
import { ErrorBody } from '../error-bodies.ts'
import { referToError } from './error-responses.ts'
import { referToHeaders } from './headers.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import type { Body } from './operation.ts'

/** The responses without a body, as components. */
export const emptyResponses = {
  NO_CONTENT: {
    description: 'The request succeeded. The response has no body.',
    headers: referToHeaders(['RateLimit-Policy']),
  },
  NOT_MODIFIED: {
    description: 'The response still has this `ETag`.',
    ...addition,
    headers: referToHeaders(['RateLimit-Policy', 'ETag']),
  },
}

const referToEmpty = (name: keyof typeof emptyResponses) => ({
  $ref: `#/components/responses/${name}`,
})

const commonErrors = {
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  429: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
}

/** Returns the responses of an operation by status, and adds their named types to `schemas`. */
export function buildResponses(contract: Contract, schemas: Record<string, JsonSchema>) {
  const { isConditional, responseHeaders = {}, otherFormats = {} } = contract
  const types = { ...contract.responses(), ...commonErrors }
  const responses: Record<string, Body> = isConditional ? { 304: referToEmpty('NOT_MODIFIED') } : {}
  for (const [status, type] of Object.entries(types)) {
    if (type === ErrorBody) responses[status] = referToError(Number(status))
    else if (!type) responses[status] = referToEmpty('NO_CONTENT')
    else
      responses[status] = {
        description: status === '201' ? 'The record was created.' : 'The request succeeded.',
        headers: referToHeaders([
          'RateLimit-Policy',
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
