import { env } from 'cloudflare:workers'
import { app } from '../../src/app.ts'
import { claimMemberships, type Role } from '../../src/auth/memberships.ts'
import { startSession } from '../../src/auth/sessions.ts'
import { newPerson } from '../auth/identity.ts'
import { newOrganisation } from '../organisation.ts'

const origin = 'https://data.test'

/** Somebody who is signed in to the dashboard of an organisation, in a role. */
export async function newBrowsing(role: Role, organisation?: Organisation) {
  const at = organisation ?? (await newOrganisation())
  const { email, subject } = newPerson()
  await at.add(email, role)
  const person = { issuer: 'https://identity.test/', subject, email }
  await claimMemberships(env.DB, person)
  const secret = await startSession(env.DB, person, email)
  const visit = (path: string, init: RequestInit = {}) =>
    app.request(
      `${origin}/dashboard/${at.id}${path}`,
      { ...init, headers: { Cookie: `__Host-session=${secret}`, Origin: origin } },
      env,
    )
  const post = (path: string, fields: [string, string][]) =>
    visit(path, { method: 'POST', body: new URLSearchParams(fields) })
  const text = async (path: string) => (await visit(path)).text()
  return { ...at, email, visit, post, text }
}

type Organisation = Awaited<ReturnType<typeof newOrganisation>>
