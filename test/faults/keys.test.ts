import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { generateApiKey } from '../../src/auth/key-text.ts'
import { sha256 } from '../../src/platform/sha256.ts'
import { newOrganisation } from '../organisation.ts'
import { requestWith } from './failing-database.ts'

const rubbish = ['{', '[]', 'null', '"x"', '{"keyId":7}', '\u0000', '{"organisationId":"x"}']

const kv = (get: () => Promise<unknown>): KVNamespace =>
  Object.create(env.KEYS, { get: { value: get }, put: { value: get } })

/** Limits that count. */
function counting() {
  const counted = { failures: 0 }
  const LIMIT_FAILURES_BY_ADDRESS: RateLimit = {
    limit: async () => ({ success: ++counted.failures <= 3 }),
  }
  return { counted, LIMIT_FAILURES_BY_ADDRESS }
}

test.each([
  ['fails', () => Promise.reject(new Error('KV GET failed: 500'))],
  ['stalls', () => new Promise(() => {})],
])('while KV %s, good keys are good and bad ones are counted', async (_, get) => {
  const { key } = await newOrganisation()
  const { counted, LIMIT_FAILURES_BY_ADDRESS } = counting()
  const bindings = { KEYS: kv(get), LIMIT_FAILURES_BY_ADDRESS }
  const ask = async (key: string) =>
    (await requestWith(bindings, '/events', { headers: { 'x-api-key': key } })).status
  for (let time = 0; time < 5; time++) expect(await ask(key)).toBe(200)
  expect(counted.failures).toBe(0)
  const bad = generateApiKey()
  for (const status of [401, 401, 401, 429]) expect(await ask(bad)).toBe(status)
})

test.each(rubbish)('KV that holds %j for a key refuses nobody', async (value) => {
  const { key, get } = await newOrganisation()
  await env.KEYS.put(await sha256(key), value)
  expect((await get('/events')).status).toBe(200)
})
