import { type SQL, sql } from 'drizzle-orm/sql'
import type { Context } from 'hono'
import type { Credential } from '../access/credential.ts'
import { type OrganisationSource, pathId, requestedOrganisation } from '../http/organisation.ts'
import { ApiError, invalidField } from '../model/api-error.ts'
import type { RecordDatabases } from '../platform/bindings.ts'
import { listDatabases } from '../store/databases.ts'
import { statement } from '../store/statement.ts'
import type { WorkerEnv } from './env.ts'
import { limitFailures, limitRequests } from './limits.ts'
import { buildPersonCredential } from './person-credential.ts'
import { identityProvider, type Provider } from './provider.ts'
import { type Person, verifyToken } from './token.ts'

/** The credential of a token's person for the organisation that the request names. Throws 401 for an invalid token. */
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
  const caller = `${person.issuer} ${person.subject}`
  c.set('requestsLeft', await limitRequests(c.env, caller))
  const organisationId =
    (await requestedOrganisation(c.req, source)) ??
    (await findOrganisationOfRecord(c, person, source))
  const name = person.email ?? person.subject
  return buildPersonCredential(c.env, person, organisationId, { by: 'person', name })
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
  return findOrganisationOfMember(c.env, person, pathId(c.req))
}

/** The person's organisation with this member. Throws 400 if several match, 401 for a person without memberships, 403 if the member belongs to another organisation, and 404 for an unknown id. */
async function findOrganisationOfMember(
  databases: RecordDatabases,
  person: Person,
  id: string,
): Promise<string> {
  const [own, withMember] = await Promise.all([
    findOrganisations(databases, person),
    findOrganisationsWithMember(databases, id),
  ])
  const [first, ...others] = withMember.filter((organisationId) => own.has(organisationId))
  if (others.length > 0) {
    throw invalidField(
      'organisationId',
      'required',
      'is required, because several of your organisations have a member with this memberId.',
    )
  }
  if (first !== undefined) return first
  if (own.size === 0)
    throw new ApiError('UNAUTHORIZED', 'This person does not belong to any organisation.')
  if (withMember.length > 0)
    throw new ApiError('FORBIDDEN', 'This member belongs to another organisation.')
  throw new ApiError('NOT_FOUND', 'There is no member with this memberId.')
}

// Also matches memberships by e-mail address, because a new user may not be linked yet.
async function findOrganisations({ DB }: RecordDatabases, person: Person): Promise<Set<string>> {
  const { issuer, subject, email = null } = person
  const query = sql`SELECT organisation_id AS id FROM memberships
    WHERE (issuer = ${issuer} AND subject = ${subject}) OR (subject IS NULL AND email = ${email})`
  return new Set(await readIds(DB, query))
}

async function findOrganisationsWithMember(databases: RecordDatabases, id: string) {
  const query = sql`SELECT organisation_id AS id FROM records
    CROSS JOIN organisations ON organisations.id = organisation_id AND database IS NULL
    WHERE collection = 'members' AND records.id = ${id}`
  const found = await Promise.all(listDatabases(databases).map(([, d1]) => readIds(d1, query)))
  return found.flat()
}

async function readIds(d1: D1Database, query: SQL): Promise<string[]> {
  const { results } = await statement(d1, query).all<{ id: string }>()
  return results.map(({ id }) => id)
}
