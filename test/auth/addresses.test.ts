import { env } from 'cloudflare:workers'
import { importJWK, SignJWT } from 'jose'
import { expect, test, vi } from 'vitest'
import { newOrganisation, request } from '../organisation.ts'
import { goodClaims, newPerson, token } from './identity.ts'

const address = 'https://169.254.169.254/latest/meta-data'

test('no address that a request names is asked for anything', async () => {
  const { id, add, key, get, schema } = await newOrganisation()
  await schema('members', [{ id: 'Site', name: 'Site', label: 'Site', type: 'text', order: 0 }])
  const { subject, email } = newPerson()
  await add(email)
  const claims = { ...goodClaims(), sub: subject, email, email_verified: true }
  const naming = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'test', jku: address, x5u: address })
    .sign(await importJWK(JSON.parse(env.TEST_SIGNING_KEY), 'ES256'))
  const fetches = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('was asked'))
  const from = { Host: '169.254.169.254', Referer: address, Origin: address }
  const answers = [
    get(`/members?Site=${address}`, { headers: { 'x-api-key': key, ...from } }),
    get('/members', {
      method: 'POST',
      headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Site: address }),
    }),
    ...[naming, await token({ ...claims, iss: address })].map((bearer) =>
      request(`/events?organisationId=${id}`, { headers: { Authorization: `Bearer ${bearer}` } }),
    ),
  ]
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses).toEqual([200, 201, 200, 401])
  // Webhooks of earlier files may be delivered now.
  const fetched = fetches.mock.calls.map(([input]) => new Request(input).url)
  expect(fetched.filter((it) => it.startsWith(address))).toEqual([])
  fetches.mockRestore()
})
