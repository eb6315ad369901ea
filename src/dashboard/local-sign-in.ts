import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { local } from '../auth/local.ts'
import { type DashboardEnv, withBrowser } from '../auth/signed-in.ts'

export const localSignInPath = '/dashboard/sign-in/local'

/** One click on a local machine signs in as the administrator of the demo; only the local Worker has this. */
export const localSignIn = new Hono<DashboardEnv>()
  .use(csrf(), withBrowser)
  .post(localSignInPath, async (c) => {
    const { issuer, administrator } = local
    const person = { issuer, subject: administrator, email: administrator }
    await c.var.browser.signIn(person, administrator)
    return c.redirect('/dashboard', 303)
  })
