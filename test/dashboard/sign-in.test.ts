import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { createOrganisation } from '../../src/admin/organisations.ts'
import { addUser } from '../../src/admin/users.ts'
import { app } from '../../src/app.ts'
import { createSession, findSession } from '../../src/auth/sessions.ts'
import { app as dashboard } from '../../src/dashboard/other-pages.tsx'
import { localSignIn, localSignInPath } from '../../src/dashboard/sign-in/local-sign-in.ts'
import { dashboardPages } from '../../src/model/organisation-id.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { sha256 } from '../../src/platform/sha256.ts'
import { listAudit } from '../audit.ts'
import { newOrganisation } from '../organisation.ts'

const origin = 'https://data.test'
const clientId = 'dashboard'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A provider that signs a person in, a browser with cookies, and the requests that the provider received. */
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
  const settings: Bindings = { ...env, AUTH_ISSUER: issuer, AUTH_CLIENT_ID: clientId }
  const cookies = new Map<string, string>()
  async function visit(path: string, init: RequestInit = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers(init.headers)
    headers.set('Cookie', cookie)
    headers.set('CF-Connecting-IP', issuer)
    // A copy, because the Worker opens the bindings once and a test changes them between requests.
    const answer = await app.request(`${origin}${path}`, { ...init, headers }, { ...settings })
    for (const set of answer.headers.getSetCookie()) {
      expect(set).toMatch(/^__Host-.*; Path=\/; HttpOnly; Secure; SameSite=(Lax|Strict)$/)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/Max-Age=0/i.test(set)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  /** Visits the provider and returns the callback address. */
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
  return { issuer, pages, exchanges, settings, cookies, visit, leave, comeBack }
}

/** A signed-in administrator of a new organisation. */
async function newAdministrator() {
  const email = `${crypto.randomUUID()}@people.test`
  const organisation = await newOrganisation()
  await organisation.add(email, 'admin')
  const browser = await newSignIn({ email, email_verified: true })
  await browser.comeBack(await browser.leave())
  const keys = `/dashboard/${organisation.id}/settings/api-keys`
  const post = (path: string, headers: HeadersInit, body: BodyInit = '') =>
    browser.visit(path, { method: 'POST', headers, body })
  return { ...organisation, ...browser, email, keys, post }
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
  const elsewhere = { headers: { 'Sec-Fetch-Site': 'cross-site' } }
  const lured = await visit('/dashboard/sign-in/provider', elsewhere)
  expect(lured.headers.get('Location')).toBe('/dashboard/sign-in')
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
  expect((await listAudit(env.DB, id))[0]).toMatchObject({ action: 'signed in', target: email })
  expect((await visit('/dashboard')).headers.get('Location')).toBe(`/dashboard/${id}/home`)
  expect((await visit(`/dashboard/${id}/reports`)).status).toBe(200)
  expect((await visit(`/dashboard/${id}/settings/api-keys`)).status).toBe(403)
  const secret = String(cookies.get('__Host-session'))
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(
    (await visit('/dashboard/sign-out', { method: 'POST', headers: { Origin: origin } })).status,
  ).toBe(303)
  cookies.set('__Host-session', secret)
  expect((await visit('/dashboard')).headers.get('Location')).toBe('/dashboard/sign-in')
})

test('a callback that does not belong to the flow signs nobody in', async () => {
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

test('a callback works once', async () => {
  const { leave, comeBack } = await newSignIn()
  const back = await leave()
  expect((await comeBack(back)).status).toBe(303)
  expect((await comeBack(back)).status).toBe(401)
})

test('an unreachable provider, or the metadata of another one, gives 503 with Retry-After', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { issuer, pages, visit, leave, comeBack } = await newSignIn()
  const back = await leave()
  delete pages[`${issuer}token`]
  const answer = await comeBack(back)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
  expect((await visit('/dashboard/sign-in')).status).toBe(200)
  const posing = await newSignIn()
  posing.pages[`${posing.issuer}.well-known/openid-configuration`] = () => ({
    issuer: 'https://another.test/',
    authorization_endpoint: 'https://another.test/authorize',
  })
  expect((await posing.visit('/dashboard/sign-in/provider')).status).toBe(503)
})

test('an unverified e-mail address gives no access', async () => {
  const email = `${crypto.randomUUID()}@people.test`
  const { id, add } = await newOrganisation()
  await add(email)
  const { visit, leave, comeBack } = await newSignIn({ email, email_verified: false })
  await comeBack(await leave())
  expect((await visit(`/dashboard/${id}`)).status).toBe(404)
  expect(await (await visit('/dashboard')).text()).toContain('do not belong')
})

test('a form from another site, or without a session, changes nothing', async () => {
  const { keyId, key, get, cookies, keys, post } = await newAdministrator()
  const path = `${keys}/${keyId}/revoke`
  const from = (site: string) => post(path, { Origin: site })
  const foreign: Record<string, string>[] = [
    { Origin: 'https://evil.test' },
    { 'Sec-Fetch-Site': 'same-site' },
    {},
  ]
  for (const type of ['application/x-www-form-urlencoded', 'application/json', 'x']) {
    for (const headers of foreign) {
      const answer = await post(path, { ...headers, 'Content-Type': type })
      expect([type, headers, answer.status]).toEqual([type, headers, 403])
      expect(await answer.text()).toContain('This form was not sent from the dashboard.')
    }
  }
  const session = String(cookies.get('__Host-session'))
  cookies.clear()
  expect((await from(origin)).headers.get('Location')).toBe('/dashboard/sign-in')
  expect((await get('/events')).status).toBe(200)
  cookies.set('__Host-session', session)
  expect((await from(origin)).status).toBe(303)
  expect((await get('/events')).status).toBe(401)
  expect(key).toMatch(/^sk_/)
})

test('a session expires', async () => {
  const { id, cookies, visit } = await newAdministrator()
  expect((await visit(`/dashboard/${id}/reports`)).status).toBe(200)
  const hash = await sha256(String(cookies.get('__Host-session')))
  const ended = env.DB.prepare('UPDATE sessions SET expires = ? WHERE hash = ?')
  await ended.bind(new Date(Date.now() - 1).toISOString(), hash).run()
  expect((await visit(`/dashboard/${id}`)).headers.get('Location')).toBe('/dashboard/sign-in')
})

test('a session ends after two hours without use, and its use is noted', async () => {
  const { id, cookies, visit } = await newAdministrator()
  const hash = await sha256(String(cookies.get('__Host-session')))
  const minute = 60_000
  const lastUse = async (minutesAgo: number) => {
    const at = new Date(Date.now() - minutesAgo * minute).toISOString()
    await env.DB.prepare('UPDATE sessions SET last_used = ? WHERE hash = ?').bind(at, hash).run()
  }
  await lastUse(119)
  expect((await visit(`/dashboard/${id}/reports`)).status).toBe(200)
  const note = env.DB.prepare('SELECT last_used AS at FROM sessions WHERE hash = ?').bind(hash)
  const at = await note.first<string>('at')
  expect(Date.now() - Date.parse(String(at))).toBeLessThan(10 * minute)
  await lastUse(121)
  expect((await visit(`/dashboard/${id}`)).headers.get('Location')).toBe('/dashboard/sign-in')
})

test('a person sees their sessions and ends all of them at once, and nobody else’s', async () => {
  const { id, issuer, cookies, visit, leave, comeBack, post } = await newAdministrator()
  const first = String(cookies.get('__Host-session'))
  cookies.clear()
  await comeBack(await leave())
  const second = String(cookies.get('__Host-session'))
  const other = await createSession(env.DB, { issuer, subject: 'ben' }, 'Ben')
  const page = await (await visit('/dashboard/sign-in/sessions')).text()
  expect([...page.matchAll(/This one|Another one/g)].map(String)).toEqual([
    'This one',
    'Another one',
  ])
  expect((await post('/dashboard/sign-out/everywhere', { Origin: origin })).status).toBe(303)
  for (const session of [first, second]) {
    cookies.set('__Host-session', session)
    expect((await visit(`/dashboard/${id}`)).headers.get('Location')).toBe('/dashboard/sign-in')
  }
  expect(await findSession(env.DB, other)).toMatchObject({ name: 'Ben' })
})

test('signing in again ends the previous session', async () => {
  const { id, cookies, visit, leave, comeBack } = await newAdministrator()
  const previous = String(cookies.get('__Host-session'))
  await comeBack(await leave())
  expect(cookies.get('__Host-session')).not.toBe(previous)
  expect((await visit(`/dashboard/${id}/reports`)).status).toBe(200)
  cookies.set('__Host-session', previous)
  expect((await visit(`/dashboard/${id}`)).headers.get('Location')).toBe('/dashboard/sign-in')
})

/** Rejects every counted failure, as if there had been too many. */
const refuseFailures = (settings: Bindings) =>
  Object.assign(settings, {
    LIMIT_FAILURES_BY_ADDRESS: { limit: async () => ({ success: false }) },
  })

test('too many failures from an address do not block a session or signing out', async () => {
  const { id, settings, post, visit } = await newAdministrator()
  refuseFailures(settings)
  expect((await visit(`/dashboard/${id}/reports`)).status).toBe(200)
  expect((await post('/dashboard/sign-out', { Origin: origin })).status).toBe(303)
})

test('an address with too many failures is blocked from guessing without requests to the provider', async () => {
  const { settings, cookies, exchanges, post, visit, leave, comeBack } = await newAdministrator()
  const back = await leave()
  const [session, previous] = [String(cookies.get('__Host-session')), exchanges.length]
  refuseFailures(settings)
  expect((await comeBack(back)).status).toBe(429)
  cookies.set('__Host-session', session.replace(/./g, '0'))
  expect((await visit('/dashboard')).status).toBe(429)
  expect((await post('/dashboard/sign-out', { Origin: origin })).status).toBe(429)
  const reads = vi.spyOn(env.DB, 'prepare')
  cookies.set('__Host-session', 'a'.repeat(10_000))
  expect((await visit('/dashboard')).headers.get('Location')).toBe('/dashboard/sign-in')
  expect([reads.mock.calls, exchanges.length]).toEqual([[], previous])
})

test('an unreadable form gives 400, and too large a form 413', async () => {
  const { keys, post } = await newAdministrator()
  const multipart = { Origin: origin, 'Content-Type': 'multipart/form-data; boundary=x' }
  for (const body of ['', '--x', '--x\r\nrubbish', '--y\r\n\r\n--y--'])
    expect([body, (await post(keys, multipart, body)).status]).toEqual([body, 400])
  let left = 30
  const large = new ReadableStream({
    pull: (sent) => (left-- > 0 ? sent.enqueue(new Uint8Array(1 << 20)) : sent.close()),
  })
  expect((await post(keys, multipart, large)).status).toBe(413)
  expect(left, 'the body is read to its end, so that the browser sees the response').toBeLessThan(1)
})

test('a new organisation cannot have the id of a page, and an old one remains reachable', async () => {
  const first = ({ path }: { path: string }) => path.split('/')[2] ?? ''
  const pageIds = dashboard.routes.map(first).filter((segment) => /^\w/.test(segment))
  expect(new Set(dashboardPages)).toEqual(new Set(pageIds))
  const organisationId = 'sign-in'
  await createOrganisation(env.DB, organisationId, 'The Sign')
  const email = `${crypto.randomUUID()}@people.test`
  await addUser(env.DB, { organisationId, email, role: 'reader', by: 'a test' })
  const { visit, leave, comeBack } = await newSignIn({ email, email_verified: true })
  await comeBack(await leave())
  const home = String((await visit('/dashboard')).headers.get('Location'))
  const firstPage = String((await visit(home)).headers.get('Location'))
  expect(await (await visit(firstPage)).text()).toContain('– The Sign</title>')
})

test('the local sign-in rejects forms from another site', async () => {
  const from = (Origin: string) =>
    localSignIn.request(
      `${origin}${localSignInPath}`,
      { method: 'POST', headers: { Origin, 'Content-Type': 'text/plain' } },
      env,
    )
  const refused = await from('https://evil.test')
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []])
  expect((await from(origin)).headers.getSetCookie()).toHaveLength(1)
})

test.each([
  ['the provider vouches for its domain', { xms_edov: true }, '', 303],
  ['it says nothing of it', {}, '', 200],
  ['the operator trusts the provider', {}, 'true', 303],
  ['the provider does not vouch, though the operator trusts it', { xms_edov: false }, 'true', 200],
])('somebody signs in by an address where %s', async (_, claims, trusted, status) => {
  const email = `${crypto.randomUUID()}@people.test`
  const { add } = await newOrganisation()
  await add(email)
  const { settings, visit, leave, comeBack } = await newSignIn({ email, ...claims })
  settings.AUTH_TRUSTED_EMAILS = trusted
  await comeBack(await leave())
  expect((await visit('/dashboard')).status).toBe(status)
})

test('the deployed Worker has no local sign-in', async () => {
  const { visit } = await newSignIn()
  const headers = { Origin: origin }
  const answer = await visit('/dashboard/sign-in/local', { method: 'POST', headers })
  expect(answer.headers.get('Location')).not.toBe('/dashboard')
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await (await visit('/dashboard/sign-in')).text()).not.toContain('demo administrator')
})
