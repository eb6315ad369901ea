import { baseApp } from '../http/base-app.ts'
import { handleError } from '../http/errors.ts'
import type { Hono } from '../http/hono.ts'
import { ApiError } from '../model/api-error.ts'
import {
  requireAdministrator,
  requireReader,
  requireSameOrigin,
  type Visitors,
} from './session/permissions.ts'
import {
  type DashboardEnv,
  requireMembership,
  requireSession,
  withSession,
} from './session/signed-in.ts'
import { settingsPages } from './settings/settings-pages.ts'
import { pageHeaders } from './ui/document.tsx'
import { Page } from './ui/page.tsx'

/** An app of pages below `/dashboard` that shows errors as pages. */
export function pageApp(): Hono<DashboardEnv> {
  const app = baseApp<DashboardEnv>()
  app.onError((error, c) => {
    const response = handleError(error, c)
    const title = response.status === 404 ? 'Page not found' : 'Something went wrong'
    return c.html(
      <Page c={c} title={title}>
        <p role="alert">
          {error instanceof ApiError
            ? error.message
            : 'Try again. If it happens again, ask the operator of this service.'}
        </p>
        <p>
          <a class="button" href="/dashboard">
            Back to the dashboard
          </a>
        </p>
      </Page>,
      response.status as 500,
      Object.fromEntries([...response.headers].filter(([name]) => name === 'retry-after')),
    )
  })
  app.use('/dashboard/*', pageHeaders, requireSameOrigin, withSession, async (c, next) => {
    c.set('settingsPages', settingsPages)
    await next()
  })
  return app
}

/** An app of an organisation's pages below `path`, for the members who are `visitors`. */
export function organisationApp(
  path: string,
  visitors: Visitors,
  routes: Hono<DashboardEnv>,
): Hono<DashboardEnv> {
  const app = pageApp()
  app.use('/dashboard/*', requireSession)
  app.use('/dashboard/:organisation/*', requireMembership)
  app.use('/dashboard/:organisation/*', ...visitors)
  app.route(`/dashboard/:organisation${path}`, routes)
  refuseUnknown(app)
  return app
}

/** Refuses the addresses that no route of the app before has: with 403 where the user may open no page, otherwise with 404. */
export function refuseUnknown(app: Hono<DashboardEnv>): void {
  app.use('/dashboard/:organisation/*', requireReader)
  app.use('/dashboard/:organisation/settings/*', requireAdministrator)
  app.get('/dashboard/*', () => {
    throw new ApiError('NOT_FOUND', 'This address does not exist.')
  })
}
