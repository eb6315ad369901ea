import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findHidden, hideSmall } from '../../../src/resources/summary/hide-small.ts'
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

test('in a table, no small number is shown or can be computed from its row or its column', () => {
  const size = fc.integer({ min: 0, max: 25 })
  const table = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(size, { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    )
  fc.assert(
    fc.property(table, fc.boolean(), (sizes, showsLastColumn) => {
      const cells = sizes.map((row) => row.map((count) => figuresOf(count)))
      const totalsOfRows = sizes.map((row) => figuresOf(sum(row)))
      const columns = (sizes[0] ?? []).map((_, column) => ({
        parts: cells.flatMap((row) => row[column] ?? []),
        total: figuresOf(sum(sizes.map((row) => row[column] ?? 0))),
      }))
      const rows = cells.map((parts, row) => ({ parts, total: totalsOfRows[row] ?? figuresOf(0) }))
      const all = { parts: totalsOfRows, total: figuresOf(sum(sizes.map(sum))) }
      const shownColumns = showsLastColumn ? columns : columns.slice(0, -1)
      const unshown = new Set(showsLastColumn ? [] : columns.at(-1)?.parts)
      const sums = [all, ...rows, ...shownColumns]
      const hidden = findHidden(sums, 5, unshown)
      const countOf = (figures: ReturnType<typeof figuresOf>) => figures.get('count')?.value ?? 0
      const isSmall = (count: number) => count > 0 && count < 5
      for (const { parts, total } of sums) {
        for (const figures of [...parts, total])
          if (!hidden.has(figures) && !unshown.has(figures))
            expect(isSmall(countOf(figures))).toBe(false)
        const unknown = parts.filter(
          (figures) => countOf(figures) > 0 && (hidden.has(figures) || unshown.has(figures)),
        )
        const isProtected = unknown.some((figures) => hidden.has(figures))
        if (hidden.has(total)) expect(unknown.length).toBeGreaterThan(0)
        else if (isProtected) {
          expect(unknown.length).toBeGreaterThan(1)
          expect(isSmall(sum(unknown.map(countOf)))).toBe(false)
        }
      }
    }),
    runs(500),
  )
})
