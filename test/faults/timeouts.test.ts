import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { app } from '../../src/app.ts'
import { createSession } from '../../src/auth/sessions.ts'
import { listKeys } from '../../src/store/settings/list-keys.ts'
import { claimMemberships } from '../../src/store/settings/memberships.ts'
import { newPerson } from '../auth/identity.ts'
import { revokeKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'
import {
  advanceUntilAnswered,
  type CallCounts,
  failingDatabase,
  holdClock,
} from './failing-database.ts'

const origin = 'https://api.test'

holdClock()

/** An organisation with a member, and someone who has just been made its administrator. */
async function newAdministrator() {
  const organisation = await newOrganisation()
  const person = newPerson()
  const memberId = crypto.randomUUID()
  await organisation.put('members', [{ id: memberId, document: {} }])
  await organisation.add(person.email, 'admin')
  return { ...organisation, memberId, person }
}

type Administrator = Awaited<ReturnType<typeof newAdministrator>>
type Asked = { path: string; init?: RequestInit }

async function byToken({ person }: Administrator, path: string): Promise<Asked> {
  return { path, init: { headers: { Authorization: `Bearer ${await person.token()}` } } }
}

/** A request in a session; a POST if a form is given. */
async function signedIn(
  { id, person: { subject, email } }: Administrator,
  path: string,
  form?: Record<string, string>,
): Promise<Asked> {
  const person = { issuer: env.AUTH_ISSUER, subject, email }
  await claimMemberships(env.DB, person)
  const Cookie = `__Host-session=${await createSession(env.DB, person, 'Ada')}`
  const headers = { Cookie, Origin: origin }
  const init = form ? { method: 'POST', headers, body: new URLSearchParams(form) } : { headers }
  return { path: path.replace(':id', id), init }
}

const keyPage = '/dashboard/:id/settings/api-keys'

const requests: Record<string, (administrator: Administrator) => Promise<Asked>> = {
  'a list with a token': (it) => byToken(it, `/api/v1/events?organisationId=${it.id}`),
  'a member with a token': (it) => byToken(it, `/api/v1/members/${it.memberId}`),
  'a member whom nobody has': (it) => byToken(it, `/api/v1/members/${crypto.randomUUID()}`),
  'the dashboard': (it) => signedIn(it, '/dashboard'),
  'the reports': (it) => signedIn(it, '/dashboard/:id/reports'),
  'the keys': (it) => signedIn(it, keyPage),
  'a new key': (it) => signedIn(it, keyPage, { name: 'Another', expires: 'never' }),
  'a key revoked': (it) => signedIn(it, `${keyPage}/${it.keyId}/revoke`, {}),
  'a key reactivated': async (it) => {
    await revokeKey(env.DB, it.act)
    return signedIn(it, `${keyPage}/${it.keyId}/reactivate`, {})
  },
  'a key rotated': (it) =>
    signedIn(it, `${keyPage}/${it.keyId}/rotate`, { gracePeriod: 'not at all' }),
  'a key deleted': (it) => signedIn(it, `${keyPage}/${it.keyId}/delete`, {}),
  'signing out': (it) => signedIn(it, '/dashboard/sign-out', {}),
  readiness: async () => ({ path: '/readyz' }),
}

const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }

async function answerTo({ path, init }: Asked, bindings: object, happened: CallCounts) {
  const answer = app.request(origin + path, init, { ...env, ...bindings }, context)
  return advanceUntilAnswered(Promise.resolve(answer), happened)
}

test.each(Object.entries(requests))(
  '%s answers 503 in time if any database call stalls',
  async (_, request) => {
    let stalled = 0
    for (; ; stalled++) {
      const response = await request(await newAdministrator())
      const { DB, happened } = failingDatabase('stalled', (call) => call === stalled)
      const answer = await answerTo(response, { DB }, happened)
      if (happened.errors === 0) {
        expect(answer.status).toBeLessThan(500)
        break
      }
      expect([stalled, answer.status]).toEqual([stalled, 503])
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
    }
    expect(stalled).toBeGreaterThan(0)
  },
)

test.each(['fails', 'stalls'])('keys are made, rotated and deleted while KV %s', async (fault) => {
  const happened: CallCounts = { calls: 0, errors: 0, waiting: 0 }
  const call = async () => {
    if (fault === 'fails') throw new Error('KV PUT failed: 500')
    happened.waiting++
    return new Promise(() => {})
  }
  const KEYS = Object.create(env.KEYS, { put: { value: call }, delete: { value: call } })
  const administrator = await newAdministrator()
  const { id, keyId } = administrator
  const send = async (path: string, form: Record<string, string>) => {
    happened.waiting = 0
    return answerTo(await signedIn(administrator, path, form), { KEYS }, happened)
  }
  const created = await send(keyPage, { name: 'Another', expires: 'never' })
  const rotated = await send(`${keyPage}/${keyId}/rotate`, { gracePeriod: 'not at all' })
  for (const { headers } of [created, rotated]) {
    // The page that the browser is sent to shows it once.
    const [key = ''] = /sk_\w{38}/.exec(headers.get('Set-Cookie') ?? '') ?? []
    const answer = await app.request(
      `${origin}/api/v1/events`,
      { headers: { 'x-api-key': key } },
      env,
      context,
    )
    expect(answer.status).toBe(200)
  }
  expect((await send(`${keyPage}/${keyId}/delete`, {})).status).toBe(303)
  const keys = await listKeys(operatorStore(env.DB, id))
  expect([keys.length, keys.some((key) => key.id === keyId)]).toEqual([2, false])
})
