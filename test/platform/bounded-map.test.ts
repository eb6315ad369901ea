import { expect, test } from 'vitest'
import { BoundedMap } from '../../src/platform/bounded-map.ts'

test('a new entry replaces the oldest, and a changed one replaces none', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ])
  map.set('c', 4)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ])
})
