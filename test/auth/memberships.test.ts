import { env } from 'cloudflare:workers'
import type { JWTPayload } from 'jose'
import { expect, test } from 'vitest'
import { addUser, listUsers, removeUser } from '../../src/admin/users.ts'
import { listAudit } from '../audit.ts'
import { requestWith } from '../faults/failing-database.ts'
import { newOrganisation } from '../organisation.ts'
import { getWith, newPerson, token } from './identity.ts'

test('someone added by address is bound to their subject when they first come with it verified', async () => {
  const { id, add } = await newOrganisation()
  const { email, subject } = newPerson()
  await add(email.toUpperCase())
  const path = `/events?organisationId=${id}`
  const status = async (claims: JWTPayload) => (await getWith(await token(claims), path)).status
  expect(await status({ sub: subject, email })).toBe(401)
  expect(await status({ sub: subject, email, email_verified: false })).toBe(401)
  expect(await status({ sub: subject, email, email_verified: 'true' })).toBe(401)
  expect(await listUsers(env.DB, id)).toMatchObject([{ email, bound: false }])
  expect(await status({ sub: subject, email, email_verified: true })).toBe(200)
  expect(await listUsers(env.DB, id)).toMatchObject([{ email, bound: true }])
  expect(await status({ sub: subject })).toBe(200)
  expect(await status({ sub: 'another', email, email_verified: true })).toBe(401)
})

// Claims of ID tokens as the providers document them.
const entra = {
  ver: '2.0',
  tid: '9122040d-6c67-4c5b-b112-36a304b66dad',
  oid: '00000000-0000-0000-66f3-3332eca7ea81',
  name: 'Abe Lincoln',
}
const access = {
  type: 'app',
  identity_nonce: '6ei69kawdKzMIAPF',
  country: 'GB',
}

test.each<[string, (email: string) => JWTPayload, string, number]>([
  ['Entra ID: its domain verified', (email) => ({ ...entra, email, xms_edov: true }), '', 200],
  ['Entra ID: the same as a text', (email) => ({ ...entra, email, xms_edov: '1' }), '', 200],
  ['Entra ID: not verified', (email) => ({ ...entra, email, xms_edov: false }), 'true', 401],
  [
    'Entra ID: not verified, as a text',
    (email) => ({ ...entra, email, xms_edov: '0' }),
    'true',
    401,
  ],
  ['Entra ID: without the claim', (email) => ({ ...entra, email }), '', 401],
  ['Entra ID of one tenant that is trusted', (email) => ({ ...entra, email }), 'true', 200],
  ['Entra ID: a user name', (email) => ({ ...entra, preferred_username: email }), 'true', 401],
  ['Cloudflare Access', (email) => ({ ...access, email }), '', 401],
  ['Cloudflare Access that is trusted', (email) => ({ ...access, email }), 'true', 200],
  [
    'Cloudflare Access: a service token',
    () => ({ type: 'app', sub: '', common_name: 'e367826f93b8d71185e03fe518aff3b4.access' }),
    'true',
    401,
  ],
  ['Google', (email) => ({ email, email_verified: true, hd: 'people.test' }), '', 200],
  ['Google: not verified', (email) => ({ email, email_verified: false }), 'true', 401],
])('an address of %s', async (_, claims, AUTH_TRUSTED_EMAILS, status) => {
  const { id, add } = await newOrganisation()
  const { email, subject } = newPerson()
  await add(email)
  const bearer = await token({ sub: subject, ...claims(email) })
  const answer = await requestWith({ AUTH_TRUSTED_EMAILS }, `/events?organisationId=${id}`, {
    headers: { Authorization: `Bearer ${bearer}` },
  })
  expect(answer.status).toBe(status)
})

test('addresses are alike in the case of A to Z, and in nothing else', async () => {
  const { id, add } = await newOrganisation()
  const { subject } = newPerson()
  const domain = `${subject}.test`
  await add(`kate@${domain}`)
  const status = async (email: string) => {
    const bearer = await token({ sub: subject, email, email_verified: true })
    return (await getWith(bearer, `/events?organisationId=${id}`)).status
  }
  expect(await status(`\u212Aate@${domain}`)).toBe(401)
  expect(await status(`KATE@${domain}`)).toBe(200)
  for (const email of [`\u212Aate@${domain}`, `ü@${domain}`, 'kate', `ka te@${domain}`, '@', ''])
    expect([email, await add(email)]).toEqual([email, false])
  expect(await listUsers(env.DB, id)).toHaveLength(1)
})

test('all of the first requests of someone who sends many at once are good', async () => {
  const { id, add } = await newOrganisation()
  const { email, token } = newPerson()
  await add(email)
  const bearer = await token()
  const path = `/events?organisationId=${id}`
  const answers = await Promise.all(Array.from({ length: 20 }, () => getWith(bearer, path)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
})

test('a member comes by the member they may read as well as by their organisation', async () => {
  const { put, add } = await newOrganisation()
  const { email, token } = newPerson()
  await add(email)
  const memberId = crypto.randomUUID()
  await put('members', [{ id: memberId, document: {} }])
  expect((await getWith(await token(), `/members/${memberId}`)).status).toBe(200)
})

test('a removed user is refused at the next request', async () => {
  const { id, add } = await newOrganisation()
  const person = newPerson()
  await add(person.email, 'admin')
  const get = async () => getWith(await person.token(), `/events?organisationId=${id}`)
  expect((await get()).status).toBe(200)
  const removal = { organisationId: id, email: person.email, by: 'a test' }
  expect(await removeUser(env.DB, removal)).toBe(true)
  expect((await get()).status).toBe(401)
  expect(await removeUser(env.DB, removal)).toBe(false)
})

test('a user may have a different role in each organisation', async () => {
  const [one, two] = [await newOrganisation(), await newOrganisation()]
  const person = newPerson()
  await one.add(person.email, 'admin')
  await two.add(person.email, 'reader')
  for (const { id } of [one, two]) {
    const answer = await getWith(await person.token(), `/funds?organisationId=${id}`)
    expect(answer.status).toBe(200)
  }
  await addUser(env.DB, { organisationId: two.id, email: person.email, role: 'admin', by: 'x' })
  expect(await listUsers(env.DB, two.id)).toMatchObject([{ role: 'admin', bound: true }])
})

test('every change of who may come is in the audit trail', async () => {
  const { id, add } = await newOrganisation()
  const { email } = newPerson()
  await add(email)
  await removeUser(env.DB, { organisationId: id, email, by: 'someone' })
  await removeUser(env.DB, { organisationId: id, email, by: 'someone' })
  const acts = await listAudit(env.DB, id)
  expect(acts.map(({ action, actor, target }) => [action, actor, target])).toEqual([
    ['removed user', 'someone', email],
    ['added user as editor', 'a test', email],
    expect.arrayContaining(['created key', 'a test']),
  ])
})
