import type { Context } from 'hono'
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
import { readFormBody } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { ApiError } from '../../model/api-error.ts'
import { cookieAttributes, type DashboardEnv } from '../session/signed-in.ts'
import type { FormField } from '../ui/fields.tsx'
import { FieldsForm } from '../ui/fields-form.tsx'
import { Form } from '../ui/form.tsx'
import { readTexts } from '../ui/form-values.ts'
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
  .post('/sign-in/code', async (c) => {
    const { code } = readTexts(['code'], await readFormBody(c.req))
    if (await c.var.browser.signInWithCode(code)) return c.redirect('/dashboard/set-up', 303)
    const error = 'is not valid. A code works once, within 24 hours: ask for a new one.'
    return c.html(<SignInPage c={c} error={error} />, 401)
  })
  .post('/sign-out', async (c) => {
    await c.var.browser.signOut()
    return c.redirect('/dashboard/sign-in', 303)
  })

/** Renders the ways to sign in. `error` is the validation error of the code. */
function SignInPage({ c, error }: { c: Context<DashboardEnv>; error?: string }) {
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
      {isLocal || isRegistered ? (
        <details class="fold after" open={error !== undefined}>
          <summary>Use a code instead</summary>
          <CodeForm error={error} />
        </details>
      ) : (
        <CodeForm error={error} />
      )}
    </Page>
  )
}

const codeField: FormField = {
  name: 'code',
  label: 'Code',
  help: 'The setup code from the end of the deployment, or a sign-in code from the operator.',
  attributes: {
    required: true,
    maxlength: 60,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
  },
}

const CodeForm = ({ error }: { error: string | undefined }) => (
  <FieldsForm
    action="/dashboard/sign-in/code"
    fields={[codeField]}
    values={{}}
    errors={{ code: error }}
    failure="You are not signed in."
    saveLabel="Continue"
  />
)

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
