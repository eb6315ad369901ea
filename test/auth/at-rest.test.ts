import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/platform/sha256.ts'
import { newOrganisation } from '../organisation.ts'
import { findText } from '../store/find-text.ts'

test('a key is nowhere at rest', async () => {
  const { key, get } = await newOrganisation()
  await get('/events')
  const hash = await sha256(key)
  expect(await findText(env, hash)).toEqual(['api_keys.hash', 'KV'])
  expect(await findText(env, key.slice(0, 8))).toEqual(['api_keys.prefix', 'audit_log.target'])
  for (const part of [key.slice(0, 12), key.slice(12)]) {
    expect(await findText(env, part)).toEqual([])
  }
})
