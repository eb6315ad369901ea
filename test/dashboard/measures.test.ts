import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { countReport } from '../../src/dashboard/reports/count-report.ts'
import { countables } from '../../src/dashboard/reports/countables.ts'
import { parseReportQuery } from '../../src/dashboard/reports/report-query.ts'
import { ReportTable } from '../../src/dashboard/reports/report-table.tsx'
import { newOrganisation } from '../organisation.ts'

const today = '2026-11-22'
const properties = [
  { name: 'type', label: 'Type', type: 'text' },
  { name: 'date', label: 'Date', type: 'date' },
  { name: 'duration', label: 'Minutes', type: 'number' },
  { name: 'event.tags', label: 'Event tags', type: 'list' },
] as const

const bookings = countables.find(({ name }) => name === 'bookings') ?? countables[0]

type Numbers = [value: string | null, numbers: number[]][]

/** Reports the average minutes of bookings with these numbers by the value of a field, null for no value. */
async function reportAverages(params: Record<string, string>, field: string, numbers: Numbers) {
  const { id, put } = await newOrganisation()
  await put('events', [
    { id: 'one', document: { eventId: 'one', tags: ['Food', 'Music'] } },
    { id: 'two', document: { eventId: 'two', tags: ['Food'] } },
    { id: 'three', document: { eventId: 'three', tags: [] } },
  ])
  const documents = numbers.flatMap(([value, durations]) =>
    durations.map((duration) => ({ duration, ...(value !== null && { [field]: value }) })),
  )
  await put(
    'bookings',
    documents.map((document, n) => ({
      id: `b-${n}`,
      document: { bookingId: `b-${n}`, ...document },
    })),
  )
  const { query } = parseReportQuery(
    new URLSearchParams({ ...params, $measure: 'average(duration)' }),
    bookings,
    properties,
  )
  const store = operatorStore(env.DB, id)
  return { query, result: await countReport(store, query, { today, maxRows: 20 }) }
}

test('the last row of a report of averages is the average of all other records', async () => {
  const { result } = await reportAverages({ $by: 'type' }, 'type', [
    ['a', [10]],
    ['b', [1, 1, 1]],
    ['c', [0, 6]],
    [null, [5]],
  ])
  expect(result.rows(4).map(({ label, result }) => [label, result])).toEqual([
    ['a', 10],
    ['c', 3],
    ['b', 1],
    ['No type', 5],
  ])
  expect(result.rows(2).map(({ label, result }) => [label, result])).toEqual([
    ['a', 10],
    ['3 others', expect.closeTo(14 / 6, 10)],
  ])
  expect(result.total).toBeCloseTo(24 / 7, 10)
})

test('the average of a month is that of its days together, and a month without records has none', async () => {
  const { query, result } = await reportAverages({ $by: 'date~month', $compare: 'true' }, 'date', [
    ['2025-01-01', [10]],
    ['2025-01-20', [2, 0, 0]],
    ['2025-03-31', [4]],
  ])
  expect(
    result.rows(20).map(({ label, result, before }) => [label, result, before?.result]),
  ).toEqual([
    ['Jan 2025', 3, null],
    ['Feb 2025', null, null],
    ['Mar 2025', 4, null],
    // The same dates are those of the year before, each beside its month a year later.
    ['Apr 2025', null, null],
    ['May 2025', null, null],
    ['Jun 2025', null, null],
    ['Jul 2025', null, null],
    ['Aug 2025', null, null],
    ['Sep 2025', null, null],
    ['Oct 2025', null, null],
    ['Nov 2025', null, null],
    ['Dec 2025', null, null],
    ['Jan 2026', null, 3],
    ['Feb 2026', null, null],
    ['Mar 2026', null, 4],
  ])
  const html = String(ReportTable({ query, result, listPath: '' }))
  expect(html).toMatch(/Feb 2025<.*?<td class="number">–<\/td>/s)
  expect(html).not.toContain('Share')
})

test('the average by a field of referenced records is that of all their records', async () => {
  const { result } = await reportAverages({ $by: 'event.tags' }, 'eventId', [
    ['one', [9]],
    ['two', [1, 2, 0]],
    ['three', [7]],
    [null, [1, 1]],
  ])
  expect(result.rows(20).map(({ label, result }) => [label, result])).toEqual([
    ['Music', 9],
    ['Food', 3],
    ['No event tags', 3],
  ])
  expect(result.total).toBe(21 / 7)
})
