import { createKey, deleteKey, revokeKey } from '../keys.ts'
import type { newOrganisation } from '../organisation.ts'
import { newPerson, token } from './identity.ts'

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

const past = '2001-01-01T00:00:00.000Z'

/** Headers by kind of credential: valid, no longer valid, and another organisation's. */
export async function credentialsOf(own: Organisation, other: Organisation) {
  const newKey = (expires?: string) => createKey(own.storage, own.id, 'test', 'a test', expires)
  const acted = ({ id }: { id: string }) => ({ ...own.act, id })
  const [revoked, expired, deleted] = [await newKey(), await newKey(past), await newKey()]
  await revokeKey(own.storage.DB, acted(revoked))
  await deleteKey(own.storage, acted(deleted))
  const [member, administrator] = [newPerson(), newPerson()]
  const [both, stranger] = [newPerson(), newPerson()]
  await own.add(member.email)
  await own.add(administrator.email, 'admin')
  await own.add(both.email)
  await other.add(both.email)
  await other.add(stranger.email, 'admin')
  const bearing = (token: string) => ({ Authorization: `Bearer ${token}` })
  const longAgo = { sub: member.subject, email: member.email, email_verified: true, exp: 1 }
  return new Map<string, Record<string, string>>([
    ['key', { 'x-api-key': own.key }],
    ['token of a member', bearing(await member.token())],
    ['token of an administrator', bearing(await administrator.token())],
    ['token of a member of both', bearing(await both.token())],
    ['revoked key', { 'x-api-key': revoked.key }],
    ['expired key', { 'x-api-key': expired.key }],
    ['deleted key', { 'x-api-key': deleted.key }],
    ["other organisation's key", { 'x-api-key': other.key }],
    ["token of the other's member", bearing(await stranger.token())],
    ['token of nobody', bearing(await newPerson().token())],
    ['expired token', bearing(await token(longAgo))],
    ['nothing', {}],
  ])
}
