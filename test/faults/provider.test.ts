import { env } from 'cloudflare:workers'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { goodClaims, newPerson } from '../auth/identity.ts'
import { newOrganisation } from '../organisation.ts'
import type { Host } from './network.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

type Key = { kid: string; privateKey: CryptoKey; published: JWK }

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { kid, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } }
}

/** A provider that is fetched from for real, and a user of an organisation who asks with its tokens. */
async function newProvider() {
  const issuer = `https://${crypto.randomUUID()}.test/`
  const { id, add } = await newOrganisation()
  const { email, subject } = newPerson()
  await add(email)
  const claims = { ...goodClaims(), iss: issuer, sub: subject, email, email_verified: true }
  return {
    /** Publishes these keys and sets how the host answers. */
    async publish(keys: Key[], state: Omit<Host, 'pages'> = {}) {
      const pages: Host['pages'] = {
        '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}keys` },
        '/keys': { keys: keys.map(({ published }) => published) },
      }
      await fetch(issuer, { method: 'PUT', body: JSON.stringify({ pages, ...state }) })
    },
    /** How often it was requests for its keys or where they are. */
    requests: async () => (await (await fetch(issuer, { method: 'POST' })).json<string[]>()).length,
    async ask({ kid, privateKey }: Key) {
      const bearer = await new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 60 })
        .setProtectedHeader({ alg: 'ES256', kid })
        .sign(privateKey)
      return app.request(
        `/api/v1/events?organisationId=${id}`,
        { headers: { Authorization: `Bearer ${bearer}`, 'CF-Connecting-IP': issuer } },
        { ...env, AUTH_ISSUER: issuer, AUTH_JWKS: '' },
      )
    },
  }
}

async function expectUnavailable(answer: Response) {
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({ type: 'UNAVAILABLE' })
}

test('a provider that is slow is given up after five seconds, and works again when it is not', async () => {
  const { publish, ask, requests } = await newProvider()
  const key = await newKey('one')
  const timeout = AbortSignal.timeout
  const deadlines = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((milliseconds) => timeout.call(AbortSignal, milliseconds / 50))
  await publish([key], { milliseconds: 3_600_000 })
  await expectUnavailable(await ask(key))
  expect(deadlines).toHaveBeenCalledExactlyOnceWith(5000)
  later(1)
  const before = await requests()
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(key)))
  for (const answer of answers) await expectUnavailable(answer)
  expect((await requests()) - before).toBe(10)
  deadlines.mockRestore()
  await publish([key])
  later(1)
  expect((await ask(key)).status).toBe(200)
})

test('a provider that is down is requests once a second, and works again when it is up', async () => {
  const { publish, ask, requests } = await newProvider()
  const key = await newKey('one')
  await publish([key], { isDown: true })
  for (let time = 0; time < 10; time++) await expectUnavailable(await ask(key))
  expect(await requests()).toBe(1)
  later(1)
  await expectUnavailable(await ask(key))
  expect(await requests()).toBe(2)
  await publish([key])
  later(1)
  expect((await ask(key)).status).toBe(200)
})

test('while the provider is down, tokens of the keys that are known are good', async () => {
  const { publish, ask } = await newProvider()
  const key = await newKey('one')
  await publish([key])
  expect((await ask(key)).status).toBe(200)
  await publish([key], { isDown: true })
  later(60)
  await expectUnavailable(await ask(await newKey('unknown')))
  expect((await ask(key)).status).toBe(200)
})

test('a key the provider begins to sign with is known, and one it withdraws is not', async () => {
  const { publish, ask } = await newProvider()
  const [old, next] = [await newKey('old'), await newKey('next')]
  await publish([old])
  expect((await ask(old)).status).toBe(200)
  await publish([next])
  later(60)
  expect((await ask(next)).status).toBe(200)
  expect((await ask(old)).status).toBe(401)
})

test('a withdrawn key is rejected after ten minutes, even without a new key', async () => {
  const { publish, ask } = await newProvider()
  const [old, next] = [await newKey('old'), await newKey('next')]
  await publish([old])
  expect((await ask(old)).status).toBe(200)
  await publish([next])
  later(601)
  expect((await ask(old)).status).toBe(401)
})

test('tokens of unknown keys do not make us ask the provider again and again', async () => {
  const { publish, ask, requests } = await newProvider()
  const key = await newKey('one')
  await publish([key])
  expect((await ask(key)).status).toBe(200)
  const known = await requests()
  for (let time = 0; time < 20; time++) {
    expect((await ask({ ...key, kid: crypto.randomUUID() })).status).toBe(401)
  }
  expect(await requests()).toBe(known)
  later(60)
  for (let time = 0; time < 20; time++) await ask({ ...key, kid: crypto.randomUUID() })
  expect(await requests()).toBe(known + 1)
})
