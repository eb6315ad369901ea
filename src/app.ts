import { Hono } from 'hono'
import type { Env as HonoEnv, Schema } from 'hono/types'
import type { Env, WorkerEnv } from './auth/env.ts'
import { baseApp } from './http/base-app.ts'
import { lazyApp } from './http/lazy.ts'
import type { Bindings } from './platform/bindings.ts'

/** The root of the API. */
const root = '/api/v1'

type LoadRoutes = () => Promise<{ routes: Hono<Env, Schema> }>
const apiSegments = new Map<string, LoadRoutes>()

/** Every route of the service. The first request to a route loads its code, which keeps cold starts short. */
export const app = new Hono<{ Bindings: Bindings }>()

page('/', () => import('./site/welcome.tsx'))
page('/docs/*', () => import('./site/docs.tsx'))
page('/healthz', () => import('./site/health.ts'))
page('/readyz', () => import('./site/health.ts'))
page('/dashboard/*', () => import('./dashboard/dashboard.tsx'))
page('/o/*', () => import('./public/routes.tsx'))
page('/odata/*', () => import('./odata/routes.ts'))
page('/mcp', () => import('./mcp/routes.ts'))

app.all(`${root}/openapi.json`, lazyApp(openApiApp))
api('members', () => import('./resources/members.ts'))
api('volunteers', () => import('./resources/volunteers.ts'))
api('partners', () => import('./resources/partners.ts'))
api('events', () => import('./resources/events.ts'))
api('bookings', () => import('./resources/bookings.ts'))
api('forms', () => import('./resources/forms.ts'))
api('survey-responses', () => import('./resources/survey-responses.ts'))
api('case-notes', () => import('./resources/case-notes.ts'))
api('funds', () => import('./resources/funds.ts'))
api('grant-applications', () => import('./resources/grant-applications.ts'))
api('disbursements', () => import('./resources/disbursements.ts'))
api('schemas', () => import('./resources/schemas.ts'))
api('changes', () => import('./resources/changes.ts'))
api('me', () => import('./resources/me.ts'))
api('imports', () => import('./import/routes/import-upload.ts'))
app.all(`${root}/*`, lazyApp(authenticatedApp))

app.all(
  '*',
  lazyApp(async () => baseApp()),
)

export async function apiRoutes() {
  const all = new Hono<Env>()
  for (const [segment, load] of apiSegments) all.route(`${root}/${segment}`, (await load()).routes)
  return all.routes
}

function page<E extends HonoEnv, S extends Schema>(
  path: string,
  load: () => Promise<{ routes: Hono<E, S> }>,
) {
  app.all(
    path,
    lazyApp(async () => baseApp<WorkerEnv>().route('/', (await load()).routes)),
  )
}

function api(segment: string, load: LoadRoutes) {
  const path = `${root}/${segment}`
  apiSegments.set(segment, load)
  app.all(
    `${path}/*`,
    lazyApp(async () => (await authenticatedApp()).route(path, (await load()).routes)),
  )
}

/** An app where every path needs credentials, even unknown ones. `open` adds routes without credentials. */
async function authenticatedApp(open?: (app: Hono<WorkerEnv>) => void) {
  const { authenticate } = await import('./auth/authenticate.ts')
  const app = baseApp<WorkerEnv>()
  open?.(app)
  return app.use(`${root}/*`, authenticate)
}

async function openApiApp() {
  const [{ buildOpenApiDocument }, { openApiWebhooks }] = await Promise.all([
    import('./http/openapi/document.ts'),
    import('./webhooks/openapi.ts'),
  ])
  const text = JSON.stringify(await buildOpenApiDocument(await apiRoutes(), root, openApiWebhooks))
  // Encode once: encoding takes longer than the rest of the request.
  const body = new TextEncoder().encode(text)
  return authenticatedApp((app) =>
    app.get(
      `${root}/openapi.json`,
      () => new Response(body, { headers: { 'Content-Type': 'application/json' } }),
    ),
  )
}
