import { describe, expect, test } from 'vitest'
import { generateApiKey, isWellFormedKey } from '../../src/auth/key-text.ts'
import { sha256 } from '../../src/platform/sha256.ts'

describe('a key', () => {
  test('starts with sk_, continues in base 62, and is unique', () => {
    const keys = Array.from({ length: 200 }, generateApiKey)
    for (const key of keys) {
      expect(key).toMatch(/^sk_[0-9A-Za-z]{38}$/)
      expect(isWellFormedKey(key)).toBe(true)
    }
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('spreads over the whole alphabet in every place of its random part', () => {
    const places = Array.from({ length: 4000 }, generateApiKey).map((key) => key.slice(3, 35))
    for (let index = 0; index < 32; index++) {
      expect(new Set(places.map((random) => random[index])).size).toBe(62)
    }
  })

  test('is not well-formed with any one character changed, dropped or added', () => {
    const key = generateApiKey()
    for (let index = 0; index < key.length; index++) {
      const [before, after] = [key.slice(0, index), key.slice(index + 1)]
      const other = key[index] === 'x' ? 'y' : 'x'
      for (const wrong of [before + other + after, before + after, `${before}x${key.slice(index)}`])
        expect([wrong, isWellFormedKey(wrong)]).toEqual([wrong, false])
    }
    for (const wrong of [
      '',
      'sk_',
      ` ${key}`,
      `${key}\n`,
      key.toLowerCase(),
      key.replace('_', '-'),
    ])
      expect(isWellFormedKey(wrong)).toBe(false)
  })

  test('is stored as its SHA-256 hash', async () => {
    expect(await sha256('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})
