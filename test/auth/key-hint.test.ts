import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { readHint } from '../../src/auth/key-hint.ts'

const hint = { keyId: 'key', organisationId: 'oak-trust', restrictions: '{}', database: 'DB_2' }
const { restrictions: _, database: __, ...old } = hint

test.each([
  ['a hint', hint, hint],
  ['a hint without restrictions', { ...hint, restrictions: null }, { ...hint, restrictions: null }],
  ['an old hint', old, { ...old, restrictions: null, database: 'DB' }],
  ['a hint with another property', { ...hint, more: 1 }, hint],
  ['another database', { ...hint, database: 'OTHER' }, undefined],
  ['restrictions that are no text', { ...hint, restrictions: {} }, undefined],
  ['no key', { ...hint, keyId: 1 }, undefined],
  ['no organisation', { ...hint, organisationId: undefined }, undefined],
  ['no object', 'key', undefined],
])('reads %s from KV', async (_, entry, expected) => {
  const { KEYS } = env
  await KEYS.put('hash', JSON.stringify(entry))
  expect(await readHint(KEYS, 'hash')).toEqual({ hint: expected, isUnknown: false })
})
