import { Hono } from 'hono'
import { handleError } from '../http/errors.ts'
import { ApiError } from '../model/api-error.ts'
import { connectRoutes } from './connect/page.tsx'
import { eventRoutes } from './events/routes.tsx'
import { formBuilderRoutes } from './forms/routes.tsx'
import { importRoutes } from './import/routes.ts'
import { qualityRoutes } from './quality/quality-page.tsx'
import { recordRoutes } from './records/routes.tsx'
import { reportRoutes } from './reports/routes.tsx'
import { can, requireReader, requireSameOrigin } from './session/permissions.ts'
import {
  type DashboardEnv,
  requireMembership,
  requireSession,
  withSession,
} from './session/signed-in.ts'
import { settingsPages, settingsRoutes } from './settings/settings-pages.ts'
import { OrganisationsPage, signInRoutes } from './sign-in/sign-in.tsx'
import { pageHeaders } from './ui/document.tsx'
import { Page } from './ui/page.tsx'
import { collectionPath, dashboardPath, homePath } from './ui/paths.ts'
import { viewRoutes } from './views/routes.tsx'

/** The dashboard of an organisation: records, and settings for administrators. */
const dashboard = new Hono<DashboardEnv>()

dashboard.use(pageHeaders, requireSameOrigin, withSession)
dashboard.use(async (c, next) => {
  c.set('settingsPages', settingsPages)
  await next()
})
dashboard.onError((error, c) => {
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

dashboard.route('/', signInRoutes)
dashboard.use(requireSession)
dashboard.get('/', (c) => {
  const memberships = c.var.session?.memberships ?? []
  const [membership, ...otherMemberships] = memberships
  if (membership && otherMemberships.length === 0)
    return c.redirect(homePath(membership.organisationId), 303)
  return c.html(<OrganisationsPage c={c} memberships={memberships} />)
})
dashboard.use('/:organisation/*', requireMembership)
dashboard.on('GET', ['/:organisation', '/:organisation/home'], (c) =>
  c.redirect(can(c, 'read') ? collectionPath(c, 'members') : dashboardPath(c, '/events'), 303),
)
dashboard.route('/:organisation/events', eventRoutes)
dashboard.use('/:organisation/*', requireReader)
dashboard.route('/:organisation/reports/quality', qualityRoutes)
dashboard.route('/:organisation/reports', reportRoutes)
dashboard.route('/:organisation/views', viewRoutes)
dashboard.route('/:organisation/records', recordRoutes)
dashboard.route('/:organisation/forms', formBuilderRoutes)
dashboard.route('/:organisation/import', importRoutes)
dashboard.route('/:organisation/connect', connectRoutes)
dashboard.route('/:organisation', settingsRoutes)
dashboard.get('*', () => {
  throw new ApiError('NOT_FOUND', 'This address does not exist.')
})

/** The routes of the dashboard, below `/dashboard`. */
export const routes = new Hono<DashboardEnv>().route('/dashboard', dashboard)
