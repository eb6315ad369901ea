import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hideSmall } from '../../../src/resources/summary/hide-small.ts'
import { runs } from '../../runs.ts'

const figure = (value: number) => ({ value, reveals: [value] })

const figuresOf = (count: number, people = count) =>
  new Map([
    ['count', figure(count)],
    ['people', figure(people)],
  ])

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** A summary of groups without common records, of these sizes. The last are in no group. */
function summaryOf(sizes: readonly { count: number; people: number }[]) {
  const all = sizes.map(({ count, people }) => figuresOf(count, people))
  return {
    groups: all.slice(0, -1).map((figures, index) => ({ by: [index], figures })),
    withoutGroup: all.at(-1) ?? figuresOf(0),
    total: figuresOf(sum(sizes.map(({ count }) => count)), sum(sizes.map(({ people }) => people))),
  }
}

test('one small group is hidden with the smallest other one', () => {
  const sizes = [40, 3, 12, 7, 0].map((count) => ({ count, people: count }))
  const { groups, total } = hideSmall(summaryOf(sizes), 5)
  expect(groups.map(({ figures }) => figures?.get('count')?.value)).toEqual([
    40,
    undefined,
    12,
    undefined,
  ])
  expect(total?.get('count')?.value).toBe(62)
})

test('a small group of many records is hidden, and two small ones that are small together take a third', () => {
  const sizes = [
    { count: 90, people: 2 },
    { count: 4, people: 2 },
    { count: 50, people: 30 },
    { count: 60, people: 40 },
    { count: 0, people: 0 },
  ]
  const { groups } = hideSmall(summaryOf(sizes), 5)
  expect(groups.map(({ figures }) => figures !== undefined)).toEqual([false, false, false, true])
})

test('no small number is shown or can be computed from the total', () => {
  const size = fc
    .record({
      count: fc.integer({ min: 0, max: 20 }),
      share: fc.double({ noNaN: true, min: 0, max: 1 }),
    })
    .map(({ count, share }) => ({ count, people: Math.round(count * share) }))
  fc.assert(
    fc.property(
      fc.array(size, { minLength: 1, maxLength: 7 }),
      fc.integer({ min: 2, max: 8 }),
      (sizes, limit) => {
        const { groups, withoutGroup, total } = hideSmall(summaryOf(sizes), limit)
        const shown = [...groups.map(({ figures }) => figures), withoutGroup]
        for (const measure of ['count', 'people']) {
          const isSmall = (value: number) => value > 0 && value < limit
          const values = shown.map((figures) => Number(figures?.get(measure)?.value ?? 0))
          expect(values.filter(isSmall)).toEqual([])
          if (!total) continue
          const hidden = sizes.filter((_, index) => !shown[index])
          const rest = sum(hidden.map((it) => (measure === 'count' ? it.count : it.people)))
          expect(isSmall(rest)).toBe(false)
          expect(hidden.length).not.toBe(1)
        }
      },
    ),
    runs(500),
  )
})
