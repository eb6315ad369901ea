import type { Context } from 'hono'
import type { SessionMembership } from '../../auth/sessions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { overviewPath, Page } from '../ui/page.tsx'

type Props = { c: Context<DashboardEnv>; memberships: SessionMembership[] }

/** The list of organisations that the person belongs to. */
export function OrganisationsPage({ c, memberships }: Props) {
  return (
    <Page c={c} title="Organisations">
      {memberships.length === 0 ? (
        <p>
          You do not belong to an organisation here yet. Ask its administrator to add your e-mail
          address, and sign in again.
        </p>
      ) : (
        <div class="cards">
          {memberships.map(({ organisationId, organisation, role }) => (
            <a class="card" href={overviewPath(organisationId)}>
              <strong>{organisation}</strong>
              {role === 'admin' && <div class="small">You are an administrator</div>}
            </a>
          ))}
        </div>
      )}
    </Page>
  )
}
