import { drizzle } from 'drizzle-orm/d1'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { readTables } from '../../src/admin/move/database-tables.ts'
import { freeze, runBatch, unfreezeStatements } from '../../src/admin/move/freeze.ts'
import type { Author } from '../../src/model/author.ts'
import { formatMonth, formatShortDay } from '../../src/model/dates.ts'
import { londonDay } from '../../src/model/timestamp.ts'
import { termLimits } from '../../src/store/read/term-counts.ts'
import { summaryLimits } from '../../src/store/summary/row-limit.ts'
import { imports } from '../../src/store/tables.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { everything } from '../examples/everything.ts'
import { newOrganisation, setMovingTo } from '../organisation.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

const options = ['Woman', 'Man'].map((value) => ({ value, label: value }))
const fields = [
  ['Full Name', 'text'],
  ['Email', 'email'],
  ['Mobile', 'phone'],
  ['Landline', 'phone'],
  ['Postcode', 'postcode'],
  ['Date of Birth', 'date'],
  ['Joined', 'date'],
  ['Ends', 'date'],
  ['Photo consent', 'boolean'],
  ['Gender', 'select', options],
  ['Interests', 'multipleSelect', options],
  ['Other', 'selectAndOther', options],
].map(([id, type, options], order) => ({
  ...{ id, name: id, label: id, type, order },
  ...(options && { options }),
}))

const inDays = (days: number) => londonDay(Date.now() + days * 24 * 60 * 60 * 1000)

/** Whether this is one of every `each` numbers. */
const isEach = (number: number, each: number) => number % each === 0

const people = 120
const members = Array.from({ length: people }, (_, n) => ({
  memberId: `m-${n}`,
  'Full Name': `Zebedee Secret ${n}`,
  ...(!isEach(n, 7) && { Email: `secret${n - (n % 40 === 5 ? 1 : 0)}@example.org` }),
  ...(isEach(n, 3) && { Mobile: `07700 900${100 + n}` }),
  ...(isEach(n, 5) && { Landline: `0113 496 0${100 + n}` }),
  Postcode: isEach(n, 11) ? '' : 'LS11 0ES',
  ...(!isEach(n, 4) && { 'Date of Birth': n % 30 === 1 ? inDays(n) : '1990-05-17' }),
  Joined: n === 2 ? inDays(1) : inDays(0),
  Ends: inDays(100),
  ...(!isEach(n, 2) && { 'Photo consent': isEach(n, 3) }),
  ...(!isEach(n, 6) && { Gender: isEach(n, 25) ? 'Strange value' : 'Woman' }),
  Interests: isEach(n, 9) ? ['Man', 'Odd'] : ['Woman'],
  Other: 'Anything',
}))
const bookings = Array.from({ length: 90 }, (_, n) => ({
  ...everything.bookings?.document,
  bookingId: `b-${n}`,
  memberId: isEach(n, 8) ? '' : `m-${n}`,
  eventId: isEach(n, 13) ? '' : 'e-1',
  date: inDays(30),
}))
const notes = Array.from({ length: 20 }, (_, n) => ({
  ...everything['case-notes']?.document,
  caseNoteId: `n-${n}`,
  date: new Date(Date.now() + (isEach(n, 6) ? 5 : -5) * 24 * 60 * 60 * 1000).toISOString(),
}))

let organisation: Awaited<ReturnType<typeof newOrganisation>>

beforeAll(async () => {
  organisation = await newOrganisation()
  await organisation.schema('members', fields)
  const put = (collection: string, id: string, documents: readonly object[]) =>
    organisation.put(
      collection,
      documents.map((document) => ({ id: String(Object(document)[id]), document })),
    )
  await put('members', 'memberId', members)
  await put('bookings', 'bookingId', bookings)
  await put('case-notes', 'caseNoteId', notes)
})

const limits = { ...summaryLimits, ...termLimits }

afterEach(() => {
  summaryLimits.rows = limits.rows
  termLimits.values = limits.values
})

/** Opens the page of an organisation as a person with a role. */
async function openPage(role: Role = 'editor', of = organisation) {
  const person = await newSignedIn(role, of)
  const response = await person.visit('/reports/quality')
  const html = unescaped(await response.text())
  return { person, response, html }
}

/** The list behind a link, and the number of its records. */
async function countList(person: Awaited<ReturnType<typeof newSignedIn>>, href: string) {
  const path = href.slice(href.indexOf('/records'))
  const html = await person.html(path)
  const [, count] = /<caption>(?:<[^>]*>)*([\d,]+)/.exec(html) ?? []
  return count === undefined ? undefined : Number(count.replace(',', ''))
}

const isMissing = (value: unknown) => value === undefined || value === ''

/** The rows of the table of details: the percentage, and the number of people without the detail. */
const readDetails = (html: string) =>
  new Map(
    [...html.matchAll(/<th scope="row">([^<]*)<\/th>(.*?)<\/tr>/gs)].map(
      ([, label = '', row = '']) => {
        const [, percent = ''] = /<span>(\d+%)<\/span>/.exec(row) ?? []
        const [, href = '', missing = ''] =
          /<a href="([^"]*)">([\d,]+) members?<\/a>/.exec(row) ?? []
        return [label, { percent, href, missing: Number(missing) }]
      },
    ),
  )

test.each<[detail: string, fields: readonly string[]]>([
  ['E-mail address', ['Email']],
  ['Phone', ['Mobile', 'Landline']],
  ['Postcode', ['Postcode']],
  ['Date of birth', ['Date of Birth']],
  ['Photo consent', ['Photo consent']],
])('the share of people with %s is that of the records', async (detail, names) => {
  const { person, html } = await openPage()
  const row = readDetails(html).get(detail)
  const missing = members.filter((member) =>
    names.every((name) => isMissing(Object(member)[name])),
  ).length
  expect(missing).toBeGreaterThan(0)
  expect(row).toMatchObject({
    percent: `${Math.round((100 * (people - missing)) / people)}%`,
    missing,
  })
  expect(await countList(person, row?.href ?? '')).toBe(missing)
})

const count = <Item>(items: readonly Item[], passes: (item: Item) => boolean) =>
  items.filter(passes).length

test.each<[problem: string, label: string, expected: number]>([
  ['Bookings without a person', 'Bookings: Member', count(bookings, ({ memberId }) => !memberId)],
  ['Bookings without an event', 'Bookings: Event', count(bookings, ({ eventId }) => !eventId)],
  [
    'Dates in the future',
    'Members: Date of Birth',
    count(members, (member) => (member['Date of Birth'] ?? '') > inDays(0)),
  ],
  ['Dates in the future', 'Members: Joined', count(members, ({ Joined }) => Joined > inDays(0))],
  [
    'Dates in the future',
    'Case notes: Date',
    count(notes, ({ date }) => date.slice(0, 10) > inDays(0)),
  ],
  [
    'Values outside the options',
    'Members: Gender',
    count(members, ({ Gender }) => Gender === 'Strange value'),
  ],
  [
    'Values outside the options',
    'Members: Interests',
    count(members, ({ Interests }) => Interests.includes('Odd')),
  ],
])('%s, in %s, are as many as in the records and in the list', async (problem, label, expected) => {
  const { person, html } = await openPage('reader')
  expect(expected).toBeGreaterThan(0)
  const pattern = new RegExp(
    `<a class="button" href="([^"]*)">${label} \\((\\d+)\\)[^/]*: ${problem}<`,
  )
  const [, href = '', shown] = pattern.exec(html) ?? []
  expect(Number(shown)).toBe(expected)
  expect(await countList(person, href)).toBe(expected)
})

test('likely duplicates are counted for all readers, and linked for people who may merge', async () => {
  const other = await newOrganisation()
  await other.schema('members', fields)
  await other.put(
    'members',
    members.map((document) => ({ id: document.memberId, document })),
  )
  const emails = members.flatMap(({ Email }) => Email ?? [])
  const pairs = emails.reduce(
    (total, email, index) => total + count(emails.slice(index + 1), (same) => same === email),
    0,
  )
  expect(pairs).toBeGreaterThan(0)
  // An editor's visit stores the number of the comparison, which the next reader gets.
  for (const role of ['reader', 'editor', 'reader'] as const) {
    const html = await (await newSignedIn(role, other)).html('/reports/quality')
    expect(html).toContain(`>${pairs} likely duplicates<`)
    const file = await (await newSignedIn(role, other)).visit('/reports/quality/csv')
    const lines = (await file.text()).split('\r\n').filter((it) => it.startsWith('Likely'))
    const ids = members
      .filter(({ Email, memberId }) =>
        members.some((it) => Email && it.Email === Email && it.memberId !== memberId),
      )
      .map(({ memberId }) => memberId)
    expect(lines.map((line) => line.split(',').at(-1)).toSorted()).toEqual(ids.toSorted())
    expect(html.includes('/records/duplicates/members')).toBe(role === 'editor')
  }
})

/** The bookings of an event, of which somebody marked the first. A date of a series also has the series as its event. */
const bookRegister = (eventId: string, total: number, values: object, series = '') =>
  Array.from({ length: total }, (_, n) => ({
    ...everything.bookings?.document,
    bookingId: `${eventId}-${n}`,
    ...(series ? { eventId: series, childEventId: eventId } : { eventId, childEventId: '' }),
    attending: true,
    orgStatus: n === 0 ? 'attended' : '',
    ...values,
  }))

test('past bookings that nobody has marked are those of the registers, the latest first', async () => {
  const other = await newOrganisation()
  await other.schema('members', fields)
  const events = Array.from({ length: 7 }, (_, n) => ({ eventId: `date-${n}`, days: -1 - n }))
  const eventOf = (eventId: string, parentEventId: string | null) => ({
    id: eventId,
    document: {
      ...everything.events?.document,
      eventId,
      parentEventId,
      managedBy: other.id,
      name: `Lunch ${eventId}`,
    },
  })
  await other.put('events', [
    eventOf('series', null),
    ...events.map(({ eventId }, n) => eventOf(eventId, n === 2 ? 'series' : null)),
  ])
  const registered = events.flatMap(({ eventId, days }, n) =>
    bookRegister(eventId, n + 2, { date: inDays(days) }, n === 2 ? 'series' : ''),
  )
  const others = [
    ...bookRegister('later', 3, { date: inDays(3) }),
    ...bookRegister('cancelled', 3, { date: inDays(-3), attending: false }),
    // Nobody took this register, so the other system says who came.
    ...bookRegister('imported', 3, { date: inDays(-3), orgStatus: '' }),
  ]
  await other.put(
    'bookings',
    [...registered, ...others].map((document) => ({ id: document.bookingId, document })),
  )
  const unmarked = registered.filter(({ orgStatus }) => orgStatus === '')
  const { person, html } = await openPage('editor', other)
  expect(html).toContain(`>${unmarked.length} bookings that nobody has marked<`)
  const shown = [
    ...html.matchAll(/<a class="button" href="[^"]*(\/events\/[^"]*)">([^<]*) \((\d+)\)/g),
  ].map(([, href = '', label, count]) => ({ href, label, count: Number(count) }))
  expect(shown).toEqual(
    events.slice(0, 5).map(({ eventId, days }) => ({
      href: `/events/${eventId}`,
      label: `Lunch ${eventId}, ${formatShortDay(inDays(days))}`,
      count: count(unmarked, ({ bookingId }) => bookingId.startsWith(eventId)),
    })),
  )
  for (const { href, count } of shown) {
    const register = await person.html(href)
    const marks = register.match(/data-booking="[^"]*"(?! data-mark="(attended|absent)")/g)
    expect([href, marks?.length]).toEqual([href, count])
  }
  const rest = unmarked.length - shown.reduce((total, { count }) => total + count, 0)
  const file = await (await person.visit('/reports/quality/csv')).text()
  const unmarkedRows = file.split('\r\n').filter((line) => line.startsWith('Bookings that nobody'))
  expect(unmarkedRows.map((line) => line.split(',').at(-1)).toSorted()).toEqual(
    unmarked.map(({ bookingId }) => bookingId).toSorted(),
  )
  expect(html).toMatch(new RegExp(`/reports/not-marked">2 earlier dates \\(${rest}\\)<`))
  const report = await person.html('/reports/view?$count=attendances&$by=eventId')
  expect(report).toContain(`<span>${unmarked.length} bookings that nobody has marked<`)
  const [, listed = ''] = /href="[^"]*(\/reports\/not-marked[^"]*)">Mark them</.exec(report) ?? []
  const list = await person.html(listed.replaceAll('&amp;', '&'))
  const registers = [
    ...list.matchAll(
      /<a href="[^"]*(\/events\/[^"]*)">[^<]*<\/a><\/th>\s*<td class="number">(\d+)</g,
    ),
  ]
  expect(registers.map(([, href, count]) => [href, Number(count)])).toEqual(
    events.map(({ eventId }) => [
      `/events/${eventId}`,
      count(unmarked, ({ bookingId }) => bookingId.startsWith(eventId)),
    ]),
  )
  const reader = await openPage('reader', other)
  expect(reader.html).toContain(`<span>${shown[0]?.label} (1)</span>`)
  expect(reader.html).not.toContain('/events/date-')
  summaryLimits.rows = 5
  expect((await openPage('reader', other)).html).toMatch(/Not counted[^.]*: Bookings\./)
})

test('people with a postcode and no ward are counted once somebody has a ward', async () => {
  const other = await newOrganisation()
  const put = (kind: 'members' | 'volunteers', id: string, documents: readonly object[]) =>
    other.put(
      kind,
      documents.map((document, n) => ({ id: `p-${n}`, document: { [id]: `p-${n}`, ...document } })),
    )
  for (const kind of ['members', 'volunteers'] as const)
    await other.schema(kind, [
      ...fields,
      { id: 'Postcode.ward', name: 'Ward', label: 'Ward', type: 'text', order: 99 },
    ])
  const volunteers = members.map(({ Postcode }) => ({ Postcode }))
  await put('volunteers', 'volunteerId', volunteers)
  expect((await openPage('reader', other)).html).not.toMatch(/\d postcodes that no area/)
  const residents = members.map(({ Postcode }, n) => ({
    Postcode,
    ...(Postcode && !isEach(n, 5) && { 'Postcode.ward': `Ward ${n % 3}` }),
  }))
  await put('members', 'memberId', residents)
  const isUnknown = (person: object) =>
    'Postcode' in person && person.Postcode !== '' && !('Postcode.ward' in person)
  const [unknown, unknownVolunteers] = [residents, volunteers].map((all) => count(all, isUnknown))
  const { html } = await openPage('reader', other)
  expect(unknown).toBeGreaterThan(0)
  const [, href = ''] = /href="([^"]*)"[^>]*>Members: Postcode \((\d+)\)/.exec(html) ?? []
  const reader = await newSignedIn('reader', other)
  expect(await countList(reader, href)).toBe(unknown)
  const file = await (await reader.visit('/reports/quality/csv')).text()
  const listed = file.split('\r\n').filter((line) => line.includes(',Members: Postcode,'))
  expect(listed.map((line) => line.split(',').at(-1)).toSorted()).toEqual(
    residents.flatMap((resident, n) => (isUnknown(resident) ? `p-${n}` : [])).toSorted(),
  )
  expect(html).toContain(`Volunteers: Postcode (${unknownVolunteers})`)
})

test('dates of events and of what may come, and other texts of a field, are no problem', async () => {
  const { html } = await openPage()
  for (const label of ['Members: Ends', 'Bookings: Date', 'Members: Other', 'Bookings: Starts'])
    expect(html).not.toContain(label)
})

test('the page shows no names and no contact details, and stewards do not see it', async () => {
  const { response, html } = await openPage('reader')
  expect(response.status).toBe(200)
  expect(html).not.toMatch(/secret|07700|0113|LS11|Zebedee/i)
  const steward = await openPage('steward')
  expect(steward.response.status).toBe(403)
  expect(steward.html).not.toContain('without a person')
})

test('the shares of people are shown by the quarter in which they were added', async () => {
  const person = await newSignedIn('reader')
  await person.schema('members', fields)
  const [year = 0, month = 0] = inDays(0).split('-').map(Number)
  const quarter = Math.floor((month - 1) / 3)
  const added = [
    { quartersAgo: 12, total: 10, known: 9 },
    { quartersAgo: 8, total: 10, known: 9 },
    { quartersAgo: 7, total: 10, known: 2 },
    { quartersAgo: 4, total: 4, known: 4 },
    { quartersAgo: 1, total: 10, known: 3 },
    { quartersAgo: 0, total: 10, known: 7 },
  ]
  for (const { quartersAgo, total, known } of added) {
    const ids = Array.from({ length: total }, (_, n) => `${quartersAgo}-${n}`)
    await person.put(
      'members',
      ids.map((id, n) => ({
        id,
        document: { memberId: id, ...(n < known && { Email: `${id}@example.org` }) },
      })),
    )
    const created = new Date(Date.UTC(year, 3 * (quarter - quartersAgo), 1, 12)).toISOString()
    await person.storage.DB.prepare(
      `UPDATE records SET created = ? WHERE organisation_id = ? AND id LIKE ?`,
    )
      .bind(created, person.id, `${quartersAgo}-%`)
      .run()
  }
  const html = await person.html('/reports/quality')
  const [, row = ''] = /<th scope="row">E-mail address<\/th>(.*?)<\/tr>/s.exec(html) ?? []
  const [, words = ''] = /<title>(.*?)<\/title>/.exec(row) ?? []
  // The quarter of four people says nothing, and the others are too long ago.
  expect(words.split(', ').map((it) => it.replace(/.*: /, ''))).toEqual(['20%', '30%', '70%'])
  expect(row).toContain('+50 points')
  const [, points = ''] = /<polyline points="([^"]*)"/.exec(row) ?? []
  expect(points).toBe('2.0,18.0 36.0,16.0 70.0,8.0')
})

test('the shares are compared with those of the first month within a year that has any', async () => {
  const person = await newSignedIn('editor')
  await person.schema('members', fields)
  const put = (known: number) =>
    person.put(
      'members',
      Array.from({ length: 10 }, (_, n) => ({
        id: `${n}`,
        document: { memberId: `${n}`, ...(n < known && { Email: `${n}@example.org` }) },
      })),
    )
  const { DB } = person.storage
  const counts = async () => {
    const { results } = await DB.prepare(
      `SELECT month, known, total FROM known_details
        WHERE organisation_id = ? AND field = 'Email' ORDER BY month`,
    )
      .bind(person.id)
      .all()
    return results
  }
  const [thisMonth, threeAgo, twoYearsAgo, sixYearsAgo] = [0, 3, 24, 72].map((months) => {
    const [year = 0, month = 0] = inDays(0).split('-').map(Number)
    return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 7)
  })
  const moveTo = (month: string | undefined) =>
    DB.prepare('UPDATE known_details SET month = ? WHERE organisation_id = ? AND month = ?')
      .bind(month, person.id, thisMonth)
      .run()
  const reader = await newSignedIn('reader', person)
  await put(9)
  await reader.html('/reports/quality')
  expect(await counts()).toEqual([])
  for (const [known, month] of [
    [9, sixYearsAgo],
    [8, twoYearsAgo],
    [3, threeAgo],
  ] as const) {
    await put(known)
    expect(await person.html('/reports/quality')).not.toContain('Since ')
    await moveTo(month)
  }
  await put(7)
  await person.html('/reports/quality')
  expect(await counts()).toEqual([
    { month: twoYearsAgo, known: 8, total: 10 },
    { month: threeAgo, known: 3, total: 10 },
    { month: thisMonth, known: 7, total: 10 },
  ])
  const storedCounts = await counts()
  await put(6)
  await freeze(DB, await readTables(DB), person.id, 'DB_1')
  expect((await person.visit('/reports/quality')).status).toBe(200)
  expect(await counts()).toEqual(storedCounts)
  await runBatch(DB, await unfreezeStatements(DB, person.id))
  await setMovingTo(person.id, null)
  await put(7)
  const html = await reader.html('/reports/quality')
  expect(html).toContain(`Since ${formatMonth(threeAgo ?? '')}</th>`)
  expect(html).toMatch(/<th scope="row">E-mail address<.*?<span>70%<.*?<td[^>]*>\+40 points</s)
})

test('missing details of people added lately are counted by the way in which they came', async () => {
  const person = await newSignedIn('editor')
  await person.schema('members', fields.slice(0, 2))
  const { DB } = person.storage
  const [{ id: importId = 0 } = {}] = await drizzle(DB)
    .insert(imports)
    .values({
      ...{ organisationId: person.id, at: '', collection: 'members', records: 3, total: 3 },
      file: 'autumn.xlsx',
    })
    .returning({ id: imports.id })
  const staff = (name: string) => ({ by: 'person', name }) as const
  const added: [author: Author | undefined, total: number, withoutEmail: number][] = [
    // Long ago.
    [{ by: 'command line' }, 6, 6],
    [{ ...staff('Ana'), through: 'walk-in' }, 2, 2],
    [{ ...staff('Ben'), through: 'walk-in' }, 3, 2],
    [{ ...staff('Ana'), through: 'dashboard', import: importId }, 3, 1],
    [{ by: 'key', id: person.keyId }, 4, 0],
    [{ by: 'public page' }, 1, 0],
    [{ ...staff('Ana'), through: 'sign-up' }, 2, 0],
  ]
  for (const [group, [author, total, missing]] of added.entries())
    await putRecords(
      DB,
      person.id,
      'members',
      Array.from({ length: total }, (_, n) => ({
        id: `${group}-${n}`,
        document: JSON.stringify({
          memberId: `${group}-${n}`,
          ...(n >= missing && { Email: `${group}-${n}@example.org` }),
        }),
      })),
      author,
    )
  const [year = 0, month = 0] = inDays(0).split('-').map(Number)
  await DB.prepare(`UPDATE records SET created = ? WHERE organisation_id = ? AND id LIKE '0-%'`)
    .bind(new Date(Date.UTC(year, month - 4, 28, 12)).toISOString(), person.id)
    .run()
  const listGaps = async (reader = person) => {
    const html = await reader.html('/reports/quality')
    const [, section = ''] = /Where gaps come from(.*?)<\/section>/s.exec(html) ?? []
    return [...section.matchAll(/<li>(.*?)<\/li>/gs)].map(([, line = '']) => {
      const [, href] = /href="[^"]*(\/import[^"]*)"/.exec(line) ?? []
      return [/<span>(.*?)<\/span>/.exec(line)?.[1], href]
    })
  }
  const [walkIns, ofImport, ...others] = await listGaps()
  expect([walkIns, ofImport]).toEqual([
    ['Walk-ins: 4 of 5 members without an e-mail address', undefined],
    ['autumn.xlsx: 1 of 3 members without an e-mail address', `/import/done/${importId}`],
  ])
  expect(others.map(([line]) => line)).toEqual([
    expect.stringMatching(/^Key test \(.*…\): complete, 4 of 4 members$/),
    'Public pages: complete, 3 of 3 members',
  ])
  const [, ofReader] = await listGaps(await newSignedIn('reader', person))
  expect(ofReader).toEqual(['Imports: 1 of 3 members without an e-mail address', undefined])
})

test.each<[problem: string, where: string, ids: readonly string[]]>([
  [
    'Bookings without a person',
    'Bookings: Member',
    bookings.filter(({ memberId }) => !memberId).map(({ bookingId }) => bookingId),
  ],
  [
    'Values outside the options',
    'Members: Gender',
    members.filter(({ Gender }) => Gender === 'Strange value').map(({ memberId }) => memberId),
  ],
  [
    'Dates in the future',
    'Members: Joined',
    members.filter(({ Joined }) => Joined > inDays(0)).map(({ memberId }) => memberId),
  ],
])('the download lists the records of %s, in %s', async (problem, where, ids) => {
  const person = await newSignedIn('reader', organisation)
  const file = await person.visit('/reports/quality/csv')
  const rows = (await file.text())
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  const found = rows.filter(([title, place]) => title === problem && place === where)
  expect(ids.length).toBeGreaterThan(0)
  expect(found.map((row) => row.at(-1)).toSorted()).toEqual(ids.toSorted())
  const workbook = await person.visit('/reports/quality/xlsx')
  expect(new Uint8Array(await workbook.arrayBuffer()).subarray(0, 2)).toEqual(
    new TextEncoder().encode('PK'),
  )
})

test('an organisation without people or problems has an empty page', async () => {
  const { html } = await newSignedIn('reader')
  const page = await html('/reports/quality')
  expect(page).toContain('The checks found nothing')
  expect(page).not.toContain('What we know')
})

test('what reads too many rows is not counted, and the page says so', async () => {
  summaryLimits.rows = 60
  termLimits.values = 20
  const { response, html } = await openPage()
  expect(response.status).toBe(200)
  expect(html).toContain('too many members to count')
  expect(html).toMatch(/Not counted, because there are too many values: Bookings: Member\./)
})
