import { env, exports } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { expect, test, vi } from 'vitest'
import { fullPermissions } from '../../src/access/permissions.ts'
import { removeUser } from '../../src/admin/users.ts'
import { buildPersonCredential } from '../../src/auth/person-credential.ts'
import { sha256 } from '../../src/platform/sha256.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { savePublicPages } from '../../src/sign-up/public-pages.ts'
import { listDatabases, rememberDatabase } from '../../src/store/databases.ts'
import { Store } from '../../src/store/store.ts'
import { organisations } from '../../src/store/tables.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { listAudit } from '../audit.ts'
import { getWith, newPerson } from '../auth/identity.ts'
import { newSignedIn } from '../dashboard/signed-in.ts'
import { fields, personOf } from '../examples/people.ts'
import { createKey, revokeKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation, request, rowsRead } from '../organisation.ts'

/** An organisation with a member in a database. */
async function newCharity(database: 'DB' | 'DB_1' | 'DB_2') {
  const organisation = await newOrganisation(fields, database)
  await organisation.put('members', [personOf('memberId', 'm1')])
  const storage = { ...env, DB: env[database] }
  const newKey = await createKey(
    storage,
    organisation.id,
    'A sync',
    'a test',
    undefined,
    fullPermissions,
  )
  return { ...organisation, newKey, asWriter: { 'x-api-key': newKey.key } }
}

/** Says in a database that an organisation has moved to another. */
const pointTo = (id: string, from: 'DB' | 'DB_1' | 'DB_2', to: 'DB' | 'DB_1' | 'DB_2') =>
  drizzle(env[from])
    .insert(organisations)
    .values({ id, name: 'A charity', created: '2025-01-01T00:00:00.000Z', database: to })
    .onConflictDoUpdate({ target: organisations.id, set: { database: to } })

/** Changes the name of the member. */
const rename = (headers: Record<string, string>, query: string, name: string) =>
  request(`/members/m1${query}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ 'Full Name': name }),
  })

test('lists the databases in the order of their numbers', () => {
  const d1 = env.DB
  const names = listDatabases({ DB_10: d1, DB_2: d1, DB: d1 }).map(([name]) => name)
  expect(names).toEqual(['DB', 'DB_2', 'DB_10'])
})

test.each(['with a hint', 'without a hint'])(
  'a key %s reads and writes in the database of its organisation',
  async (hint) => {
    const { act, get, newKey, asWriter } = await newCharity('DB_1')
    const hash = await sha256(newKey.key)
    if (hint === 'without a hint') await env.KEYS.delete(hash)
    expect((await rename(asWriter, '', 'Ada Byron')).status).toBe(200)
    expect(await (await get('/members/m1')).text()).toContain('Ada Byron')
    await vi.waitFor(async () =>
      expect(await env.KEYS.get(hash, 'json')).toMatchObject({ database: 'DB_1' }),
    )
    await revokeKey(env.DB_1, { ...act, id: newKey.id })
    expect((await rename(asWriter, '', 'Ada King')).status).toBe(401)
  },
)

test('a list reads as many rows in every database', async () => {
  const [first, second] = [await newCharity('DB'), await newCharity('DB_2')]
  const readTwice = async ({ get }: typeof first) => [
    rowsRead(await get('/members')),
    rowsRead(await get('/members')),
  ]
  // The first request of an isolate finds the database.
  await second.get('/members/m1')
  expect(await readTwice(second)).toEqual(await readTwice(first))
})

test('follows an organisation that has been moved twice', async () => {
  const { id, get } = await newCharity('DB_1')
  await pointTo(id, 'DB', 'DB_2')
  await pointTo(id, 'DB_2', 'DB_1')
  expect((await get('/members/m1')).status).toBe(200)
})

test('answers 503 while no database has the organisation', async () => {
  muteLog('warn')
  const { id, get } = await newCharity('DB_1')
  await pointTo(id, 'DB_1', 'DB')
  await env.DB_1.prepare("UPDATE api_keys SET hash = 'moving ' || hash WHERE organisation_id = ?")
    .bind(id)
    .run()
  const answer = await get('/members')
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '10'])
})

test('answers a write that a moving organisation refuses with 503', async () => {
  muteLog('warn')
  const { id, asWriter, get } = await newCharity('DB')
  await env.DB.prepare(
    `CREATE TRIGGER refuse_in_test BEFORE UPDATE ON records WHEN NEW.organisation_id = '${id}'
      BEGIN SELECT raise(ABORT, 'organisation_moving'); END`,
  ).run()
  const answer = await rename(asWriter, '', 'Ada Byron')
  await env.DB.prepare('DROP TRIGGER refuse_in_test').run()
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '10'])
  expect(await answer.text()).toContain('moved to another database')
  expect((await get('/members/m1')).status).toBe(200)
})

test('a person reads and writes by their role, from the next request after it changes', async () => {
  const { id, add, get } = await newCharity('DB_1')
  const person = newPerson()
  await add(person.email, 'reader-without-contact-details')
  const token = await person.token()
  const headers = { Authorization: `Bearer ${token}` }
  const inOrganisation = `?organisationId=${id}`
  expect((await rename(headers, inOrganisation, 'Ada Byron')).status).toBe(403)
  const list = await getWith(token, `/members${inOrganisation}`)
  expect([list.status, await list.text()]).toEqual([
    200,
    expect.not.stringContaining('07700900123'),
  ])
  expect(await (await get('/members/m1')).text()).not.toContain('Ada Byron')
  await add(person.email, 'editor')
  expect((await rename(headers, inOrganisation, 'Ada Byron')).status).toBe(200)
  expect(await (await getWith(token, `/me${inOrganisation}`)).json()).toMatchObject({
    me: { organisation: { id }, credential: { kind: 'person', role: 'editor' }, restrictions: {} },
  })
  await removeUser(env.DB, { organisationId: id, email: person.email, by: 'a test' })
  expect((await rename(headers, inOrganisation, 'Ada King')).status).toBe(401)
  expect((await getWith(token, `/members${inOrganisation}`)).status).toBe(401)
  expect(await (await get('/members/m1')).text()).toContain('Ada Byron')
})

test('a write in another database needs a membership, to which it binds the person', async () => {
  const { id, add } = await newCharity('DB_1')
  rememberDatabase(id, 'DB_1')
  const newStore = ({ subject, email }: ReturnType<typeof newPerson>) => {
    const person = { issuer: env.AUTH_ISSUER, subject, email }
    return new Store(env, buildPersonCredential(env, person, id, { by: 'person', name: email }))
  }
  const [member, stranger] = [newPerson(), newPerson()]
  await add(member.email)
  const write = (person: typeof member) =>
    newStore(person).write({ permissions: [], audit: { action: 'retention.set', target: 'x' } }, [])
  await expect(write(stranger)).rejects.toMatchObject({ type: 'UNAUTHORIZED' })
  await write(member)
  expect(await listAudit(env.DB_1, id)).toMatchObject([
    { actor: member.email, action: 'set retention' },
    { action: 'created key' },
    { action: 'created key' },
  ])
})

test('a member is found in every database by its id alone, and is 403 for others', async () => {
  const memberId = `m-${crypto.randomUUID()}`
  const [theirs, own] = [await newCharity('DB_1'), await newCharity('DB')]
  await theirs.put('members', [personOf('memberId', memberId)])
  const [person, stranger] = [newPerson(), newPerson()]
  await theirs.add(person.email)
  await own.add(stranger.email)
  expect((await getWith(await person.token(), `/members/${memberId}`)).status).toBe(200)
  expect((await getWith(await stranger.token(), `/members/${memberId}`)).status).toBe(403)
  expect((await own.get(`/members/${memberId}`)).status).toBe(403)
  expect((await own.get(`/members/${crypto.randomUUID()}`)).status).toBe(404)
})

test('only an administrator erases a person in another database', async () => {
  const { id, add, get, json } = await newCharity('DB_2')
  const [editor, administrator] = [newPerson(), newPerson()]
  await add(editor.email, 'editor')
  await add(administrator.email, 'admin')
  const erase = async (token: string) =>
    request(`/members/m1?$erase=true&organisationId=${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    })
  expect((await erase(await editor.token())).status).toBe(403)
  expect((await get('/members/m1')).status).toBe(200)
  expect((await erase(await administrator.token())).status).toBe(200)
  expect(await json('/members')).toMatchObject({ members: [] })
})

test('the dashboard and the public pages open an organisation in another database', async () => {
  const organisation = await newCharity('DB_1')
  const { id } = organisation
  const { html, post, visit } = await newSignedIn('admin', organisation)
  expect(await html('/records/members')).toContain('m1')
  expect(await html('/settings/api-keys')).toContain('A sync')
  await post('/settings/people', [
    ['email', newPerson().email],
    ['role', 'reader'],
  ])
  for (const page of ['/settings/people', '/settings/activity', '/settings/webhooks', '/reports'])
    expect((await visit(page)).status, page).toBe(200)
  const settings = { signUpFields: [{ id: 'Full Name', required: true }] }
  await savePublicPages(
    administeredStore(env.DB_1, id, 'a test'),
    { name: '', fields: parseSchema('members', { fields }).data?.fields ?? [] },
    { enabled: true, settings: { ...settings, privacyNotice: 'https://oak.test/privacy' } },
  )
  expect((await exports.default.fetch(`https://api.test/o/${id}`)).status).toBe(200)
})
