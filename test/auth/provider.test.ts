import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { newOrganisation } from '../organisation.ts'
import { goodClaims, newPerson } from './identity.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const newKey = async (kid: string) => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { kid, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'RS256' } }
}

/** An identity provider on the test network, and a new user with an organisation. */
async function newProvider({ jwks = '' } = {}) {
  const issuer = `https://${crypto.randomUUID()}.test/`
  const published: { keys: JWK[] } = { keys: [] }
  const pages: Record<string, () => Response> = {
    [`${issuer}.well-known/openid-configuration`]: () =>
      Response.json({ issuer, jwks_uri: `${issuer}keys` }),
    [`${issuer}keys`]: () => Response.json(published),
  }
  const fetched: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const address = String(input instanceof Request ? input.url : input)
    // Webhooks of earlier files may be delivered now.
    if (address.startsWith(issuer)) fetched.push(address)
    const page = pages[address]
    if (!page) throw new TypeError('Network connection lost.')
    return page()
  })
  const { id, add } = await newOrganisation()
  const { email, subject } = newPerson()
  await add(email)
  const ask = async (key: Awaited<ReturnType<typeof newKey>>) => {
    const claims = { ...goodClaims(), iss: issuer, sub: subject, email, email_verified: true }
    const bearer = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .sign(key.privateKey)
    const headers = { Authorization: `Bearer ${bearer}` }
    const settings = { ...env, AUTH_ISSUER: issuer, AUTH_JWKS: jwks && `${issuer}${jwks}` }
    return app.request(`/api/v1/events?organisationId=${id}`, { headers }, settings)
  }
  return { issuer, pages, published, fetched, ask }
}

test("a provider's keys are found by discovery, once", async () => {
  const { issuer, ask, published, fetched } = await newProvider()
  const key = await newKey('one')
  published.keys = [key.published]
  for (const _ of [1, 2, 3]) expect((await ask(key)).status).toBe(200)
  expect(fetched).toEqual([`${issuer}.well-known/openid-configuration`, `${issuer}keys`])
})

test("a provider's keys are found at an address given", async () => {
  const { issuer, ask, published, fetched } = await newProvider({ jwks: 'keys' })
  const key = await newKey('one')
  published.keys = [key.published]
  expect((await ask(key)).status).toBe(200)
  expect(fetched).toEqual([`${issuer}keys`])
})

test('a new key is known when it signs, and one withdrawn is not', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { ask, published } = await newProvider()
  const [old, next] = [await newKey('old'), await newKey('next')]
  published.keys = [old.published]
  expect((await ask(old)).status).toBe(200)
  expect((await ask(next)).status).toBe(401)
  published.keys = [next.published]
  vi.setSystemTime(Date.now() + 60_000)
  expect((await ask(next)).status).toBe(200)
  expect((await ask(old)).status).toBe(401)
})

test('a provider out of reach is 503 and a retry works', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['Date'] })
  const { issuer, ask, published, pages } = await newProvider()
  const key = await newKey('one')
  published.keys = [key.published]
  const discovery = `${issuer}.well-known/openid-configuration`
  for (const broken of [discovery, `${issuer}keys`]) {
    const working = pages[broken]
    for (const answer of [
      undefined,
      () => new Response('no', { status: 500 }),
      () => new Response('<html>'),
      () => Response.json({}),
    ]) {
      Object.assign(pages, { [broken]: answer })
      vi.setSystemTime(Date.now() + 1000)
      const refused = await ask(key)
      expect(refused.status).toBe(503)
      expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/)
      expect(await refused.json()).toMatchObject({ type: 'UNAVAILABLE' })
    }
    Object.assign(pages, { [broken]: working })
  }
  vi.setSystemTime(Date.now() + 1000)
  expect((await ask(key)).status).toBe(200)
})

test('an unreachable provider is logged without the token', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { ask, issuer, pages } = await newProvider()
  delete pages[`${issuer}keys`]
  await ask(await newKey('one'))
  const [cause, request, ...others] = log.mock.calls.map(([line]) => JSON.parse(line))
  expect(cause).toEqual({ event: 'identity-provider', issuer, cause: expect.any(String) })
  expect(request).toMatchObject({ event: 'request', status: 503 })
  expect(others).toEqual([])
  expect(log.mock.calls.join()).not.toContain('eyJ')
})

test.each([
  [{ AUTH_AUDIENCE: '' }, 'AUTH_ISSUER needs AUTH_AUDIENCE: set both or neither.'],
  [{ AUTH_ISSUER: 'http://identity.test' }, 'AUTH_ISSUER must be an https:// address.'],
  [{ AUTH_ISSUER: 'https://identity.test/\n' }, 'AUTH_ISSUER must be an https:// address.'],
  [{ AUTH_JWKS: 'rubbish' }, 'AUTH_JWKS must be a JSON Web Key Set or an https:// address.'],
  [{ AUTH_JWKS: 'https://' }, 'AUTH_JWKS must be a JSON Web Key Set or an https:// address.'],
  [{ AUTH_TRUSTED_EMAILS: 'yes' }, 'AUTH_TRUSTED_EMAILS must be true or false.'],
])('with %j the service is not ready, accepts no token and says why', async (change, problem) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const settings = { ...env, AUTH_CLIENT_ID: 'dashboard', ...change }
  const get = (path: string, headers = {}) => app.request(path, { headers }, settings)
  const answer = await get('/api/v1/events', { Authorization: 'Bearer x' })
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { type: 'INTERNAL_ERROR', message: `The settings for tokens are invalid: ${problem}` },
  ])
  const cause = { event: 'identity-provider', cause: problem }
  expect(log.mock.calls.map(([line]) => JSON.parse(line))).toEqual([
    cause,
    expect.objectContaining({ event: 'request', status: 500 }),
  ])
  expect((await get('/dashboard/sign-in/provider')).status).toBe(500)
  const readiness = await get('/readyz')
  expect([readiness.status, await readiness.json()]).toEqual([
    503,
    { type: 'UNAVAILABLE', message: problem },
  ])
})

test('without an issuer the service accepts no token', async () => {
  const headers = { Authorization: 'Bearer x' }
  const settings = { ...env, AUTH_ISSUER: undefined }
  expect((await app.request('/api/v1/events', { headers }, settings)).status).toBe(401)
})
