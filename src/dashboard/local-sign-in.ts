import { local } from '../auth/local.ts'
import { type DashboardEnv, withBrowser } from '../auth/signed-in.ts'
import { room } from '../http/room.ts'
import { sameOrigin } from './same-origin.ts'

export const localSignInPath = '/dashboard/sign-in/local'

/** One click on a local machine signs in as the administrator of the demo; only the local Worker has this. */
export const localSignIn = room<DashboardEnv>()
  .use(sameOrigin, withBrowser)
  .post(localSignInPath, async (c) => {
    const { issuer, administrator } = local
    const person = { issuer, subject: administrator, email: administrator }
    await c.var.browser.signIn(person, administrator)
    return c.redirect('/dashboard', 303)
  })
