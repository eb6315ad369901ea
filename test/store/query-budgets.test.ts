import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { countReport } from '../../src/dashboard/reports/count-report.ts'
import { countables } from '../../src/dashboard/reports/countables.ts'
import { parseReportQuery } from '../../src/dashboard/reports/report-query.ts'
import { loadCollection } from '../../src/resources/resources.ts'
import { countValues } from '../../src/resources/summary/count-values.ts'
import { queryLimits } from '../../src/store/query/query-reader.ts'
import { summaryLimits } from '../../src/store/summary/row-limit.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { rows } from './whole-index.ts'

const many = 10_000
const primes = [2654435761, 2246822519, 3266489917, 668265263, 374761393, 2971215073, 1500450271]
let organisation: Awaited<ReturnType<typeof newOrganisation>>

/** A number below `below`, scattered over the records as if by chance. */
const scatter = (record: number, salt: number, below: number) =>
  (Math.imul(record + 1, primes[salt] ?? 1) >>> 9) % below

const createDocument = (record: number) => ({
  memberId: `member-${record}`,
  Joined: new Date(Date.UTC(2024, 0, 1 + scatter(record, 0, 365))).toISOString().slice(0, 10),
  Ward: `ward ${scatter(record, 1, 8)}`,
  Active: scatter(record, 2, 2) === 1,
  ...(scatter(record, 3, 5) > 0 && { Fee: scatter(record, 4, 400) / 2 }),
  Tags: [`tag ${scatter(record, 5, 30)}`, `tag ${scatter(record, 6, 30)}`],
  Number: record,
  Remark: `remark ${scatter(record, 0, 1000)}`,
})

beforeAll(async () => {
  const types = {
    Joined: 'date',
    Ward: 'text',
    Active: 'boolean',
    Fee: 'number',
    Tags: 'tags',
    Number: 'number',
    Remark: 'text',
  }
  organisation = await newOrganisation(
    Object.entries(types).map(([id, type], order) => ({ id, name: id, label: id, type, order })),
  )
  for (let from = 0; from < many; from += 5000)
    await organisation.put(
      'members',
      Array.from({ length: 5000 }, (_, index) => ({
        id: `member-${from + index}`,
        document: createDocument(from + index),
      })),
    )
}, 120_000)

const normalLimits = { ...queryLimits }

const { rows: maxRows } = summaryLimits

afterEach(() => {
  Object.assign(queryLimits, normalLimits)
  summaryLimits.rows = maxRows
})

const quarter = 'Joined ge 2024-04-01 and Joined lt 2024-07-01'
const three = `${quarter} and Ward eq 'ward 3' and Active eq true`
const rare = "contains(Remark,'99')"

describe('a page or a count of 10,000 members reads few rows', () => {
  test.each([
    ['$skiptoken=start', 100, 200],
    ['Ward=ward 3&$skiptoken=start', 100, 200],
    [`$filter=${quarter}`, 100, 2500],
    [`$filter=${quarter}&$orderby=Joined desc`, 100, 700],
    [`$filter=${quarter}&$orderby=Joined desc&$count=true`, 100, 1000],
    [`$filter=${quarter}&$count=true&$top=0`, 0, 600],
    [`$filter=${three}`, 100, 2600],
    [`$filter=${three}&$orderby=Joined desc`, 100, 3300],
    [`$filter=${three}&$count=true&$top=0`, 0, 2500],
    ["$filter=Tags eq 'tag 1' or Tags eq 'tag 2'&$orderby=Fee desc,Ward", 100, 2000],
    [`$filter=${rare}`, 100, 1700],
    [`$filter=${rare}&$count=true&$top=0`, 0, 1400],
    ['$filter=Fee eq null', 100, 10_000],
    ['$filter=Fee eq null&$orderby=Joined desc', 100, 12_000],
    [`$filter=${quarter} and Fee gt 50 and Number gt 5000`, 100, 35_000],
    ['$filter=Number gt 9000', 100, 6000],
    ['$orderby=Fee desc,Ward', 100, 1900],
    ['$orderby=Number desc', 100, 900],
    ['$orderby=Ward', 100, 700],
    ['$orderby=Joined desc&offset=2000', 100, 10_500],
  ])('%s', async (query, count, budget) => {
    const answer = await organisation.get(`/members?${query}`)
    const { members, message } = await answer.json<{ members?: object[]; message?: string }>()
    expect([message, members?.length]).toEqual([undefined, count])
    expect(rowsRead(answer)).toBeLessThanOrEqual(budget)
  })
})

/** Each reads a thousand members by itself. */
const first = 'member.Number lt 1000 and attending eq true'
const last = 'member.Number ge 9000 and attending eq false'

test('conditions on references that read enough alone', async () => {
  queryLimits.referencedRows = 60_000
  for (const filter of [first, last])
    expect((await organisation.get(`/bookings?$filter=${filter}`)).status).toBe(200)
})

test.each([
  ['member.Number gt 5500', 200, 50_000],
  ['member.Number gt 4000', 400, 45_000],
  ['member.Number gt 500 and member.Fee gt 199', 200, 70_000],
])(
  'a condition on references, %s, searches the referenced records once',
  async (filter, status, budget) => {
    const answer = await organisation.get(`/bookings?$filter=${filter}`)
    expect(answer.status).toBe(status)
    expect(rowsRead(answer)).toBeLessThanOrEqual(budget)
  },
)

test('later pages of an order read as little as the first', async () => {
  let next: string | undefined = `/members?$filter=${quarter}&$orderby=Joined desc,Number`
  for (let page = 1; next && page <= 5; page++) {
    const answer: Response = await organisation.get(next)
    expect(rowsRead(answer), `page ${page}`).toBeLessThanOrEqual(1700)
    next = (await answer.json<{ next?: string }>()).next?.replace('/api/v1', '')
    expect(next).toBeDefined()
  }
})

test('a download reads pages of a thousand', async () => {
  const answer = await organisation.get(`/members?$filter=${rare} or Active eq true&$format=csv`)
  const lines = (await answer.text()).trim().split('\r\n')
  const passing = Array.from({ length: many }, (_, record) => createDocument(record)).filter(
    ({ Active, Remark }) => Active || Remark.includes('99'),
  )
  expect(lines).toHaveLength(1 + passing.length)
})

describe('counting by a field', () => {
  const count = async (by: string, filters: { field: string; values: string[] }[]) => {
    const store = trustedStore(env.DB, organisation.id, { by: 'command line' })
    const { list } = await loadCollection('members')
    const counts = await countValues(store, list, { by, filters, limit: 3 })
    return { ...counts, rowsRead: store.cost.rowsRead }
  }

  test('reads a few rows for each value, and says if values are left out', async () => {
    const wards = await count('Ward', [])
    expect(wards).toMatchObject({ total: many, missing: 0, isCut: true })
    expect(wards.groups).toHaveLength(3)
    expect(wards.rowsRead).toBeLessThanOrEqual(60)
  })

  test('with a filter, reads the bitmaps of both', async () => {
    const ward = { field: 'Ward', values: ['ward 3'] }
    const documents = Array.from({ length: many }, (_, record) => createDocument(record))
    const passing = documents.filter(({ Ward }) => Ward === 'ward 3')
    const active = await count('Active', [ward])
    expect(active.groups).toEqual(
      [true, false]
        .map((value) => ({ value, count: passing.filter(({ Active }) => Active === value).length }))
        .sort((one, other) => other.count - one.count),
    )
    expect(active.rowsRead).toBeLessThanOrEqual(150)
    const fees = await count('Fee', [ward])
    expect(fees.missing).toBe(passing.filter(({ Fee }) => Fee === undefined).length)
    expect(fees.total).toBe(passing.length)
  })
})

describe('a report on 20,000 bookings by fields of their events', () => {
  const [bookingCount, eventCount] = [20_000, 1000]
  const today = '2026-01-01'
  const properties = [
    { name: 'event.name', label: 'Event', type: 'text' },
    { name: 'event.tags', label: 'Tags', type: 'list' },
    { name: 'event.venue.name', label: 'Venue', type: 'text' },
    { name: 'date', label: 'Date', type: 'date' },
  ] as const
  let id: string

  beforeAll(async () => {
    const { put, ...others } = await newOrganisation()
    id = others.id
    const events = Array.from({ length: eventCount }, (_, n) => ({
      eventId: `event-${n}`,
      name: `Event ${n}`,
      tags: [`tag ${scatter(n, 0, 8)}`],
      venue: { name: `venue ${scatter(n, 1, 30)}` },
    }))
    await put(
      'events',
      events.map((document) => ({ id: document.eventId, document })),
    )
    for (let from = 0; from < bookingCount; from += 5000)
      await put(
        'bookings',
        Array.from({ length: 5000 }, (_, index) => {
          const n = from + index
          const document = {
            bookingId: `booking-${n}`,
            eventId: `event-${scatter(n, 0, eventCount)}`,
            date: new Date(Date.UTC(2025, 0, 1 + scatter(n, 1, 365))).toISOString().slice(0, 10),
            attending: scatter(n, 2, 4) > 0,
          }
          return { id: document.bookingId, document }
        }),
      )
  }, 120_000)

  const count = async (query: Record<string, string>) => {
    const store = trustedStore(env.DB, id, { by: 'command line' })
    const params = new URLSearchParams(query)
    const countable = countables.find(({ name }) => name === query.$count) ?? countables[0]
    const parsed = parseReportQuery(params, countable, properties)
    const result = await countReport(store, parsed.query, { today, maxRows: 20 }).catch(
      (error: Error) => error.message,
    )
    return { result, rowsRead: store.cost.rowsRead }
  }

  test.each([
    [{ $count: 'bookings', $by: 'event.tags' }, bookingCount, 8000],
    [{ $count: 'attendances', $by: 'date~month', $split: 'event.tags' }, 15_000, 160_000],
  ])('reads few rows, by %j', async (query, total, budget) => {
    const { result, rowsRead } = await count(query)
    expect(result).toMatchObject({ total })
    expect(rowsRead).toBeLessThanOrEqual(budget)
  })

  const bothOfEvents = { $count: 'attendances', $by: 'event.name', $split: 'event.tags' }

  test.each([
    bothOfEvents,
    { ...bothOfEvents, $period: 'last-quarter' },
    { ...bothOfEvents, $period: 'last-year', $compare: 'true' },
  ])('is refused before it reads more rows than it may, by %j', async (query) => {
    const { result, rowsRead } = await count(query)
    expect(result).toMatchObject({ splits: { length: 7 } })
    expect(rowsRead).toBeLessThanOrEqual(80_000)
    summaryLimits.rows = 3000
    const refused = await count(query)
    expect(refused.result).toContain('Group by one field')
    expect(refused.rowsRead).toBeLessThanOrEqual(20_000)
  })
})

describe('is refused with advice', () => {
  const refuse = async (query: string, message: string, collection = 'members') => {
    const answer = await organisation.get(`/${collection}?${query}`)
    expect([answer.status, (await answer.json<{ message: string }>()).message]).toEqual([
      400,
      expect.stringContaining(message),
    ])
    expect(rowsRead(answer)).toBeLessThanOrEqual(200_000)
    return rowsRead(answer)
  }

  test('a text over 256 bytes', () =>
    refuse(`$filter=Remark gt '${'é'.repeat(129)}'`, 'at most 256 bytes'))

  test('a filter about too many values', async () => {
    queryLimits.terms = 3000
    await refuse('$filter=Number gt 5000', 'more than 3,000 different values')
  })

  test.each([
    "member.Ward eq 'ward 3' and member.Number lt 300 or member.Number gt 500",
    'member.Number gt 500 and member.Fee gt 150',
    `${first} or ${last}`,
  ])('conditions on references that read too much together, %s', async (filter) => {
    queryLimits.referencedRows = 60_000
    const advice = 'Use fewer conditions on referenced records'
    const read = await refuse(`$filter=${filter}`, advice, 'bookings')
    expect(read).toBeLessThanOrEqual(queryLimits.referencedRows)
  })

  test('a report of two fields that reads too much together', async () => {
    const store = trustedStore(env.DB, organisation.id, { by: 'command line' })
    const [countable] = countables
    const today = '2025-01-01'
    const count = ($by: string, $split: string) => {
      const properties = [
        { name: 'Number', label: 'Number', type: 'number' },
        { name: 'Ward', label: 'Ward', type: 'text' },
        { name: 'Joined', label: 'Joined', type: 'date' },
      ] as const
      const params = new URLSearchParams({ $by, $split })
      const { query } = parseReportQuery(params, countable, properties)
      return countReport(store, query, { today, maxRows: 20 })
    }
    const report = await count('Ward', 'Joined~month')
    expect(report.rows(20).reduce((sum, row) => sum + Number(row.result), 0)).toBe(many)
    summaryLimits.rows = 5000
    await expect(count('Number', 'Ward')).rejects.toMatchObject({
      message: expect.stringContaining('Group by one field'),
    })
    expect(store.cost.rowsRead).toBeLessThanOrEqual(200_000)
  })

  test('an offset beyond what a page may read', () =>
    refuse('$orderby=Number&offset=10001', 'offset'))

  test('an order or a count of too many bitmaps', async () => {
    const scale = (factor: number) =>
      rows(
        `UPDATE terms SET count = count * ?, last = last * ? WHERE organisation_id = ?`,
        factor,
        factor,
        organisation.id,
      )
    // As if there were ten million members.
    await scale(1000)
    await refuse('$filter=Fee gt 50 and Active eq true&$count=true', 'Use a shorter range')
    await refuse('$filter=Fee eq null&$orderby=Joined', 'Use a shorter range')
    await scale(1 / 1000)
  })
})
