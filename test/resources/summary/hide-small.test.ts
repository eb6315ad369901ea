import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hideSmallResults } from '../../../src/dashboard/reports/hide-results.ts'
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

/** The unknowns that a system of linear equations determines: after elimination, those alone in a row. */
function solve(equations: readonly (readonly number[])[]): number[] {
  const rows = equations.map((row) => [...row])
  let done = 0
  for (const column of rows[0]?.keys() ?? []) {
    const pivot = rows.findIndex((row, index) => index >= done && row[column] !== 0)
    const [found] = pivot < 0 ? [] : rows.splice(pivot, 1)
    if (!found) continue
    const normal = found.map((value) => value / (found[column] ?? 1))
    for (const row of rows) {
      const factor = row[column] ?? 0
      for (const [index, value] of normal.entries()) row[index] = (row[index] ?? 0) - factor * value
    }
    rows.splice(done++, 0, normal)
  }
  return rows
    .map((row) => [...row.keys()].filter((column) => row[column] !== 0))
    .filter((columns) => columns.length === 1)
    .flat()
}

test('the equations of a whole table determine no hidden number', () => {
  const size = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 }), {
    weight: 3,
    arbitrary: fc.integer({ min: 5, max: 30 }),
  })
  const tables = fc
    .record({ rows: fc.integer({ min: 1, max: 7 }), columns: fc.integer({ min: 1, max: 7 }) })
    .chain(({ rows, columns }) =>
      fc.array(fc.array(size, { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    )
  fc.assert(
    fc.property(tables, fc.nat(1), (sizes, unshownColumns) => {
      const names = (sizes[0] ?? []).map((_, column) => String(column))
      const shown = names.slice(0, Math.max(1, names.length - unshownColumns))
      const rows = sizes.map((row) => ({
        total: figuresOf(sum(row)),
        cells: new Map(names.map((name, column) => [name, figuresOf(row[column] ?? 0)])),
      }))
      const columns = new Map(
        names.map((name, column) => [name, figuresOf(sum(sizes.map((row) => row[column] ?? 0)))]),
      )
      const total = figuresOf(sum(sizes.map(sum)))
      const groups = {
        rows: new Map(rows.map((row, index) => [String(index), row])),
        columns,
        total,
        empty: figuresOf(0),
        together: () => total,
      }
      const isHidden = hideSmallResults(groups, undefined, shown, 5)
      const ofColumn = (name: string) => rows.flatMap(({ cells }) => cells.get(name) ?? [])
      const unshown = new Set(
        names.slice(shown.length).flatMap((name) => [...ofColumn(name), columns.get(name)]),
      )
      const equations = [
        { parts: rows.map((row) => row.total), sum: total },
        { parts: [...columns.values()], sum: total },
        ...rows.map((row) => ({ parts: [...row.cells.values()], sum: row.total })),
        ...names.map((name) => ({ parts: ofColumn(name), sum: columns.get(name) ?? total })),
      ]
      const unknown = [...new Set(equations.flatMap(({ parts, sum }) => [...parts, sum]))].filter(
        (it) => isHidden(it) || (unshown.has(it) && it.get('count')?.value !== 0),
      )
      const determined = solve(
        equations.map(({ parts, sum }) =>
          unknown.map((it) => Number(parts.includes(it)) - Number(it === sum)),
        ),
      )
      expect(
        determined
          .flatMap((index) => unknown[index] ?? [])
          .filter(isHidden)
          .map((it) => it.get('count')?.value),
      ).toEqual([])
    }),
    runs(500),
  )
})
