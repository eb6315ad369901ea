import { afterEach, beforeAll, expect, test } from 'vitest'
import { summaryLimits } from '../../src/store/summary/row-limit.ts'
import { rowsRead } from '../organisation.ts'
import { newSampleOrganisation } from '../resources/summary/sample.ts'

// The sample's values are independent of the order of arrival, the worst case for the index.
const [bookings, people, events] = [6000, 600, 40]

let organisation: Awaited<ReturnType<typeof newSampleOrganisation>>

beforeAll(async () => {
  organisation = await newSampleOrganisation({ people, events, bookings })
}, 120_000)

const { rows } = summaryLimits

afterEach(() => {
  summaryLimits.rows = rows
})

/** The rows besides those of records: terms, and the bitmaps of the collection. */
const overhead = 3000

test.each([
  // The index has fields of few values.
  ['$by=orgStatus', 120],
  ['$by=attending,orgStatus&$measures=count,distinct(orgStatus)', 150],
  ['', 60],
  ['$by=event.tags', 1200],
  // One row for each booking and each member.
  ['$by=month(date),member.Ward&$measures=count,people', bookings + people + overhead],
  ['$measures=people,average(duration)', bookings + overhead],
  ['$by=event.tags&$measures=people&$filter=date ge 2025-12-01 and date lt 2026-01-01', 2500],
])('a summary of 6,000 bookings, %s, reads at most %i rows', async (query, budget) => {
  const answer = await organisation.get(`/bookings/$summary?${query}`)
  expect(answer.status).toBe(200)
  expect(rowsRead(answer)).toBeLessThanOrEqual(budget)
})

test('a summary beyond the limit is refused before it reads the records', async () => {
  summaryLimits.rows = 5000
  const answer = await organisation.get(
    '/bookings/$summary?$by=member.Ward&$measures=people,average(duration)',
  )
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('$filter') })
  expect(rowsRead(answer)).toBeLessThan(overhead)
})

test('counts by age are refused before they read every birthday', async () => {
  const count = () => organisation.get('/members/$summary?$by=age(Born)')
  const counted = await count()
  summaryLimits.rows = 5
  const refused = await count()
  expect([counted.status, refused.status]).toEqual([200, 400])
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('$filter') })
  expect(rowsRead(refused)).toBeLessThan(0.6 * rowsRead(counted))
})
