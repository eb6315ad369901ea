import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { local } from '../auth/local.ts'
import { claimMemberships } from '../auth/memberships.ts'
import { beginSession, type DashboardEnv } from './signed-in.ts'

export const localSignInPath = '/dashboard/sign-in/local'

/** One click on a local machine signs in as the administrator of the demo; only the local Worker has this. */
export const localSignIn = new Hono<DashboardEnv>().use(csrf()).post(localSignInPath, async (c) => {
  const { issuer, administrator } = local
  const person = { issuer, subject: administrator, email: administrator }
  await claimMemberships(c.env.DB, person)
  await beginSession(c, person, administrator)
  return c.redirect('/dashboard', 303)
})
