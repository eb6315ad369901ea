import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import { countReport } from '../../src/dashboard/reports/count-report.ts'
import { countables } from '../../src/dashboard/reports/countables.ts'
import { parseReportQuery } from '../../src/dashboard/reports/report-query.ts'
import { withDerivedFields } from '../../src/model/properties/area-fields.ts'
import { toLabel } from '../../src/model/properties/compile.ts'
import type { Field } from '../../src/model/properties/schema.ts'
import { toLondon } from '../../src/model/timestamp.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { newOrganisation } from '../organisation.ts'
import { newSignedIn } from './signed-in.ts'

const field = (id: string, type: Field['type']): Field => ({
  id,
  name: id,
  label: id,
  type,
  order: 0,
})
const fields = [
  field('Full Name', 'text'),
  field('Joined', 'date'),
  field('Postcode', 'postcode'),
  field('Gender', 'text'),
  field('Date of Birth', 'date'),
]

const day = 24 * 60 * 60 * 1000
const now = Date.now()
const daysAgo = (days: number) => new Date(now - days * day).toISOString()

/** An organisation with members, attended and missed bookings, upcoming events, and grants at every stage. */
async function withAYear() {
  const person = await newSignedIn('reader')
  await person.schema('members', withDerivedFields(fields))
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
        'Postcode.ward': ['Armley', 'Armley', 'Holbeck'][n % 3],
        Gender: ['Woman', 'Man'][n % 2],
        'Date of Birth': daysAgo(700 * n).slice(0, 10),
      },
    })),
  )
  await overviewOf('events', 'eventId', 8, (n) => ({
    name: `Event ${n}`,
    start: daysAgo(3 - n),
    tags: [['Food'], ['Food', 'Music'], []][n % 3],
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

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The labels and numbers of a chart. */
function barsOf(html: string, label: string): [string, number][] {
  const [, chart = ''] =
    new RegExp(`<ol class="bars" aria-label="${label}">(.*?)</ol>`, 's').exec(html) ?? []
  return [...chart.matchAll(/<li><span>(.*?)<\/span>.*?class="number">([\d,]+)</gs)].map(
    ([, name = '', count = '']) => [name, Number(count.replaceAll(',', ''))],
  )
}

const countBy = (values: readonly (string | undefined)[]) =>
  new Map(
    [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length] as const),
  )

test('every figure of the ready reports equals a count over the API', async () => {
  const person = await withAYear()
  const html = await person.html('/reports')
  const all = async (path: string, key: string) =>
    (await person.json<Record<string, Records>>(`${path}?limit=250`))[key] ?? []
  const members = (await all('/members', 'members')).map(({ fields }) =>
    Object.fromEntries(
      (fields as { key: string; value: string }[]).map((it) => [it.key, it.value]),
    ),
  )
  const [bookings, applications, payments] = await Promise.all([
    all('/bookings', 'bookings'),
    all('/grant-applications', 'applications'),
    all('/disbursements', 'disbursements'),
  ])
  const today = toLondon(new Date(now).toISOString()).slice(0, 10)
  const [year = 0, month = 0] = today.split('-').map(Number)
  const firstDay = new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10)
  const isInYear = (date: string) => date >= firstDay && date <= today
  const monthOf = (date: string) => `${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`
  const came = bookings.flatMap(({ attending, date }) =>
    attending && String(date) <= today ? [String(date)] : [],
  )
  const expected = {
    'Members by ward': members.map((it) => it['Postcode.ward']),
    'Members by month joined': members
      .map((it) => it.Joined ?? '')
      .filter(isInYear)
      .map(monthOf),
    'Attendances by month': came.filter(isInYear).map(monthOf),
    'Grant applications by status': applications.map(({ status }) => toLabel(String(status))),
  }
  for (const [label, values] of Object.entries(expected)) {
    const bars = barsOf(html, label)
    expect(bars.length, label).toBeGreaterThan(0)
    expect(new Map(bars.filter(([, count]) => count > 0)), label).toEqual(countBy(values))
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
})

/** The rows of a report's table, by the name of the group. */
const reportRows = async (person: { html(path: string): Promise<string> }, query: string) => {
  const html = await person.html(`/reports/view?${query}`)
  const [, caption = ''] = /<caption class="visually-hidden">(.*?)</.exec(html) ?? []
  const [, ...rows] = await tableOf(html, caption.replaceAll(/[()]/g, '.'))
  return { html, rows }
}

test('counts through a reference, in a period and by two fields', async () => {
  const person = await withAYear()
  const tags = await reportRows(person, '$count=attendances&$by=event.tags')
  const bookings = Array.from({ length: 90 }, (_, n) => ({
    tags: [['Food'], ['Food', 'Music'], []][(n % 8) % 3] ?? [],
    date: daysAgo(9 * n - 60).slice(0, 10),
    came: n % 4 > 0 && daysAgo(9 * n - 60) <= daysAgo(0),
  })).filter(({ came }) => came)
  const withTag = (tag: string) => bookings.filter((it) => it.tags.includes(tag)).length
  expect(tags.html).toContain(`<strong>${bookings.length}</strong> attendances`)
  const [food, music] = [withTag('Food'), withTag('Music')]
  const share = (count: number) => `${Math.round((100 * count) / bookings.length)}%`
  expect(tags.rows).toEqual([
    ['Food', [String(food), share(food)]],
    ['Music', [String(music), share(music)]],
    ['No event tags', [String(bookings.length - food), share(bookings.length - food)]],
    ['Total', [String(bookings.length), '']],
  ])
  const [, list = ''] = /href="([^"]*)">Food</.exec(tags.html) ?? []
  const params = new URL(list.replaceAll('&amp;', '&'), 'https://data.test').searchParams
  expect(Object.fromEntries(params)).toMatchObject({ came: 'true', 'event.tags': 'Food' })
  const split = await reportRows(person, '$count=members&$by=Postcode.ward&$split=Gender')
  expect(split.rows).toEqual([
    ['Armley', ['20', '20', '40', '67%']],
    ['Holbeck', ['10', '10', '20', '33%']],
    ['Total', ['30', '30', '60', '100%']],
  ])
  expect(barsOf(split.html, 'Members by ward: Woman')).toEqual([
    ['Armley', 20],
    ['Holbeck', 10],
  ])
  const women = await reportRows(person, '$count=members&$by=Postcode.ward&Gender=Woman')
  expect(women.rows.at(-1)).toEqual(['Total', ['30', '100%']])
})

test('women under 25 by ward: ages are counted on the day', async () => {
  const person = await withAYear()
  const query = '$count=members&$by=Postcode.ward&Gender=Woman&Date of Birth~maxage=24'
  const { html, rows } = await reportRows(person, query)
  const today = toLondon(new Date(now).toISOString()).slice(0, 10)
  const young = Array.from({ length: 60 }, (_, n) => n).filter(
    (n) =>
      n % 2 === 0 &&
      daysAgo(700 * n).slice(0, 10) > `${Number(today.slice(0, 4)) - 25}${today.slice(4)}`,
  )
  expect(rows.at(-1)).toEqual(['Total', [String(young.length), '100%']])
  expect(html).toContain('Only: Gender: Woman; Age up to 24.')
  const panel = await person.html(`/reports/view?${query}&$panel=filter`)
  expect(panel).toMatch(/name="Date of Birth~maxage" value="24"/)
  const wrong = await person.html('/reports/view?$count=members&Date of Birth~maxage=old')
  expect(wrong).toContain('“old” is not an age, such as 25.')
})

test('downloads the table, and refuses filters that it cannot apply', async () => {
  const person = await withAYear()
  const query = '$count=members&$by=Postcode.ward&$split=Gender&$compare=true'
  const csv = await person.visit(`/reports/csv?${query}`)
  expect(csv.headers.get('Content-Disposition')).toContain('report-members')
  const [headings, first] = (await csv.text()).split('\r\n')
  expect(headings).toBe('Ward,Man,Woman,Members,Year before,Change')
  expect(first).toMatch(/^Armley,20,20,40,\d+,\d+$/)
  const workbook = await person.visit(`/reports/xlsx?${query}`)
  expect(new Uint8Array(await workbook.arrayBuffer()).subarray(0, 2)).toEqual(
    new TextEncoder().encode('PK'),
  )
  const chart = await person.visit(`/reports/svg?${query}`)
  expect(chart.headers.get('Content-Type')).toBe('image/svg+xml; charset=utf-8')
  const image = await chart.text()
  expect(image).toContain('Members by ward')
  expect(image).toMatch(/Armley.*>20</s)
  expect((await person.visit('/reports/csv?$count=members&secret=1')).status).toBe(400)
})

test('filters open in a panel that keeps the choices of the report', async () => {
  const person = await withAYear()
  const html = await person.html(
    '/reports/view?$count=members&$split=Gender&$panel=filter&Gender=Woman',
  )
  expect(html).toContain('aria-label="Filter"')
  expect(html).toMatch(/name="\$by" value="Gender" checked/)
  expect(html).not.toContain('type="hidden" name="Gender"')
})

test('compares a period with the same period of the year before', async () => {
  const person = await newSignedIn('reader')
  await person.schema('members', withDerivedFields(fields))
  const today = toLondon(new Date(now).toISOString()).slice(0, 10)
  const year = Number(today.slice(0, 4))
  const joined = [
    `${year}-01-01`,
    `${year}-01-01`,
    `${year - 1}-01-01`,
    `${year - 1}-01-02`,
    `${year - 2}-12-31`,
  ]
  await person.put(
    'members',
    joined.map((Joined, n) => ({ id: `m${n}`, document: { memberId: `m${n}`, Joined } })),
  )
  const query = '$count=members&$by=Joined~month&$period=this-year&$compare=true'
  const months = await reportRows(person, query)
  const before = String(today.slice(5) >= '01-02' ? 2 : 1)
  expect(months.rows[0]).toEqual([`Jan ${year}`, ['2', '100%', before, expect.any(String)]])
  expect(months.html).toContain(`<title>2 now, ${before} a year before</title>`)
  const all = await reportRows(person, '$count=members&$by=Joined~year&$compare=true')
  expect(all.html).toContain('<strong>5</strong> members')
  expect(all.rows.find(([name]) => name === 'Total')?.[1].slice(2)).toEqual(
    ['3', '+2'].map((it, n) => (today.slice(5) >= '01-02' ? it : ['2', '+3'][n])),
  )
})

test('days that a person chooses are compared with the same days of the year before', async () => {
  const person = await newSignedIn('reader')
  await person.schema('members', fields)
  const joined = [
    '2024-02-29',
    '2024-05-01',
    '2025-02-28',
    '2025-03-31',
    '2025-05-02',
    '2025-05-02',
  ]
  await person.put(
    'members',
    joined.map((Joined, n) => ({ id: `m${n}`, document: { memberId: `m${n}`, Joined } })),
  )
  const totalOf = async (query: string) => {
    const { html, rows } = await reportRows(person, `$count=members&$by=Gender&${query}`)
    return { html, counts: rows.at(-1)?.[1].filter((_, column) => column !== 1) }
  }
  const compared = '$compare=true&$date=Joined'
  for (const [from, to, counts] of [
    ['2025-04-01', '2026-03-31', ['2', '1', '+1'].with(1, '3').with(2, '−1')],
    ['2025-02-01', '2025-02-28', ['1', '1', '0']],
  ] as const) {
    const period = `$period=from-to&$from=${from}&$to=${to}`
    expect((await totalOf(`${period}&${compared}`)).counts).toEqual(counts)
    const filtered = `Joined~from=${from}&Joined~to=${to}&${compared}`
    expect((await totalOf(filtered)).counts).toEqual(counts)
  }
  expect((await totalOf(`Joined=2025-05-02&${compared}`)).counts).toEqual(['2', '0', '+2'])
  const open = await totalOf('$period=from-to&$from=2025-04-01')
  expect(open.html).toMatch(/From 1 Apr 2025<.*2|name="\$from" value="2025-04-01"/s)
  expect(open.html).toMatch(/name="\$period" value="from-to" checked/)
  const wrong = await totalOf('$period=from-to&$from=spring')
  expect(wrong.html).toContain('From: “spring” is not a date, such as 14 Mar 2026.')
})

test('records of a reference are named in the table and its file', async () => {
  const person = await withAYear()
  const query = '$count=bookings&$by=eventId&$split=eventId'
  const { rows } = await reportRows(person, query)
  expect(rows.map(([name]) => name)).toContain('Event 0')
  const csv = await (await person.visit(`/reports/csv?${query}`)).text()
  expect(csv).toContain('\r\nEvent 1,')
  expect(csv).not.toContain('events-')
})

test('events of the same name are told apart by their days', async () => {
  const person = await newSignedIn('reader')
  const days = ['2025-03-01', '2025-08-02']
  const events = days.map((day) => ({
    eventId: day,
    name: 'Open Day',
    start: `${day}T10:00:00.000Z`,
  }))
  const other = { eventId: 'other', name: 'Tea', start: '2025-08-02T10:00:00.000Z' }
  await person.put(
    'events',
    [...events, other].map((document) => ({ id: document.eventId, document })),
  )
  await person.put(
    'bookings',
    [...days, 'other'].map((eventId) => ({
      id: eventId,
      document: { bookingId: eventId, eventId },
    })),
  )
  const { rows } = await reportRows(person, '$count=bookings&$by=eventId')
  expect(rows.map(([name]) => name).toSorted()).toEqual([
    'Open Day, 1 Mar 2025',
    'Open Day, 2 Aug 2025',
    'Tea',
    'Total',
  ])
})

test('of 14 months with attendances, the last 12 have bars; a currency is in capitals', async () => {
  const person = await withAYear()
  const [year = 0, month = 0] = toLondon(new Date(now).toISOString()).split('-').map(Number)
  const firstDays = Array.from({ length: 14 }, (_, n) =>
    new Date(Date.UTC(year, month - 1 - n, 1)).toISOString().slice(0, 10),
  )
  await person.put(
    'bookings',
    firstDays.map((date, n) => ({
      id: `first-${n}`,
      document: { bookingId: `first-${n}`, eventId: 'events-0', date, attending: true },
    })),
  )
  const bars = barsOf(await person.html('/reports'), 'Attendances by month')
  const lastMonths = firstDays.slice(0, 12).toReversed()
  expect(bars.map(([label]) => label)).toEqual(
    lastMonths.map((date) => `${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`),
  )
  expect(bars.every(([, count]) => count > 0)).toBe(true)
  const file = await person.visit('/records/csv/funds?$columns=name&$columns=currency')
  expect(await file.text()).toMatch(/\bGBP\b/)
})

test('ages of the year before are those of then', async () => {
  const person = await newSignedIn('reader')
  await person.schema('members', fields)
  const year = Number(toLondon(new Date(now).toISOString()).slice(0, 4))
  const document = {
    memberId: 'm',
    Joined: `${year - 9}-01-01`,
    'Date of Birth': `${year - 24}-01-01`,
  }
  await person.put('members', [{ id: 'm', document }])
  const query = '$count=members&$by=Gender&$compare=true&Date of Birth~minage=24'
  const { rows } = await reportRows(person, query)
  expect(rows.at(-1)).toEqual(['Total', ['1', '100%', '0', '+1']])
})

test('a report names what it cannot use, and refuses what would read too much', async () => {
  const person = await withAYear()
  const page = await person.visit('/reports/view?$count=nothing&$by=secret&$period=ever&secret=1')
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain('<h1>Members by ward</h1>')
  expect(html).toContain('This list has no such field.')
  const other = await person.html('/reports/view?$count=events&$of=members&$by=tags&Gender=Woman')
  expect(other).toContain('<h1>Events by tags</h1>')
  expect(other).not.toContain('no such field')
})

test('attendances by month read three rows for each day of each block of bookings, and 300 more', async () => {
  const { id, put } = await newOrganisation()
  const [bookingCount, days, inBlock] = [3000, 330, 496]
  await put(
    'bookings',
    Array.from({ length: bookingCount }, (_, n) => ({
      id: `b-${n}`,
      // Spreads the bookings of a day over many blocks.
      document: { attending: n % 3 > 0, date: daysAgo((n * 211) % days).slice(0, 10) },
    })),
  )
  const countable = countables.find(({ name }) => name === 'attendances') ?? countables[0]
  const today = toLondon(new Date(now).toISOString()).slice(0, 10)
  const params = new URLSearchParams({ $by: 'date~month', $period: 'last-12-months' })
  const properties = [
    { name: 'attending', label: 'Attending', type: 'boolean' },
    { name: 'date', label: 'Date', type: 'date' },
  ] as const
  const { query } = parseReportQuery(params, countable, properties)
  const store = operatorStore(env.DB, id)
  const { total } = await countReport(store, query, { today, maxRows: 20 })
  expect(total).toBe(2000)
  expect(store.cost.rowsRead).toBeLessThanOrEqual(
    3 * days * Math.ceil(bookingCount / inBlock) + 300,
  )
})

test('administrators see the usage of keys', async () => {
  const administrator = await newSignedIn()
  await administrator.json('/events')
  await administrator.json('/members')
  await flushKeyUse(env, Date.now())
  const usage = await tableOf(await administrator.html('/settings/usage'), 'Requests by key')
  expect([...usage].at(-1)).toEqual([
    expect.stringMatching(/^test \(sk_.{5}…\)$/),
    ['2', '0', expect.stringMatching(/^[1-9]/)],
  ])
  const key = await administrator.html(`/settings/api-keys/${administrator.keyId}`)
  expect(key).toContain('2 requests, 0 records')
  const reader = await newSignedIn('reader', administrator)
  expect((await reader.visit('/settings/usage')).status).toBe(403)
})

test('a page of several reports reads the schema of each kind of person once', async () => {
  const person = await newSignedIn()
  await putEverything(person)
  for (const [path, kinds] of [
    ['/reports', 1],
    ['/reports/annual-return', 3],
  ] as const) {
    const prepare = vi.spyOn(env.DB, 'prepare')
    const page = await person.visit(path)
    const statements = prepare.mock.calls.map(([query]) => query)
    prepare.mockRestore()
    expect(page.status).toBe(200)
    // Reports that count people also compare the schema in their own statement.
    const onlySchemas = statements.filter(
      (query) => query.includes('FROM schemas') && !query.includes('FROM terms'),
    )
    expect(onlySchemas, path).toHaveLength(kinds)
  }
})
