import { Hono } from 'hono'
import { type DashboardEnv, ofOrganisation, signedIn, withBrowser } from './auth/signed-in.ts'
import { connectPages } from './dashboard/connect/pages.tsx'
import { importPages } from './dashboard/import/pages.ts'
import { keyPages } from './dashboard/key-pages.tsx'
import { administrators } from './dashboard/may.ts'
import { Organisations } from './dashboard/organisations.tsx'
import { eventsPage } from './dashboard/overview/events-page.tsx'
import { overviewPage } from './dashboard/overview/page.tsx'
import { overviewOf, Page } from './dashboard/page.tsx'
import { pageHeaders } from './dashboard/page-headers.ts'
import { peoplePages } from './dashboard/people.tsx'
import { recordPages } from './dashboard/records/pages.tsx'
import { retentionPage } from './dashboard/retention.tsx'
import { sameOrigin } from './dashboard/same-origin.ts'
import { schemaPages } from './dashboard/schema/pages.tsx'
import { signInPages } from './dashboard/sign-in.tsx'
import { webhookPages } from './dashboard/webhook-pages.tsx'
import { answerError } from './http/errors.ts'
import { ApiError } from './model/api-error.ts'

/** The pages for the people of an organisation: what it has, and for administrators its API keys, people (contract 5, additions 4), webhooks (additions 3) and schemas. */
const dashboard = new Hono<DashboardEnv>()

dashboard.use(pageHeaders, sameOrigin, withBrowser)
dashboard.onError((error, c) => {
  const answer = answerError(error, c)
  const title = answer.status === 404 ? 'There is no such page' : 'That did not work'
  return c.html(
    <Page c={c} title={title}>
      <p role="alert">{error instanceof ApiError ? error.message : 'Something went wrong here.'}</p>
      <p>
        <a class="button" href="/dashboard">
          Back to the dashboard
        </a>
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
dashboard.route('/:organisation/records', recordPages)
dashboard.get('/:organisation/events', eventsPage)
dashboard.route('/:organisation/import', importPages)
dashboard.route('/:organisation/connect', connectPages)
// The schema is everybody's to read, so it comes before what only administrators see.
dashboard.route('/:organisation/settings/schema', schemaPages)
dashboard.use('/:organisation/settings/*', administrators)
dashboard.route('/:organisation/settings/api-keys', keyPages)
dashboard.route('/:organisation/settings/people', peoplePages)
dashboard.route('/:organisation/settings/webhooks', webhookPages)
dashboard.get('/:organisation/settings/retention', retentionPage)
dashboard.get('*', () => {
  throw new ApiError('NOT_FOUND', 'There is nothing at this address.')
})

/** The dashboard below its path. */
export const routes = new Hono<DashboardEnv>().route('/dashboard', dashboard)
