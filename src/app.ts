import { Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import { authenticate } from './auth/authenticate.ts'
import { dashboard } from './dashboard/dashboard.tsx'
import { docs } from './docs.ts'
import type { Env } from './env.ts'
import { health } from './health.ts'
import { answerError, errorResponse } from './http/errors.ts'
import { answerHeaders } from './http/headers.ts'
import { openApiDocument } from './http/openapi.ts'
import { resources } from './resources.ts'

const root = '/api/v1'

/** The whole API: what every request goes through, in order, and then the resources. */
export const app = new Hono<Env>()

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

app.route('/', health)
app.route('/dashboard', dashboard)
app.route('/', health)
app.route('/', docs)
app.get(`${root}/openapi.json`, (c) => c.json(openApiDocument(app.routes, root)))
app.use(`${root}/*`, authenticate)
for (const [segment, { routes }] of Object.entries(resources))
  app.route(`${root}/${segment}`, routes)
