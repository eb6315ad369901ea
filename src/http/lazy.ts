import type { Context } from 'hono'
import type { Bindings } from '../platform/bindings.ts'
import { openBindings } from '../platform/timeout.ts'

/** The Hono environment of an app of lazy apps. */
export type LazyEnv = { Bindings: Bindings }

type Fetch = (
  request: Request,
  env: Bindings,
  context?: ExecutionContext,
) => Response | Promise<Response>

/**
 * A handler that builds an app on the first request and passes every request to it, with a timeout for
 * every call of a database.
 */
export function lazyApp(build: () => { fetch: Fetch } | Promise<{ fetch: Fetch }>) {
  // Store the app: in workerd, a request cannot await another request's promise.
  let app: { fetch: Fetch } | undefined
  return async (c: Context<LazyEnv>): Promise<Response> => {
    app ??= await build()
    return app.fetch(c.req.raw, openBindings(c.env), findExecutionContext(c))
  }
}

// Hono throws without an execution context, for example in tests that call `app.request`.
function findExecutionContext(c: Context<LazyEnv>): ExecutionContext | undefined {
  try {
    return c.executionCtx as ExecutionContext
  } catch {
    return undefined
  }
}
