import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import type { Field } from '../../src/model/properties/schema.ts'
import { recordImport } from '../../src/store/settings/imports.ts'
import { everything } from '../examples/everything.ts'
import { newSignedIn } from './signed-in.ts'

const field = (id: string, type: Field['type']): Field => ({
  id,
  name: id,
  label: id,
  type,
  order: 0,
})
const fields = [field('Full Name', 'text'), field('Joined', 'date'), field('Postcode', 'postcode')]

const day = 24 * 60 * 60 * 1000
const now = Date.now()
const daysAgo = (days: number) => new Date(now - days * day).toISOString()

/** An organisation with members, attended and missed bookings, upcoming events, and grants at every stage. */
async function withAYear() {
  const person = await newSignedIn('reader')
  await person.schema('members', fields)
  const overviewOf = (
    collection: string,
    idName: string,
    count: number,
    values: (n: number) => object,
  ) =>
    person.put(
      collection,
      Array.from({ length: count }, (_, n) => {
        const id = `${collection}-${n}`
        const example = everything[collection]?.document ?? {}
        return { id, document: { ...example, [idName]: id, managedBy: person.id, ...values(n) } }
      }),
    )
  await person.put(
    'members',
    Array.from({ length: 60 }, (_, n) => ({
      id: `m-${n}`,
      document: {
        memberId: `m-${n}`,
        ...(n % 3 > 0 && { 'Full Name': `Ada ${n}` }),
        Joined: daysAgo(17 * n).slice(0, 10),
        'Postcode.lad': ['Leeds', 'Leeds', 'York'][n % 3],
      },
    })),
  )
  await overviewOf('events', 'eventId', 8, (n) => ({
    name: `Event ${n}`,
    start: daysAgo(3 - n),
    bookingDetails: { capacityTotal: n === 4 ? null : 10 },
  }))
  await overviewOf('bookings', 'bookingId', 90, (n) => ({
    eventId: `events-${n % 8}`,
    memberId: `m-${n % 60}`,
    date: daysAgo(9 * n - 60).slice(0, 10),
    attending: n % 4 > 0,
  }))
  const statuses = ['pending', 'approved', 'rejected', 'completed', 'fully_paid']
  await overviewOf('funds', 'fundId', 2, (n) => ({ name: `Fund ${n}` }))
  await overviewOf('grant-applications', 'applicationId', 20, (n) => ({
    fundId: `funds-${n % 2}`,
    status: statuses[n % 5],
    currency: 'GBP',
    amountApplied: 1000 + n,
    amountAwarded: 500 + n,
  }))
  await overviewOf('disbursements', 'disbursementId', 12, (n) => ({
    fundId: `funds-${n % 2}`,
    grantId: 'grant-applications-1',
    status: n % 3 === 0 ? 'SCHEDULED' : 'PAID',
    currency: 'GBP',
    amount: 100 + n,
  }))
  await recordImport(operatorStore(env.DB, person.id), 'members', 60)
  return person
}

type Records = Record<string, unknown>[]

/** The texts of a table's rows, by the first cell. */
async function tableOf(html: string, label: string): Promise<Map<string, string[]>> {
  const [, table = ''] =
    new RegExp(
      `(?:aria-label="${label}"|<caption class="visually-hidden">${label})(.*?)</table>`,
      's',
    ).exec(html) ?? []
  const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      cell.replaceAll(/<[^>]*>/g, ''),
    ),
  )
  return new Map(rows.map(([first = '', ...others]) => [first, others]))
}

test('every figure equals a count over the API', async () => {
  const person = await withAYear()
  const html = await person.html('/reports')
  const all = async (path: string, key: string) =>
    (await person.json<Record<string, Records>>(`${path}?limit=250`))[key] ?? []
  const members = (await all('/members', 'members')).map(({ fields }) =>
    Object.fromEntries(
      (fields as { key: string; value: string }[]).map((it) => [it.key, it.value]),
    ),
  )
  const [bookings, events, applications, payments] = await Promise.all([
    all('/bookings', 'bookings'),
    all('/events', 'events'),
    all('/grant-applications', 'applications'),
    all('/disbursements', 'disbursements'),
  ])
  const monthOf = (date: unknown) =>
    new Date(String(date)).toLocaleDateString('en-GB', {
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
  const joined = await tableOf(html, 'Members by month of joining')
  expect(joined.size).toBe(12)
  for (const [month, [count]] of joined) {
    const expected = members.filter((member) => monthOf(member.Joined) === month).length
    expect([month, count]).toEqual([month, String(expected)])
  }
  const today = new Date(now).toISOString().slice(0, 10)
  const came = bookings.filter(({ attending, date }) => attending && String(date) <= today)
  const attended = await tableOf(html, 'Attendance by month')
  expect(attended.size).toBe(12)
  for (const [month, [count]] of attended) {
    const expected = came.filter(({ date }) => monthOf(date) === month).length
    expect([month, count]).toEqual([month, String(expected)])
  }
  const coming = await tableOf(html, 'Upcoming events')
  expect([...coming.keys()]).toEqual(['Event', 'Event 4', 'Event 5', 'Event 6', 'Event 7'])
  for (const { eventId, name, bookingDetails } of events.slice(4)) {
    const attending = bookings.filter((it) => it.attending && it.eventId === eventId).length
    const { capacityTotal } = bookingDetails as { capacityTotal: number | null }
    const left = capacityTotal === null ? '–' : String(Math.max(0, capacityTotal - attending))
    expect(coming.get(String(name))?.slice(1)).toEqual([String(attending), left])
  }
  const pounds = (sum: number) => `£${sum.toLocaleString('en-GB')}`
  const total = (records: Records, of: string) =>
    records.reduce((sum, record) => sum + Number(record[of]), 0)
  const stages = await tableOf(html, 'Grants by stage')
  expect([...stages.keys()].slice(1, 4)).toEqual(['Pending', 'Applied', 'In review'])
  const awardedAt = ['approved', 'fully_paid', 'completed']
  for (const [label, status] of [
    ['Pending', 'pending'],
    ['In review', 'in_review'],
    ['Approved', 'approved'],
    ['Fully paid', 'fully_paid'],
  ] as const) {
    const atStage = applications.filter((it) => it.status === status)
    const awarded = awardedAt.includes(status) ? total(atStage, 'amountAwarded') : 0
    expect(stages.get(label)).toEqual([
      String(atStage.length),
      pounds(total(atStage, 'amountApplied')),
      pounds(awarded),
    ])
  }
  const funds = await tableOf(html, 'Money by fund')
  for (const n of [0, 1]) {
    const ofFund = (records: Records) => records.filter((it) => it.fundId === `funds-${n}`)
    const granted = ofFund(applications).filter((it) => awardedAt.includes(String(it.status)))
    const [awarded, paid] = [
      total(granted, 'amountAwarded'),
      total(
        ofFund(payments).filter((it) => it.status === 'PAID'),
        'amount',
      ),
    ]
    expect(funds.get(`Fund ${n}`)).toEqual([awarded, paid, awarded - paid].map(pounds))
  }
  const fresh = await tableOf(html, 'Records by collection')
  expect(fresh.get('Bookings')?.[0]).toBe('90')
  expect(fresh.get('Members')?.slice(1)).toEqual([
    expect.stringMatching(/^\d/),
    expect.stringMatching(/^\d/),
  ])
  expect(fresh.get('Bookings')?.at(-1)).toBe('–')

  expect(html).toContain('>60</span>Members')
  expect(html).toMatch(/>Leeds<\/a><\/span><strong>40<\/strong>/)
  expect(html).toMatch(/<span>Full Name<\/span><strong>67%<\/strong>/)
  expect(html).toMatch(/\d+ rows read for this page/)
})

test('an overview reads two rows for each day of each block of bookings, and 1,300 more', async () => {
  const person = await newSignedIn('reader')
  await person.schema('members', fields)
  const [bookingCount, days, inBlock] = [3000, 360, 496]
  await person.put(
    'bookings',
    Array.from({ length: bookingCount }, (_, n) => {
      const document = {
        ...everything.bookings?.document,
        ...{ bookingId: `b-${n}`, managedBy: person.id, attending: n % 3 > 0 },
        // Spreads the bookings of a day over many blocks.
        date: daysAgo((n * 211) % days).slice(0, 10),
      }
      return { id: `b-${n}`, document }
    }),
  )
  const page = await person.visit('/reports')
  const [, read = ''] = /([\d,]+) rows read/.exec(await page.text()) ?? []
  expect(Number(read.replaceAll(',', ''))).toBeLessThanOrEqual(
    2 * days * Math.ceil(bookingCount / inBlock) + 1300,
  )
})

test('an overview without records says so', async () => {
  const { html } = await newSignedIn()
  const page = await html('/reports')
  expect(page).toContain('has no field for the date of joining')
  expect(page).toContain('There are no members yet.')
  expect(page).not.toContain('Grants by stage')
})

test('administrators see the usage of keys', async () => {
  const administrator = await newSignedIn()
  await administrator.json('/events')
  await administrator.json('/members')
  await flushKeyUse(env.DB, Date.now())
  expect(await administrator.html('/reports')).toMatch(
    /Requests by key.*api-keys">test \(sk_.{5}…\)<\/a><\/span><strong>2<\/strong>/s,
  )
  const key = await administrator.html(`/settings/api-keys/${administrator.keyId}`)
  expect(key).toContain('2 requests, 0 records')
  const reader = await newSignedIn('reader', administrator)
  expect(await reader.html('/reports')).not.toContain('Requests by key')
})
