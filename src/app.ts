import { Hono } from 'hono'
import type { Env, WorkerEnv } from './auth/env.ts'
import { room } from './http/room.ts'
import type { Bindings } from './platform/bindings.ts'
import { resources } from './resources/resources.ts'

const root = '/api/v1'

/** What the API has, by its segment of the path: its resources, and the import of files into them. */
const segments = { ...resources, imports: () => import('./import/imports.ts') }

/** The whole service: a request enters the room its path leads to, which is loaded when it is first entered. */
export const app = new Hono<{ Bindings: Bindings }>()

app.mount(
  '/',
  async (request: Request, env: Bindings, context?: ExecutionContext) =>
    (await roomAt(new URL(request.url).pathname)).fetch(request, env, context),
  { replaceRequest: (request) => request },
)

/** The routes of every resource, below the root of the API. */
export async function apiRoutes() {
  const all = new Hono<Env>()
  for (const [segment, load] of Object.entries(segments))
    all.route(`${root}/${segment}`, (await load()).routes)
  return all.routes
}

type Room = Pick<Hono<WorkerEnv>, 'fetch'>

// Rooms and not promises of them: workerd lets no request wait for another's.
const rooms = new Map<string, Room>()

async function roomAt(path: string): Promise<Room> {
  const [name, build] = roomFor(path)
  const known = rooms.get(name) ?? (await build())
  rooms.set(name, known)
  return known
}

function roomFor(path: string): [name: string, build: () => Promise<Room>] {
  const [, first, second, segment = ''] = path.split('/')
  if (first === 'dashboard') return ['dashboard', dashboardRoom]
  if (first !== 'api' || second !== 'v1') return ['front', frontRoom]
  if (segment === 'openapi.json') return ['openapi', openApiRoom]
  const load = Object.hasOwn(segments, segment) && segments[segment as keyof typeof segments]
  if (!load) return ['nothing', () => apiRoom()]
  return [
    `api ${segment}`,
    async () => (await apiRoom()).route(`${root}/${segment}`, (await load()).routes),
  ]
}

async function openApiRoom(): Promise<Room> {
  const [{ openApiDocument }, { openApiWebhooks }] = await Promise.all([
    import('./http/openapi.ts'),
    import('./webhooks/openapi.ts'),
  ])
  const text = JSON.stringify(openApiDocument(await apiRoutes(), root, openApiWebhooks))
  // Encoded once: at every request that would take longer than all else.
  const document = new TextEncoder().encode(text)
  return apiRoom((open) =>
    open.get(
      `${root}/openapi.json`,
      () => new Response(document, { headers: { 'Content-Type': 'application/json' } }),
    ),
  )
}

async function dashboardRoom(): Promise<Room> {
  const { dashboard } = await import('./dashboard.tsx')
  return room<WorkerEnv>().route('/dashboard', dashboard)
}

async function frontRoom(): Promise<Room> {
  const [{ health }, { docs }, { welcome }] = await Promise.all([
    import('./health.ts'),
    import('./docs.tsx'),
    import('./welcome.tsx'),
  ])
  return room<WorkerEnv>().route('/', health).route('/', docs).route('/', welcome)
}

/** A room of the API: behind `open`, every path asks for credentials, also one that leads nowhere. */
async function apiRoom(
  open: (app: Hono<WorkerEnv>) => unknown = () => {},
): Promise<Hono<WorkerEnv>> {
  const { authenticate } = await import('./auth/authenticate.ts')
  const app = room<WorkerEnv>()
  open(app)
  app.use(`${root}/*`, authenticate)
  return app
}
