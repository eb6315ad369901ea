import { localClaims } from '../../auth/local.ts'
import { baseApp } from '../../http/base-app.ts'
import { requireSameOrigin } from '../session/permissions.ts'
import { type DashboardEnv, withSession } from '../session/signed-in.ts'

export const localSignInPath = '/dashboard/sign-in/local'

/** The route that signs in as the demo administrator with one click. Only the local Worker includes it. */
export const localSignIn = baseApp<DashboardEnv>()
  .use(requireSameOrigin, withSession)
  .post(localSignInPath, async (c) => {
    const { issuer, administrator } = localClaims
    const person = { issuer, subject: administrator, email: administrator }
    await c.var.browser.signIn(person, administrator)
    return c.redirect('/dashboard', 303)
  })
