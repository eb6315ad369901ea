import { Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import type { HttpEnv } from './env.ts'
import { answerError, errorResponse } from './errors.ts'
import { answerHeaders } from './headers.ts'

/** An app with what every request goes through, in order, and the answers to what is not there. */
export function room<Env extends HttpEnv>(): Hono<Env> {
  const app = new Hono<Env>()
  app.use(requestId(), answerHeaders)
  app.onError(answerError)
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
