import type { Env as HonoEnv, Schema } from 'hono/types'
import { authenticate } from './auth/authenticate.ts'
import type { Env, WorkerEnv } from './auth/env.ts'
import { baseApp } from './http/base-app.ts'
import { Hono } from './http/hono.ts'
import { type LazyEnv, lazyApp } from './http/lazy.ts'
import type { RecordList } from './resources/routes/list-route.ts'
// What every list needs is evaluated when an isolate starts, which Cloudflare does before the request arrives.
import './resources/routes/list-route.ts'
import './resources/routes/record-routes.ts'

/** The root of the API. */
const root = '/api/v1'

type LoadRoutes = () => Promise<{ routes: Hono<Env, Schema> }>
type LoadCollection = () => Promise<{ routes: Hono<Env, Schema>; list: RecordList }>

/** The routes of the API with the paths below which they are. */
const apiRoutes: [path: string, LoadRoutes][] = []

/** Every route of the service. The first request to a route loads its code, which keeps cold starts short. */
export const app = new Hono<LazyEnv>()

page('/', () => import('./site/welcome.tsx'))
page('/docs/*', () => import('./site/docs.tsx'))
page('/healthz', () => import('./site/health.ts'))
page('/readyz', () => import('./site/health.ts'))
app.all(
  '/dashboard/*',
  lazyApp(async () => (await import('./dashboard/dashboard.ts')).app),
)
page('/o/*', () => import('./public/routes.tsx'))
page('/odata/*', () => import('./odata/routes.ts'))
page('/mcp', () => import('./mcp/routes.ts'))

app.all(`${root}/openapi.json`, lazyApp(openApiApp))
collection('members', () => import('./resources/members.ts'))
collection('volunteers', () => import('./resources/volunteers.ts'))
collection('partners', () => import('./resources/partners.ts'))
collection('events', () => import('./resources/events.ts'))
collection('bookings', () => import('./resources/bookings.ts'))
collection('forms', () => import('./resources/forms.ts'))
collection('survey-responses', () => import('./resources/survey-responses.ts'))
collection('case-notes', () => import('./resources/case-notes.ts'))
collection('funds', () => import('./resources/funds.ts'))
collection('grant-applications', () => import('./resources/grant-applications.ts'))
collection('disbursements', () => import('./resources/disbursements.ts'))
api('schemas', () => import('./resources/schemas.ts'))
api('changes', () => import('./resources/changes.ts'))
api('me', () => import('./resources/me.ts'))
apiBelow(`${root}/webhooks`, '/$sample', async () => ({
  routes: (await import('./resources/webhooks.ts')).sampleRoutes,
}))
api('webhooks', () => import('./resources/webhooks.ts'))
api('imports', () => import('./import/routes/import-upload.ts'))
app.all(`${root}/*`, lazyApp(authenticatedApp))

app.all('*', lazyApp(baseApp))

/** Loads every route of the API. */
export async function loadApiRoutes() {
  const all = new Hono<Env>()
  for (const [path, load] of apiRoutes) all.route(path, (await load()).routes)
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
  apiBelow(`${root}/${segment}`, '/*', load)
}

/** Serves summaries from a separate app, because `PUT /:id` would match their path too. */
function collection(segment: string, load: LoadCollection) {
  apiBelow(`${root}/${segment}`, '/$summary', async () => {
    const { getSummary } = await import('./resources/routes/summary-route.ts')
    return { routes: new Hono<Env>().get('/$summary', getSummary((await load()).list)) }
  })
  api(segment, load)
}

/** The routes for the paths below `path` that `pattern` matches. */
function apiBelow(path: string, pattern: string, load: LoadRoutes) {
  apiRoutes.push([path, load])
  app.all(
    `${path}${pattern}`,
    lazyApp(async () => authenticatedApp().route(path, (await load()).routes)),
  )
}

/** An app where every path needs credentials, even unknown ones. `open` adds routes without credentials. */
function authenticatedApp(open?: (app: Hono<WorkerEnv>) => void) {
  const app = baseApp<WorkerEnv>()
  open?.(app)
  return app.use(`${root}/*`, authenticate)
}

async function openApiApp() {
  const [{ buildOpenApiDocument }, { openApiWebhooks }] = await Promise.all([
    import('./http/openapi/document.ts'),
    import('./webhooks/openapi.ts'),
  ])
  const text = JSON.stringify(
    await buildOpenApiDocument(await loadApiRoutes(), root, openApiWebhooks),
  )
  // Encode once: encoding takes longer than the rest of the request.
  const body = new TextEncoder().encode(text)
  return authenticatedApp((app) =>
    app.get(
      `${root}/openapi.json`,
      () => new Response(body, { headers: { 'Content-Type': 'application/json' } }),
    ),
  )
}
