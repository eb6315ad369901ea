import { type Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as z from 'zod'
import { limitFailures } from '../../auth/limits.ts'
import { localProvider } from '../../auth/provider.ts'
import type { SessionMembership } from '../../auth/sessions.ts'
import {
  buildAuthorizationUrl,
  clientRegistration,
  completeSignIn,
  createSignInFlow,
} from '../../auth/sign-in.ts'
import { ApiError } from '../../model/api-error.ts'
import { cookieAttributes, type DashboardEnv } from '../session/signed-in.ts'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { homePath } from '../ui/paths.ts'

const Flow = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() })

const cookieName = 'sign-in'

/** Sign-in through the identity provider, and sign-out. */
export const signInRoutes = new Hono<DashboardEnv>()
  .get('/sign-in', (c) => c.html(<SignInPage c={c} />))
  .get('/sign-in/provider', async (c) => {
    // Signing in takes a click here: the provider may know the person and ask nothing.
    if (c.req.header('Sec-Fetch-Site') === 'cross-site')
      return c.redirect('/dashboard/sign-in', 303)
    const flow = createSignInFlow()
    const url = await buildAuthorizationUrl(requireClientRegistration(c), flow, redirectUri(c))
    setCookie(c, cookieName, JSON.stringify(flow), { ...cookieAttributes, maxAge: 600 })
    return c.redirect(url.href, 303)
  })
  .get('/sign-in/callback', async (c) => {
    // Counts every call, because each may cost a request to the provider.
    await limitFailures(c, 'sign-in')
    const flow = Flow.safeParse(parseJson(getCookie(c, cookieName, 'host')))
    deleteCookie(c, cookieName, cookieAttributes)
    if (!flow.success) throw new ApiError('UNAUTHORIZED', 'Signing in took too long. Start again.')
    const callback = new URL(c.req.url)
    const { person, name } = await completeSignIn(
      requireClientRegistration(c),
      flow.data,
      callback,
      redirectUri(c),
    )
    await c.var.browser.signIn(person, name)
    return c.redirect('/dashboard', 303)
  })
  .post('/sign-out', async (c) => {
    await c.var.browser.signOut()
    return c.redirect('/dashboard/sign-in', 303)
  })

function SignInPage({ c }: { c: Context<DashboardEnv> }) {
  const isLocal = localProvider in c.env
  const isRegistered = clientRegistration(c.env) !== undefined
  return (
    <Page c={c} title="Sign in">
      {isLocal && (
        <Form action="/dashboard/sign-in/local">
          <p>This service runs on your own machine.</p>
          <button type="submit" class="button primary after">
            Sign in as the demo administrator
          </button>
        </Form>
      )}
      {isRegistered && (
        <p>
          <a class="button primary" href="/dashboard/sign-in/provider">
            Sign in with your organisation’s account
          </a>
        </p>
      )}
      {!isLocal && !isRegistered && (
        <p>
          Nobody can sign in yet: the operator of this service must set AUTH_ISSUER and
          AUTH_CLIENT_ID. API keys work without them.
        </p>
      )}
    </Page>
  )
}

function requireClientRegistration(c: Context<DashboardEnv>) {
  const registration = clientRegistration(c.env)
  if (!registration) throw new ApiError('NOT_FOUND', 'No identity provider is set up.')
  return registration
}

const redirectUri = (c: Context) => new URL('/dashboard/sign-in/callback', c.req.url).href

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

type Props = { c: Context<DashboardEnv>; memberships: SessionMembership[] }

/** Renders the organisations that the user belongs to. */
export function OrganisationsPage({ c, memberships }: Props) {
  return (
    <Page c={c} title="Organisations">
      {memberships.length === 0 ? (
        <p>
          You do not belong to an organisation here yet. Ask its administrator to add your e-mail
          address, and sign in again.
        </p>
      ) : (
        <ul class="stack">
          {memberships.map(({ organisationId, organisation, role }) => (
            <li>
              <a href={homePath(organisationId)}>{organisation}</a>
              {role === 'admin' && <p class="quiet">You are an administrator</p>}
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
