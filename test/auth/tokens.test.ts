import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { listUsers } from '../../src/admin/users.ts'
import { localClaims } from '../../src/auth/local.ts'
import localWorker from '../../src/local.ts'
import { fields } from '../examples/people.ts'
import { newOrganisation, request } from '../organisation.ts'
import { getWith, goodClaims, newPerson, token } from './identity.ts'

async function newMember() {
  const organisation = await newOrganisation()
  const person = newPerson()
  await organisation.add(person.email)
  const path = `/events?organisationId=${organisation.id}`
  expect((await getWith(await person.token(), path)).status).toBe(200)
  return { organisation, person, path }
}

test('a token that its provider did not make for this API is refused', async () => {
  const { id, add } = await newOrganisation()
  const { email, subject } = newPerson()
  await add(email)
  const path = `/events?organisationId=${id}`
  const claims = { ...goodClaims(), sub: subject, email, email_verified: true }
  const header = { alg: 'ES256', kid: 'test' }
  const foreign = await generateKeyPair('ES256')
  const [{ x, y }] = JSON.parse(env.AUTH_JWKS).keys
  const publicKey = new TextEncoder().encode(JSON.stringify({ x, y }))
  const unsigned = new UnsecuredJWT(claims).encode()
  const [head, body] = (await token(claims)).split('.')
  const bad = {
    'wrong issuer': await token({ ...claims, iss: 'https://identity.example/' }),
    'no issuer': await token({ ...claims, iss: undefined }),
    'wrong audience': await token({ ...claims, aud: 'https://elsewhere.test' }),
    'no audience': await token({ ...claims, aud: undefined }),
    expired: await token({ ...claims, exp: 1_700_000_000 }),
    'without expiry': await token({ ...claims, exp: undefined }),
    'not valid yet': await token({ ...claims, nbf: 32_503_680_000 }),
    'without subject': await token({ ...claims, sub: undefined }),
    'an empty subject': await token({ ...claims, sub: '' }),
    'a number as subject': await token({ ...claims, sub: 7 as never }),
    'a list as subject': await token({ ...claims, sub: [subject] as never }),
    'too long': await token({ ...claims, groups: 'g'.repeat(16_384) }),
    'signed by a foreign key': await new SignJWT(claims)
      .setProtectedHeader(header)
      .sign(foreign.privateKey),
    'signed by an unknown key': await new SignJWT(claims)
      .setProtectedHeader({ ...header, kid: 'other' })
      .sign(foreign.privateKey),
    'HMAC by the public key': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'test' })
      .sign(publicKey),
    'HMAC by the key set': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'test' })
      .sign(new TextEncoder().encode(env.AUTH_JWKS)),
    unsigned,
    'signature cut off': `${head}.${body}.`,
    'not a token': 'not-a-token',
    empty: '',
  }
  for (const [name, text] of Object.entries(bad)) {
    const answer = await getWith(text, path)
    expect([name, answer.status]).toEqual([name, 401])
    expect(await answer.json()).toMatchObject({ type: 'UNAUTHORIZED' })
  }
  expect(await listUsers(env.DB, id)).toMatchObject([{ bound: false }])
  expect((await getWith(await token(claims), path)).status).toBe(200)
})

test('a token names an organisation its person belongs to', async () => {
  const { organisation, person } = await newMember()
  const other = await newOrganisation()
  const bearer = await person.token()
  const twice = `/events?organisationId=${organisation.id}&organisationId=${other.id}`
  expect((await getWith(bearer, '/events')).status).toBe(400)
  expect((await getWith(bearer, twice)).status).toBe(400)
  expect((await getWith(bearer, `/events?organisationId=${other.id}`)).status).toBe(401)
  expect((await getWith(bearer, '/events?organisationId=')).status).toBe(401)
  expect((await getWith(bearer, `/events/e?organisationId=${other.id}`)).status).toBe(401)
})

test('a token that names one organisation in the query and another in the body creates nothing', async () => {
  const { organisation, person } = await newMember()
  const other = await newOrganisation()
  await other.add(person.email)
  for (const { schema } of [organisation, other]) await schema('members', fields)
  for (const [inQuery, inBody] of [
    [organisation.id, other.id],
    [other.id, organisation.id],
  ]) {
    const answer = await request(`/members?organisationId=${inQuery}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await person.token()}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ organisationId: inBody, 'Full Name': 'Ada' }),
    })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { type: 'BAD_REQUEST', message: 'organisationId: may appear only once.' },
    ])
  }
  for (const { json } of [organisation, other])
    expect(await json('/members')).toMatchObject({ members: [] })
})

test('on a local machine, its own tokens are taken only where there is no provider', async () => {
  const { id, add } = await newOrganisation()
  await add(localClaims.administrator)
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const LOCAL_JWKS = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] })
  const bearer = await new SignJWT({ email: localClaims.administrator, email_verified: true })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(localClaims.issuer)
    .setAudience(localClaims.audience)
    .setSubject(localClaims.administrator)
    .setExpirationTime('1h')
    .sign(privateKey)
  const statusWith = async (AUTH_ISSUER: string) => {
    const tokenRequest = new Request<unknown, IncomingRequestCfProperties>(
      `http://localhost/api/v1/events?organisationId=${id}`,
      {
        headers: { Authorization: `Bearer ${bearer}` },
      },
    )
    const context = createExecutionContext()
    const answer = await localWorker.fetch(
      tokenRequest,
      { ...env, AUTH_ISSUER, LOCAL_JWKS },
      context,
    )
    await waitOnExecutionContext(context)
    return answer.status
  }
  expect([await statusWith(''), await statusWith(env.AUTH_ISSUER)]).toEqual([200, 401])
})

test('rejects a key and a token in one request', async () => {
  const { organisation, person, path } = await newMember()
  for (const bearer of [await person.token(), 'rubbish', '']) {
    const headers = { 'x-api-key': organisation.key, Authorization: `Bearer ${bearer}` }
    expect((await request(path, { headers })).status).toBe(400)
  }
})

test('the path of a schema tells its organisation', async () => {
  const { organisation, person } = await newMember()
  const other = await newOrganisation()
  await organisation.schema('members', [])
  await other.schema('members', [])
  const bearer = await person.token()
  const of = (id: string, query = '') => getWith(bearer, `/schemas/${id}${query}`)
  expect((await of(organisation.id)).status).toBe(200)
  expect((await of(organisation.id, `?organisationId=${organisation.id}`)).status).toBe(200)
  expect((await of(other.id)).status).toBe(401)
  expect((await of(other.id, `?organisationId=${organisation.id}`)).status).toBe(401)
  expect((await of('nobody')).status).toBe(401)
})

test('a member tells its organisation', async () => {
  const { organisation, person } = await newMember()
  const other = await newOrganisation()
  const shared = crypto.randomUUID()
  for (const { put } of [organisation, other]) await put('members', [{ id: shared, document: {} }])
  await other.put('members', [{ id: `${shared}-theirs`, document: {} }])
  const bearer = await person.token()
  const status = async (path: string) => (await getWith(bearer, `/members/${path}`)).status
  expect(await status(shared)).toBe(200)
  expect(await status(`${shared}?organisationId=${organisation.id}`)).toBe(200)
  expect(await status(`${shared}-theirs`)).toBe(403)
  expect(await status(`${shared}-nobodys`)).toBe(404)
  expect(await status(`${shared}?organisationId=${other.id}`)).toBe(401)
  const stranger = await newPerson().token()
  expect((await getWith(stranger, `/members/${shared}`)).status).toBe(401)
  expect((await getWith(stranger, `/members/${shared}-nobodys`)).status).toBe(401)
})

test("a member id that several of a user's organisations have selects none of them", async () => {
  const [one, two, other] = [
    await newOrganisation(),
    await newOrganisation(),
    await newOrganisation(),
  ]
  const person = newPerson()
  await one.add(person.email)
  const [both, theirs] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const { put } of [one, two]) await put('members', [{ id: both, document: {} }])
  await two.put('members', [{ id: theirs, document: {} }])
  await other.put('members', [{ id: both, document: {} }])
  const bearer = await person.token()
  const get = (path: string) => getWith(bearer, `/members/${path}`)
  expect((await get(both)).status).toBe(200)
  expect((await get(theirs)).status).toBe(403)
  await two.add(person.email)
  // They have not come to the second yet, and belong to it all the same.
  const answer = await get(both)
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { type: 'BAD_REQUEST', message: expect.stringMatching(/^organisationId: is required/) },
  ])
  for (const { id } of [one, two])
    expect((await get(`${both}?organisationId=${id}`)).status).toBe(200)
  expect((await get(both)).status).toBe(400)
  expect((await get(theirs)).status).toBe(200)
})

test('a user of the same subject at another issuer, or the other way round, is somebody else', async () => {
  const { organisation, person } = await newMember()
  const id = crypto.randomUUID()
  await organisation.put('members', [{ id, document: {} }])
  const { subject } = person
  for (const [issuer, other] of [
    ['https://another.test/', subject],
    [env.AUTH_ISSUER, `${subject}-other`],
  ] as const) {
    const theirs = await newOrganisation()
    await theirs.put('members', [{ id, document: {} }])
    await theirs.add(`${theirs.id}@people.test`)
    await env.DB.prepare('UPDATE memberships SET issuer = ?, subject = ? WHERE organisation_id = ?')
      .bind(issuer, other, theirs.id)
      .run()
  }
  expect((await getWith(await person.token(), `/members/${id}`)).status).toBe(200)
})
