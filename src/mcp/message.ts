import * as z from 'zod'
import { findDuplicateName } from '../http/duplicate-names.ts'

/** A JSON-RPC request, or a notification if it has no id. */
export type RpcMessage = {
  id?: string | number | undefined
  method: string
  params: Record<string, unknown>
}

/** The codes of JSON-RPC errors that the specification of 2026-07-28 defines (basic, "Error Codes"). */
const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** An error of the protocol, with the status of its response. */
export class RpcError extends Error {
  readonly code: number
  readonly status: 200 | 400 | 404
  readonly data: unknown

  constructor(
    code: keyof typeof rpcCodes,
    message: string,
    { status = 400, data }: { status?: 200 | 400 | 404; data?: unknown } = {},
  ) {
    super(message)
    this.code = rpcCodes[code]
    this.status = status
    this.data = data
  }
}

const MessageType = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(255), z.int()]).optional(),
  method: z.string().max(255),
  params: z.record(z.string(), z.unknown()).default({}),
})

/** Parses the body of a request. Throws an RpcError unless it is one JSON-RPC request or notification. */
export function parseMessage(text: string): RpcMessage {
  const body = parseJson(text)
  if (Array.isArray(body))
    throw new RpcError(
      'invalidRequest',
      'Send one message in each request: a list of messages is not supported.',
    )
  const { data } = MessageType.safeParse(body)
  if (!data)
    throw new RpcError('invalidRequest', 'The body must be a JSON-RPC 2.0 request or notification.')
  // A proxy could read the other value of the two.
  if (findDuplicateName(text) !== undefined)
    throw new RpcError('invalidRequest', 'An object in the body has two properties of one name.')
  return data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RpcError('parseError', 'The body is not valid JSON.')
  }
}
