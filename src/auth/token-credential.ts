import { sql } from 'drizzle-orm/sql'
import type { Context } from 'hono'
import type { Credential } from '../access/credential.ts'
import { type OrganisationSource, pathId, requestedOrganisation } from '../http/organisation.ts'
import { ApiError, invalidField } from '../model/api-error.ts'
import { withTimeout } from '../platform/timeout.ts'
import { statement } from '../store/statement.ts'
import type { WorkerEnv } from './env.ts'
import { limitFailures, limitRequests } from './limits.ts'
import { buildPersonCredential } from './person-credential.ts'
import { identityProvider, type Provider } from './provider.ts'
import { type Person, verifyToken } from './token.ts'

/** Returns the credential of a token's person for the organisation that the request names (contract 5, decisions 5). Throws 401 for an invalid token. */
export async function resolveTokenCredential(
  c: Context<WorkerEnv>,
  token: string,
  source: OrganisationSource,
): Promise<Credential> {
  const provider = identityProvider(c.env)
  const person = provider && (await verifyToken(provider, token))
  if (!person) {
    await limitFailures(c, 'token')
    throw new ApiError('UNAUTHORIZED', `Authorization: ${explainRejection(token, provider)}`)
  }
  await limitRequests(c.env, `${person.issuer} ${person.subject}`)
  const organisationId =
    (await requestedOrganisation(c.req, source)) ??
    (await findOrganisationOfRecord(c, person, source))
  const name = person.email ?? person.subject
  return buildPersonCredential(c.env.DB, person, organisationId, { by: 'person', name })
}

function explainRejection(token: string, provider: Provider | undefined): string {
  if (token.startsWith('sk_')) return 'an API key is sent in the x-api-key header.'
  if (!provider)
    return 'this service does not accept tokens; send an API key in the x-api-key header.'
  return 'the token must come from the identity provider of this service, be for this API and not have expired.'
}

async function findOrganisationOfRecord(
  c: Context<WorkerEnv>,
  person: Person,
  source: OrganisationSource,
): Promise<string> {
  if (source !== 'record')
    throw invalidField('organisationId', 'required', 'is required with a token.')
  return findOrganisationOfMember(c.env.DB, person, pathId(c.req))
}

/** Returns the person's organisation with this member. Throws 400 if several match, 401 for a person without memberships, 403 if the member belongs to another organisation, and 404 for an unknown id. */
async function findOrganisationOfMember(
  d1: D1Database,
  person: Person,
  id: string,
): Promise<string> {
  const { first, last, any, elsewhere } = await findMember(d1, person, id)
  if (first !== last) {
    throw invalidField(
      'organisationId',
      'required',
      'is required, because several of your organisations have a member with this memberId.',
    )
  }
  if (first !== null) return first
  if (!any) throw new ApiError('UNAUTHORIZED', 'This person does not belong to any organisation.')
  if (elsewhere) throw new ApiError('FORBIDDEN', 'This member belongs to another organisation.')
  throw new ApiError('NOT_FOUND', 'There is no member with this memberId.')
}

type MemberMatch = { first: string | null; last: string | null; any: number; elsewhere: number }

// Also matches memberships by e-mail address, because a new user may not be linked yet.
async function findMember(d1: D1Database, person: Person, id: string): Promise<MemberMatch> {
  const { issuer, subject, email = null } = person
  const belongsToPerson = sql`((issuer = ${issuer} AND subject = ${subject})
    OR (subject IS NULL AND email = ${email}))`
  const row = statement(
    d1,
    sql`SELECT min(organisation_id) AS first, max(organisation_id) AS last,
      EXISTS (SELECT 1 FROM memberships WHERE ${belongsToPerson}) AS "any",
      EXISTS (SELECT 1 FROM records WHERE collection = 'members' AND id = ${id}) AS elsewhere
      FROM memberships CROSS JOIN records USING (organisation_id)
      WHERE ${belongsToPerson} AND collection = 'members' AND records.id = ${id}`,
  ).first<MemberMatch>()
  return (await withTimeout(row)) ?? { first: null, last: null, any: 0, elsewhere: 0 }
}
