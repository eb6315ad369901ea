import type { SessionUse } from '../../auth/sessions.ts'
import { Hono } from '../../http/hono.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { ActionButton } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { DataTable } from '../ui/table.tsx'
import { Time } from '../ui/value.tsx'

/** The user's own sessions, with a button that ends all of them. */
export const sessionRoutes = new Hono<DashboardEnv>()
  .get('/sign-in/sessions', async (c) => {
    const sessions = await c.var.browser.listSessions()
    return c.html(
      <Page c={c} title="Your sessions">
        <p>
          A session ends eight hours after signing in, or after two hours without use. If you do not
          recognise one, end them all and change your password.
        </p>
        <div class="after">
          <SessionTable sessions={sessions} />
        </div>
        <div class="save">
          <ActionButton
            action="/dashboard/sign-out/everywhere"
            label="Sign out everywhere"
            class="button primary"
          />
          <a class="button plain" href="/dashboard">
            Back to the dashboard
          </a>
        </div>
      </Page>,
    )
  })
  .post('/sign-out/everywhere', async (c) => {
    await c.var.browser.signOutEverywhere()
    return c.redirect('/dashboard/sign-in', 303)
  })

const SessionTable = ({ sessions }: { sessions: SessionUse[] }) => (
  <DataTable
    label="Sessions"
    columns={[
      { heading: 'Signed in', cell: ({ started }) => <Time value={started} /> },
      { heading: 'Last used', cell: ({ lastUsed }) => <Time value={lastUsed} /> },
      { heading: 'Browser', cell: ({ isCurrent }) => (isCurrent ? 'This one' : 'Another one') },
    ]}
    rows={sessions}
  />
)
