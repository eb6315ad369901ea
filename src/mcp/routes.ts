import { createMiddleware } from 'hono/factory'
import { assistantPermissions } from '../access/permissions.ts'
import { authenticateWith, credentialsOf, resolveCredential } from '../auth/authenticate.ts'
import type { WorkerEnv } from '../auth/env.ts'
import { readJsonText } from '../http/body.ts'
import { Hono } from '../http/hono.ts'
import { ApiError } from '../model/api-error.ts'
import { isLoopback } from '../platform/loopback.ts'
import { parseMessage, RpcError, type RpcMessage } from './message.ts'
import { callMethod } from './methods.ts'
import { readEra } from './version.ts'

/*
 * The Model Context Protocol in its stateless form: each POST is one message, and each response is one
 * JSON object. There are no sessions, streams, prompts or resources.
 */

/** Throws 403 for a request from a web page of another origin (Streamable HTTP, "Security"). */
const requireOwnOrigin = createMiddleware(async ({ req }, next) => {
  const origin = req.header('Origin')
  const own = new URL(req.url)
  // A page can give its own name the address of this machine, but no certificate.
  const isSafe = own.protocol === 'https:' || isLoopback(own.hostname)
  if (origin !== undefined && !(isSafe && origin === own.origin))
    throw new ApiError('FORBIDDEN', 'Web pages of other origins cannot use this address.')
  await next()
})

/** Opens the organisation of an assistant's key, which clients also send as a bearer token. */
const authenticateAssistant = authenticateWith(async (c) => {
  const { key, token } = credentialsOf(c.req)
  const sent = key === undefined ? { key: token } : { key, token }
  return { credential: await resolveCredential(c, sent, 'query'), collection: 'mcp' }
})

export const routes = new Hono<WorkerEnv>().post(
  '/mcp',
  requireOwnOrigin,
  authenticateAssistant,
  async (c) => {
    const { store } = c.var
    await store.verify({ permissions: assistantPermissions })
    let message: RpcMessage | undefined
    try {
      message = parseMessage(await readJsonText(c.req))
      const { id } = message
      if (id === undefined) return c.body(null, 202)
      const era = readEra(c.req, message)
      const { origin } = new URL(c.req.url)
      return c.json({
        jsonrpc: '2.0',
        id,
        result: await callMethod({ store, origin }, era, message),
      })
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      const { code, message: text, data, status } = error
      return c.json(
        { jsonrpc: '2.0', id: message?.id, error: { code, message: text, data } },
        status,
      )
    }
  },
)
