import { pageApp, refuseUnknown } from './page-app.tsx'
import { can } from './session/permissions.ts'
import { requireMembership, requireSession } from './session/signed-in.ts'
import { setUpRoutes } from './set-up/routes.tsx'
import { sessionRoutes } from './sign-in/sessions-page.tsx'
import { OrganisationsPage, signInRoutes } from './sign-in/sign-in.tsx'
import { collectionPath, dashboardPath, homePath } from './ui/paths.ts'

/** The pages outside the sections: sign-in, the first run, the user's organisations, the first page of one, and errors for unknown addresses. */
export const app = pageApp()

app.route('/dashboard', signInRoutes)
app.use('/dashboard/*', requireSession)
app.route('/dashboard', sessionRoutes)
app.route('/dashboard/set-up', setUpRoutes)
app.get('/dashboard', (c) => {
  const memberships = c.var.session?.memberships ?? []
  const [membership, ...otherMemberships] = memberships
  if (membership && otherMemberships.length === 0)
    return c.redirect(homePath(membership.organisationId), 303)
  return c.html(<OrganisationsPage c={c} memberships={memberships} />)
})
app.use('/dashboard/:organisation/*', requireMembership)
app.on('GET', ['/dashboard/:organisation', '/dashboard/:organisation/home'], (c) =>
  c.redirect(can(c, 'read') ? collectionPath(c, 'members') : dashboardPath(c, '/events'), 303),
)
refuseUnknown(app)
