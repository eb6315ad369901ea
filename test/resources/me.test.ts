import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { roleTable } from '../../src/access/roles.ts'
import { getWith, newPerson } from '../auth/identity.ts'
import { createKey, rotateKey } from '../keys.ts'
import { newOrganisation, request, rowsRead } from '../organisation.ts'

const get = (key: string, headers: Record<string, string> = {}) =>
  request('/me', { headers: { 'x-api-key': key, ...headers } })

const limits = {
  requests: { max: 1_000_000, seconds: 60 },
  page: { default: 100, max: 250 },
  bodyBytes: 1_048_576,
}

test('a key is described with its access and limits, and reads at most 4 rows', async () => {
  const organisation = await newOrganisation()
  const response = await organisation.get('/me')
  expect(await response.json()).toEqual({
    me: {
      organisation: { id: organisation.id, name: expect.stringMatching(/^Organisation \d+$/) },
      credential: {
        kind: 'key',
        id: organisation.keyId,
        name: 'test',
        prefix: organisation.key.slice(0, 8),
        expires: null,
      },
      permissions: ['read', 'create-members'],
      restrictions: {},
      limits,
    },
  })
  expect(rowsRead(response)).toBeLessThanOrEqual(4)
})

test('a key without read learns its restrictions and expiry, also after a rotation', async () => {
  const { id } = await newOrganisation()
  const restrictions: Restrictions = {
    collections: ['case-notes', 'members'],
    privateNotes: false,
    allowFrom: ['203.0.113.0/24'],
    hideFields: ['demographics', 'email'],
    origins: ['https://www.example.org'],
  }
  const expires = '2999-01-31T23:59:59.999Z'
  const newKey = await createKey(
    env,
    id,
    'form',
    'a test',
    expires,
    ['create-members'],
    restrictions,
  )
  const from = { 'CF-Connecting-IP': '203.0.113.7' }
  const described = async () => (await get(newKey.key, from)).json<{ me: object }>()
  expect((await described()).me).toMatchObject({
    credential: { id: newKey.id, name: 'form', expires },
    permissions: ['create-members'],
    restrictions,
  })
  expect((await get(newKey.key)).status).toBe(403)
  await rotateKey(env, { organisationId: id, id: newKey.id, by: 'a test' }, 3600)
  const { me } = (await described()) as { me: { credential: { expires: string } } }
  expect(me.credential.expires < expires).toBe(true)
})

test('a person is described with their role', async () => {
  const organisation = await newOrganisation()
  for (const [role, permissions] of [
    ['reader', ['read']],
    ['reader-without-contact-details', ['read']],
    ['editor', ['read', 'create-members', 'write']],
    ['admin', ['read', 'create-members', 'write']],
    ['steward', ['take-registers']],
  ] as const) {
    const person = newPerson()
    await organisation.add(person.email, role)
    const response = await getWith(await person.token(), `/me?organisationId=${organisation.id}`)
    expect(await response.json()).toMatchObject({
      me: {
        organisation: { id: organisation.id },
        credential: { kind: 'person', email: person.email, role },
        permissions,
        restrictions: roleTable[role].restrictions ?? {},
        limits,
      },
    })
  }
})
