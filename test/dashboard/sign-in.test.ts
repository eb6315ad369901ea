import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { addUser } from '../../src/auth/memberships.ts'
import { newOrganisation } from '../organisation.ts'

const origin = 'https://data.test'
const clientId = 'dashboard'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A provider that signs somebody in, a browser that keeps cookies, and what the provider was asked. */
async function newSignIn(claims: Record<string, unknown> = {}) {
  const issuer = `https://${crypto.randomUUID()}.test/`
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const exchanges: URLSearchParams[] = []
  let nonce = ''
  const idToken = () =>
    new SignJWT({ iss: issuer, aud: clientId, sub: 'ada', nonce, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)
  const pages: Record<string, (body: URLSearchParams) => unknown> = {
    [`${issuer}.well-known/openid-configuration`]: () => ({
      issuer,
      authorization_endpoint: `${issuer}authorize`,
      token_endpoint: `${issuer}token`,
      jwks_uri: `${issuer}keys`,
    }),
    [`${issuer}keys`]: async () => ({ keys: [await exportJWK(publicKey)] }),
    [`${issuer}token`]: async (body) => {
      exchanges.push(body)
      return { access_token: 'opaque', token_type: 'Bearer', id_token: await idToken() }
    },
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    const page = pages[new Request(address).url]
    if (!page) throw new TypeError('Network connection lost.')
    return Response.json(await page(new URLSearchParams(String(init?.body))))
  })
  const settings = { ...env, AUTH_ISSUER: issuer, AUTH_CLIENT_ID: clientId }
  const cookies = new Map<string, string>()
  async function visit(path: string, init: RequestInit = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers(init.headers)
    headers.set('Cookie', cookie)
    headers.set('CF-Connecting-IP', issuer)
    const answer = await app.request(`${origin}${path}`, { ...init, headers }, settings)
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/Max-Age=0/i.test(set)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  /** Goes to the provider and gives the address that comes back from it. */
  async function leave(): Promise<URL> {
    const sent = new URL(
      String((await visit('/dashboard/sign-in/provider')).headers.get('Location')),
    )
    nonce = sent.searchParams.get('nonce') ?? ''
    const back = new URL('/dashboard/sign-in/callback', origin)
    back.searchParams.set('code', 'a-code')
    back.searchParams.set('state', sent.searchParams.get('state') ?? '')
    return back
  }
  const comeBack = (back: URL) => visit(back.pathname + back.search)
  return { issuer, pages, exchanges, cookies, visit, leave, comeBack }
}

test('a person signs in by code, PKCE, state and nonce, and signs out', async () => {
  const email = `${crypto.randomUUID()}@people.test`
  const { id, add } = await newOrganisation()
  await add(email)
  const { cookies, exchanges, visit, leave, comeBack } = await newSignIn({
    email,
    email_verified: true,
  })
  expect((await visit('/dashboard')).headers.get('Location')).toBe('/dashboard/sign-in')
  const start = await visit('/dashboard/sign-in/provider')
  const query = Object.fromEntries(new URL(String(start.headers.get('Location'))).searchParams)
  expect(query).toMatchObject({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: `${origin}/dashboard/sign-in/callback`,
    scope: 'openid email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  })
  const back = await leave()
  const answer = await comeBack(back)
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/dashboard'])
  expect(exchanges[0]?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  const set = answer.headers.getSetCookie().find((text) => text.startsWith('__Host-session='))
  for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/'])
    expect(set).toContain(attribute)
  expect((await visit('/dashboard')).headers.get('Location')).toBe(`/dashboard/${id}`)
  expect((await visit(`/dashboard/${id}`)).status).toBe(200)
  expect((await visit(`/dashboard/${id}/settings/api-keys`)).status).toBe(403)
  const secret = String(cookies.get('__Host-session'))
  expect(
    (await visit('/dashboard/sign-out', { method: 'POST', headers: { Origin: origin } })).status,
  ).toBe(303)
  cookies.set('__Host-session', secret)
  expect((await visit('/dashboard')).headers.get('Location')).toBe('/dashboard/sign-in')
})

test('an answer that does not belong to the flow signs nobody in', async () => {
  const tampered: Record<string, (back: URL, cookies: Map<string, string>) => void> = {
    'another state': (back) => back.searchParams.set('state', 'another'),
    'no state': (back) => back.searchParams.delete('state'),
    'no code': (back) => back.searchParams.delete('code'),
    'a refusal': (back) => back.searchParams.set('error', 'access_denied'),
    'another browser': (_, cookies) => cookies.clear(),
    'a broken cookie': (_, cookies) => cookies.set('__Host-sign-in', 'rubbish'),
  }
  for (const [name, tamper] of Object.entries(tampered)) {
    const { cookies, leave, comeBack } = await newSignIn()
    const back = await leave()
    tamper(back, cookies)
    expect([name, (await comeBack(back)).status]).toEqual([name, 401])
    expect(cookies.has('__Host-session')).toBe(false)
  }
})

test.each([
  ['another nonce', { nonce: 'another' }],
  ['another audience', { aud: 'another' }],
  ['another issuer', { iss: 'https://another.test/' }],
  ['no subject', { sub: undefined }],
])('an ID token with %s signs nobody in', async (_, claims) => {
  const { cookies, leave, comeBack } = await newSignIn(claims)
  expect((await comeBack(await leave())).status).toBe(401)
  expect(cookies.has('__Host-session')).toBe(false)
})

test('an answer works once', async () => {
  const { leave, comeBack } = await newSignIn()
  const back = await leave()
  expect((await comeBack(back)).status).toBe(303)
  expect((await comeBack(back)).status).toBe(401)
})

test('a provider out of reach is 503, with when to try again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { issuer, pages, visit, leave, comeBack } = await newSignIn()
  const back = await leave()
  delete pages[`${issuer}token`]
  const answer = await comeBack(back)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
  expect((await visit('/dashboard/sign-in')).status).toBe(200)
})

test('an address that is not verified opens nothing', async () => {
  const email = `${crypto.randomUUID()}@people.test`
  const { id, add } = await newOrganisation()
  await add(email)
  const { visit, leave, comeBack } = await newSignIn({ email, email_verified: false })
  await comeBack(await leave())
  expect((await visit(`/dashboard/${id}`)).status).toBe(404)
  expect(await (await visit('/dashboard')).text()).toContain('do not belong')
})

test('nothing is changed by a form of another site, or without signing in', async () => {
  const email = `${crypto.randomUUID()}@people.test`
  const { id, keyId, key, get } = await newOrganisation()
  await addUser(env.DB, { organisationId: id, email, role: 'admin', by: 'a test' })
  const { cookies, visit, leave, comeBack } = await newSignIn({ email, email_verified: true })
  await comeBack(await leave())
  const path = `/dashboard/${id}/settings/api-keys/${keyId}/revoke`
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const from = (site: string) =>
    visit(path, { method: 'POST', headers: { ...form, Origin: site }, body: '' })
  expect((await from('https://evil.test')).status).toBe(403)
  expect((await visit(path, { method: 'POST', headers: form, body: '' })).status).toBe(403)
  const session = String(cookies.get('__Host-session'))
  cookies.clear()
  expect((await from(origin)).headers.get('Location')).toBe('/dashboard/sign-in')
  expect((await get('/events')).status).toBe(200)
  cookies.set('__Host-session', session)
  expect((await from(origin)).status).toBe(303)
  expect((await get('/events')).status).toBe(401)
  expect(key).toMatch(/^sk_/)
})

test('there is no local sign-in in what is deployed', async () => {
  const { visit } = await newSignIn()
  const headers = { Origin: origin }
  const answer = await visit('/dashboard/sign-in/local', { method: 'POST', headers })
  expect(answer.headers.get('Location')).not.toBe('/dashboard')
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await (await visit('/dashboard/sign-in')).text()).not.toContain('demo administrator')
})
