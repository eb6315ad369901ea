import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createSession } from '../../src/auth/sessions.ts'
import { rotateKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'
import { getWith, newPerson } from './identity.ts'

test('nothing that is kept lets anyone recover a key, a token or a session', async () => {
  const { id, key, keyId, add, get } = await newOrganisation()
  const person = newPerson()
  await add(person.email)
  const token = await person.token()
  expect((await getWith(token, `/events?organisationId=${id}`)).status).toBe(200)
  expect((await get('/events')).status).toBe(200)
  const rotated = await rotateKey(env, { organisationId: id, id: keyId, by: 'a test' }, 60)
  const session = await createSession(env.DB, { issuer: 'i', subject: 's' }, 'A Person')
  const stored = (await inD1()) + (await inKv())
  expect(stored).toContain(keyId)
  expect(stored).toContain(key.slice(0, 8))
  const signature = String(token.split('.')[2])
  for (const secret of [key, String(rotated?.key), token, session]) {
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(secret.slice(0, 12))
    expect(stored).not.toContain(secret.slice(-12))
  }
  expect(stored).not.toContain(signature)
})

async function inD1(): Promise<string> {
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>()
  const contents = tables.results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`))
  return JSON.stringify((await env.DB.batch(contents)).map(({ results }) => results))
}

async function inKv(): Promise<string> {
  const { keys } = await env.KEYS.list()
  const values = await Promise.all(keys.map(({ name }) => env.KEYS.get(name)))
  return JSON.stringify([keys, values])
}
