import { Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import type { HttpEnv } from './env.ts'
import { errorResponse, handleError } from './errors.ts'
import { responseHeaders } from './headers.ts'

/** Returns an app with the common middleware and error handlers. */
export function baseApp<Env extends HttpEnv>(): Hono<Env> {
  const app = new Hono<Env>()
  app.use(requestId(), responseHeaders)
  app.onError(handleError)
  app.notFound((c) => errorResponse(c, 'NOT_FOUND', 'This path does not exist.'))
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        errorResponse(c, 'METHOD_NOT_ALLOWED', `This path allows only ${methods.join(', ')}.`, {
          Allow: methods.join(', '),
        }),
    }),
  )
  return app
}
