import { expect, test } from 'vitest'
import { PageMemory } from '../../src/formats/page-memory.ts'

const page = { state: '1 2026', content: 'a page' }

/** The keys of the stored pages. */
const storedIn = (memory: PageMemory, keys: string, now = 0) =>
  [...keys].filter((key) => memory.get(key, now)).join('')

test('the oldest pages go first, and a page that is too large is not stored', () => {
  const memory = new PageMemory({ maxBytes: 20_000, maxPageBytes: 9000 })
  for (const key of 'abc') memory.set(key, page, 5000, 0)
  expect(storedIn(memory, 'abc')).toBe('abc')
  memory.set('d', page, 5000, 0)
  expect(storedIn(memory, 'abcd')).toBe('bcd')
  memory.set('b', page, 5000, 0)
  memory.set('e', page, 5000, 0)
  expect(storedIn(memory, 'abcde')).toBe('bde')
  memory.set('d', page, 9000, 0)
  expect(storedIn(memory, 'abcde')).toBe('be')
})

test('small pages take more than their bytes, so that their number is bounded', () => {
  const memory = new PageMemory({ maxBytes: 10_000 })
  for (const key of 'abcdefghijkl') memory.set(key, page, 1, 0)
  expect(storedIn(memory, 'abcdefghijkl')).toBe('defghijkl')
})

test('a page expires after 10 minutes', () => {
  const memory = new PageMemory()
  memory.set('a', page, 1, 0)
  expect([storedIn(memory, 'a', 599_999), storedIn(memory, 'a', 600_000)]).toEqual(['a', ''])
})
