import { env, exports } from 'cloudflare:workers'
import { assistantPermissions } from '../../src/access/permissions.ts'
import { assistantRestrictions, type Restrictions } from '../../src/access/restrictions.ts'
import { createKey } from '../keys.ts'

const version = '2026-07-28'

/** The `_meta` of a stateless request. */
export const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Params = Record<string, unknown>

/** Sends a body to `/mcp`. */
export const post = (
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
  address = 'https://api.test/mcp',
) =>
  exports.default.fetch(
    new Request(address, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'CF-Connecting-IP': crypto.randomUUID(),
        ...(key && { 'x-api-key': key }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

/** Sends a stateless request. */
export const send = (
  key: string,
  method: string,
  params: Params = {},
  headers: Record<string, string> = {},
) =>
  post(
    key,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    {
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
      ...headers,
    },
  )

/** Creates an assistant's key. */
export const newAssistantKey = async (
  organisationId: string,
  restrictions: Restrictions = assistantRestrictions,
) =>
  (
    await createKey(
      env,
      organisationId,
      'Claude',
      'a test',
      undefined,
      assistantPermissions,
      restrictions,
    )
  ).key

/** Calls a tool and returns the text of its result. */
export async function callTool(key: string, name: string, input: Params = {}) {
  const response = await send(key, 'tools/call', { name, arguments: input })
  const { result } = await response.json<{
    result: { content: [{ text: string }]; isError?: boolean }
  }>()
  return { text: result.content[0].text, isError: result.isError === true }
}

/** Calls a tool and returns its data. Throws for an error. */
export async function readTool<Data>(key: string, name: string, input: Params = {}): Promise<Data> {
  const { text, isError } = await callTool(key, name, input)
  if (isError) throw new Error(text)
  const [, data = ''] = /^<(?:records-[\da-f]{8})>\n(.*)\n<\/records-[\da-f]{8}>/m.exec(text) ?? []
  return JSON.parse(data)
}
