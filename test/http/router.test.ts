import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { app as service } from '../../src/app.ts'
import { app as dashboard, sections } from '../../src/dashboard/dashboard.ts'
import type { DashboardEnv } from '../../src/dashboard/session/signed-in.ts'
import { routes as publicPages } from '../../src/public/routes.tsx'
import { resources } from '../../src/resources/resources.ts'

// Hono takes a slow router, at a twentieth of the CPU of a request to the API, for routes that its fast one cannot tell apart.
const fast = 'SmartRouter + RegExpRouter'
const slow = 'SmartRouter + TrieRouter'

/** The router that an app takes, which its first request decides. */
function routerOf({ router }: Pick<Hono, 'router'>): string {
  router.match('GET', '/')
  return router.name
}

test.each(Object.entries(resources))('the routes of /%s have the fast router', async (_, load) => {
  expect(routerOf(new Hono().route('/', (await load()).routes))).toBe(fast)
})

test.each(Object.entries({ service, dashboard, publicPages }))(
  'the routes of the %s have the fast router',
  (_, app) => {
    expect(routerOf(app)).toBe(fast)
  },
)

/** The sections with a fixed segment beside a parameter in their addresses. The slow router costs them a fiftieth of the CPU of a page. */
const slowSections: Readonly<Record<string, [fixed: string, parameter: string]>> = {
  '/events': ['/scan', '/:eventId/mark'],
  '/forms': ['/new', '/:formId'],
  '/records': ['/search', '/:collection'],
  '/settings/api-keys': ['/new', '/:id'],
  '/views': ['/new', '/:id/rename'],
}

test.each(sections)(
  '$path has the fast router unless fixed segments are beside parameters',
  async ({ path, load }) => {
    const { routes } = await load()
    const paths = routes.routes.map((route) => route.path)
    const conflict = slowSections[path] ?? []
    expect(paths).toEqual(expect.arrayContaining(conflict))
    const router = routerOf(new Hono<DashboardEnv>().route('/', routes))
    expect(router).toBe(conflict.length > 0 ? slow : fast)
  },
)
