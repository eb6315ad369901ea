import type { HonoRequest } from 'hono'
import { isObject } from '../model/json.ts'
import { RpcError, type RpcMessage } from './message.ts'

/** The version without a handshake: each request describes itself in `_meta`. */
const statelessVersion = '2026-07-28'

/** The earlier versions, which begin with `initialize`. The first is the one to offer. */
export const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

export const supportedVersions: readonly string[] = [statelessVersion, ...handshakeVersions]

/** The keys of a request's `_meta` (basic, "Per-request protocol fields"). */
const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
} as const

/** Whether a request describes itself, as since 2026-07-28, or follows a handshake. */
export type Era = 'stateless' | 'handshake'

/**
 * The era of a request. Throws an RpcError for an unknown version, and for a stateless request
 * that lacks required fields or repeats its body differently in its headers.
 */
export function readEra(req: HonoRequest, { method, params }: RpcMessage): Era {
  const meta = isObject(params._meta) ? params._meta : {}
  const inBody = meta[metaKeys.version]
  const inHeader = req.header('mcp-protocol-version')
  if (inBody === undefined) {
    // Versions before 2025-06-18 had no header.
    const version = inHeader ?? handshakeVersions[2]
    requireSupported(version)
    if (version !== statelessVersion) return 'handshake'
    throw new RpcError('invalidParams', `params._meta must have ${metaKeys.version}.`)
  }
  requireSameHeader('MCP-Protocol-Version', inHeader, inBody)
  requireSupported(inBody)
  if (!isObject(meta[metaKeys.capabilities]))
    throw new RpcError('invalidParams', `params._meta must have ${metaKeys.capabilities}.`)
  requireSameHeader('Mcp-Method', req.header('mcp-method'), method)
  if (method === 'tools/call')
    requireSameHeader('Mcp-Name', decodeHeader(req.header('mcp-name')), params.name)
  return 'stateless'
}

function requireSupported(version: unknown): void {
  if (typeof version === 'string' && supportedVersions.includes(version)) return
  throw new RpcError('unsupportedVersion', 'Unsupported protocol version', {
    data: { supported: supportedVersions, requested: version },
  })
}

// The values stay out of the message, because a proxy may log it.
function requireSameHeader(name: string, header: string | undefined, value: unknown): void {
  if (header !== value)
    throw new RpcError('headerMismatch', `Header mismatch: ${name} must be the value in the body.`)
}

/** Decodes a header in the form `=?base64?…?=` (Streamable HTTP, "Value Encoding"); returns undefined if it is malformed. */
function decodeHeader(value: string | undefined): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? []
  if (encoded === undefined) return value
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
