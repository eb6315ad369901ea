import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { countReport } from '../../src/dashboard/reports/count-report.ts'
import { countables } from '../../src/dashboard/reports/countables.ts'
import { defineMeasure } from '../../src/dashboard/reports/measure.ts'
import { parseReportQuery } from '../../src/dashboard/reports/report-query.ts'
import { ReportTable } from '../../src/dashboard/reports/report-table.tsx'
import type { ValueGroups } from '../../src/store/read/groups.ts'
import { newOrganisation } from '../organisation.ts'

type Parts = { records: number; sum: number }

const combine = (parts: readonly Parts[]): Parts => ({
  records: parts.reduce((total, { records }) => total + records, 0),
  sum: parts.reduce((total, { sum }) => total + sum, 0),
})

/** The average of numbers by the value of a field, with null for records without a value. */
const averageOf = (numbersByField: Record<string, [string | null, number[]][]>) =>
  defineMeasure<Parts>({
    name: 'average',
    label: () => 'Average',
    comparison: { same: 'the same as', above: 'above', below: 'below' },
    addsUp: false,
    combine,
    async read(_, __, { by }): Promise<ValueGroups<Parts>> {
      const groups = (numbersByField[by] ?? []).map(([value, numbers]) => ({
        value,
        parts: combine(numbers.map((number) => ({ records: 1, sum: number }))),
      }))
      return { groups, total: combine(groups.map(({ parts }) => parts)), isCut: false }
    },
    measure: ({ records, sum }) => (records === 0 ? null : sum / records),
    format: (average) => average.toFixed(2),
    describe: (average) => `${average} on average`,
  })

const today = '2026-11-22'
const properties = [
  { name: 'type', label: 'Type', type: 'text' },
  { name: 'date', label: 'Date', type: 'date' },
  { name: 'event.tags', label: 'Event tags', type: 'list' },
] as const

const bookings = countables.find(({ name }) => name === 'bookings') ?? countables[0]

async function report(params: Record<string, string>, measure: ReturnType<typeof averageOf>) {
  const { id, put } = await newOrganisation()
  await put('events', [
    { id: 'one', document: { eventId: 'one', tags: ['Food', 'Music'] } },
    { id: 'two', document: { eventId: 'two', tags: ['Food'] } },
    { id: 'three', document: { eventId: 'three', tags: [] } },
  ])
  const { query } = parseReportQuery(new URLSearchParams(params), bookings, properties, today)
  const measured = { ...query, measure }
  const store = operatorStore(env.DB, id)
  return { query: measured, result: await countReport(store, measured, { today, maxRows: 20 }) }
}

test('the last row of a report of averages is the average of all other records', async () => {
  const average = averageOf({
    type: [
      ['a', [10]],
      ['b', [1, 1, 1]],
      ['c', [0, 6]],
      [null, [5]],
    ],
  })
  const { result } = await report({ $by: 'type' }, average)
  expect(result.rows(4).map(({ label, result }) => [label, result])).toEqual([
    ['a', 10],
    ['c', 3],
    ['b', 1],
    ['No type', 5],
  ])
  expect(result.rows(2).map(({ label, result }) => [label, result])).toEqual([
    ['a', 10],
    ['3 others', 14 / 6],
  ])
  expect(result.total).toBe(24 / 7)
})

test('the average of a month is that of its days together, and a month without records has none', async () => {
  const average = averageOf({
    date: [
      ['2026-01-01', [10]],
      ['2026-01-20', [2, 0, 0]],
      ['2026-03-31', [4]],
    ],
  })
  const { query, result } = await report({ $by: 'date~month', $compare: 'true' }, average)
  expect(result.rows(20).map(({ label, result, before }) => [label, result, before])).toEqual([
    ['Jan 2026', 3, null],
    ['Feb 2026', null, null],
    ['Mar 2026', 4, null],
    // The same dates are those of the year before, each beside its month a year later.
    ['Apr 2026', null, null],
    ['May 2026', null, null],
    ['Jun 2026', null, null],
    ['Jul 2026', null, null],
    ['Aug 2026', null, null],
    ['Sep 2026', null, null],
    ['Oct 2026', null, null],
    ['Nov 2026', null, null],
    ['Dec 2026', null, null],
    ['Jan 2027', null, 3],
    ['Feb 2027', null, null],
    ['Mar 2027', null, 4],
  ])
  const props = { report: result, maxRows: 20, query, caption: '', isExclusive: true, listPath: '' }
  const html = String(ReportTable(props))
  expect(html).toMatch(/Feb 2026<.*?<td class="number">–<\/td>/s)
  expect(html).not.toContain('Share')
})

test('the average by a field of referenced records is that of all their records', async () => {
  const average = averageOf({
    eventId: [
      ['one', [9]],
      ['two', [1, 2, 0]],
      ['three', [7]],
      [null, [1, 1]],
    ],
  })
  const { result } = await report({ $by: 'event.tags' }, average)
  expect(result.rows(20).map(({ label, result }) => [label, result])).toEqual([
    ['Music', 9],
    ['Food', 3],
    ['No event tags', 3],
  ])
  expect(result.total).toBe(21 / 7)
})
