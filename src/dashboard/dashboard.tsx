import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import {
  administrators,
  type DashboardEnv,
  ofOrganisation,
  signedIn,
  withBrowser,
} from '../auth/signed-in.ts'
import { answerError } from '../http/errors.ts'
import { ApiError } from '../model/api-error.ts'
import { keyPages } from './key-pages.tsx'
import { Organisations } from './organisations.tsx'
import { overviewPage } from './overview.tsx'
import { overviewOf, Page } from './page.tsx'
import { peoplePages } from './people.tsx'
import { sameOrigin } from './same-origin.ts'
import { signInPages } from './sign-in.tsx'
import { webhookPages } from './webhook-pages.tsx'

/** The pages for the people of an organisation: what it has, and for administrators its API keys, people (contract 5, additions 4) and webhooks (additions 3). */
export const dashboard = new Hono<DashboardEnv>()

dashboard.use(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // The stylesheet holds its icons.
      imgSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
  }),
  sameOrigin,
  withBrowser,
)
dashboard.onError((error, c) => {
  const answer = answerError(error, c)
  return c.html(
    <Page c={c} title="That did not work">
      <p role="alert">{error instanceof ApiError ? error.message : 'Something went wrong here.'}</p>
      <p>
        <a href="/dashboard">Back to the dashboard</a>
      </p>
    </Page>,
    answer.status as 500,
    Object.fromEntries([...answer.headers].filter(([name]) => name === 'retry-after')),
  )
})

dashboard.route('/', signInPages)
dashboard.use(signedIn)
dashboard.get('/', (c) => {
  const memberships = c.var.session?.memberships ?? []
  const [only, ...others] = memberships
  if (only && others.length === 0) return c.redirect(overviewOf(only.organisationId), 303)
  return c.html(<Organisations c={c} memberships={memberships} />)
})
dashboard.use('/:organisation/*', ofOrganisation)
dashboard.get('/:organisation', overviewPage)
dashboard.get('/:organisation/overview', overviewPage)
dashboard.use('/:organisation/settings/*', administrators)
dashboard.route('/:organisation/settings/api-keys', keyPages)
dashboard.route('/:organisation/settings/people', peoplePages)
dashboard.route('/:organisation/settings/webhooks', webhookPages)
