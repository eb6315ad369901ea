import { Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import type { HttpEnv } from './env.ts'
import { errorResponse, handleError } from './errors.ts'
import { responseHeaders } from './headers.ts'

/** An app with what every request goes through, in order, and the answers to what is not there. */
export function baseApp<Env extends HttpEnv>(): Hono<Env> {
  const app = new Hono<Env>()
  app.use(requestId(), responseHeaders)
  app.onError(handleError)
  app.notFound((c) => errorResponse(c, 'NOT_FOUND', 'There is nothing at this path.'))
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        errorResponse(c, 'METHOD_NOT_ALLOWED', `Only ${methods.join(', ')} can be used here.`, {
          Allow: methods.join(', '),
        }),
    }),
  )
  return app
}
