import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../../src/admin/operator-store.ts'
import { type Mapping, serialiseMapping } from '../../../src/import/mapping/mapping.ts'
import {
  chooseDayReading,
  listDayReadings,
  parseHeadingDay,
} from '../../../src/import/parse/heading-days.ts'
import { chooseMarkValues } from '../../../src/import/parse/marks.ts'
import { openTable } from '../../../src/import/rows/open-table.ts'
import { readAttendance } from '../../../src/sign-up/who-came.ts'
import { large } from '../../runs.ts'
import { fileOf, workbook } from './files.ts'
import { taking } from './importing.ts'

const name = 'autumn.csv'

/** An organisation with a series on 4, 11 and 18 October 2025 at 6.30pm UK time, and a schema of members. */
async function withSeries() {
  const taken = await taking()
  await taken.schema('members', [
    { id: 'Full Name', name: 'Full Name', label: 'Name', type: 'text', order: 0 },
    { id: 'Email', name: 'Email', label: 'E-mail', type: 'email', order: 1 },
  ])
  const start = (day: string) => `2025-10-${day}T17:30:00.000Z`
  await taken.put(
    'events',
    [
      {
        eventId: 'club',
        name: 'Lunch club',
        start: start('04'),
        tags: ['Food'],
        recurrence: { type: 'weekly', recurring: true, rrule: '' },
      },
      ...['04', '11', '18'].map((day) => ({
        eventId: `club-${day}`,
        name: 'Lunch club',
        start: start(day),
        end: `2025-10-${day}T19:00:00.000Z`,
        parentEventId: 'club',
      })),
    ].map((document) => ({ id: document.eventId, document })),
  )
  type Options = NonNullable<Parameters<typeof taken.take>[1]> & { ticks?: Mapping['ticks'] }
  /** Imports a sheet of the series, with the given answers. */
  async function takeSheet(text: string, { ticks, ...options }: Options = {}) {
    const { proposal } = await taken.take(text, { name, event: 'club', writes: false })
    const mapping = {
      ...proposal.mapping,
      ...options.mapping,
      addsMembers: true,
      ticks: { ...ticks },
    }
    return taken.take(text, { name, event: 'club', ...options, mapping })
  }
  /** Who came by name and day, as the registers say. */
  async function marks() {
    const bookings = await taken.all('bookings')
    const attendance = await readAttendance(operatorStore(env.DB, taken.id), bookings, '2026-01-01')
    return bookings
      .map(
        ({ bookingId, userName, date }) =>
          `${userName} ${date.slice(8)} ${attendance.get(bookingId)}`,
      )
      .toSorted()
  }
  return { ...taken, takeSheet, marks }
}

const sheet = `Lunch club, autumn,,,,
Name,Age,4 Oct,11 Oct,18 Oct,Total
Ann Day,71,✓,,P,2
Bo Fenn,68,ill,1,,1
Total,,1,1,1,3
`

test('a sheet of ticks marks the registers of its series, once', async () => {
  const { takeSheet, marks, all } = await withSeries()
  const { proposal, outcome } = await takeSheet(sheet, { ticks: { empty: 'not booked' } })
  expect(proposal.mapping).toMatchObject({
    collection: 'bookings',
    marksAttendance: true,
    id: { columns: ['Name'], isMade: true },
  })
  expect(outcome).toMatchObject({ created: 4, rejected: 0, addedMembers: 2 })
  expect(outcome.warnings.map(({ message }) => message)).toEqual(
    expect.arrayContaining(['holds totals and is skipped.']),
  )
  expect(outcome.warnings.flatMap(({ examples }) => examples.map(({ line }) => line))).toEqual([
    2, 5,
  ])
  const expected = [
    'Ann Day 04 came',
    'Ann Day 18 came',
    'Bo Fenn 04 did not come',
    'Bo Fenn 11 came',
  ]
  expect(await marks()).toEqual(expected)
  const countsOfEvents = async () => (await all('events')).map(({ attendees }) => attendees)
  expect(await countsOfEvents()).toEqual([undefined, 1, 1, 1])
  const again = await takeSheet(sheet, { ticks: { empty: 'not booked' } })
  expect(again.counts).toEqual([4, 0, 0, 4, 0])
  expect(await all('members')).toHaveLength(2)
  const [, fenn] = (await all('members')).map(({ memberId }) => memberId)
  const ofFenn = (await all('bookings')).filter(({ userName }) => userName === 'Bo Fenn')
  expect(ofFenn.map(({ memberId }) => memberId)).toEqual([fenn, fenn])
  const changed = await takeSheet(sheet.replace('ill', 'yes'), { ticks: { empty: 'absent' } })
  expect(changed.counts).toEqual([6, 2, 1, 3, 0])
  expect(await marks()).toEqual([
    ...['Ann Day 04 came', 'Ann Day 11 did not come', 'Ann Day 18 came'],
    ...['Bo Fenn 04 came', 'Bo Fenn 11 came', 'Bo Fenn 18 did not come'],
  ])
  expect(await countsOfEvents()).toEqual([undefined, 2, 1, 1])
})

test('a sheet marks the bookings of people who are booked already, changes nothing else of them, and is undone', async () => {
  const { takeSheet, put, all } = await withSeries()
  await put('members', [
    { id: 'm1', document: { memberId: 'm1', 'Full Name': 'Ann Day', Email: 'ann@b.org' } },
  ])
  const booked = {
    eventId: 'club',
    childEventId: 'club-04',
    userStatus: 'confirmed',
    attending: true,
  }
  await put('bookings', [
    { id: 'b1', document: { bookingId: 'b1', ...booked, memberId: 'm1', userName: 'A. Day' } },
    {
      id: 'b2',
      document: {
        bookingId: 'b2',
        ...booked,
        memberId: '',
        userName: 'Bo Fenn',
        userEmail: 'bo@b.org',
      },
    },
  ])
  const before = await all('bookings')
  const text = 'Name,E-mail,04/10/2025\nAnn Day,ann@b.org,x\nBO  FENN,,\n'
  const { counts, undo } = await takeSheet(text, { ticks: { empty: 'absent' } })
  expect(counts).toEqual([2, 0, 2, 0, 0])
  expect(await all('bookings')).toMatchObject([
    {
      bookingId: 'b1',
      userName: 'A. Day',
      memberId: 'm1',
      orgStatus: 'attended',
      userStatus: 'confirmed',
    },
    {
      bookingId: 'b2',
      userName: 'Bo Fenn',
      userEmail: 'bo@b.org',
      orgStatus: 'absent',
      attending: false,
    },
  ])
  const attendees = async () =>
    (await all('events')).find(({ eventId }) => eventId === 'club-04').attendees
  expect(await attendees()).toBe(1)
  expect((await undo()).records).toEqual([])
  expect(await all('bookings')).toMatchObject(
    before.map((booking) => ({ ...booking, orgStatus: '' })),
  )
  expect(await attendees()).toBeNull()
})

test('days without an event are left out with a warning, or become dates of the series', async () => {
  const { takeSheet, all } = await withSeries()
  const text = 'Name,Sat 18 Oct 2025,Sat 1 Nov 2025\nAnn Day,1,1\n'
  const left = await takeSheet(text, { writes: false })
  expect(left.counts).toEqual([1, 1, 0, 0, 0])
  expect(left.outcome.warnings).toMatchObject([
    { column: 'Sat 1 Nov 2025', message: 'has no event on this day and is left out.' },
  ])
  const added = await takeSheet(text, { ticks: { createsDates: true } })
  expect(added.counts).toEqual([2, 2, 0, 0, 0])
  const date = (await all('events')).at(-1)
  // 6.30pm in winter.
  expect(date).toMatchObject({
    ...{ name: 'Lunch club', parentEventId: 'club', tags: ['Food'] },
    ...{ start: '2025-11-01T18:30:00.000Z', end: '2025-11-01T20:00:00.000Z' },
    recurrence: { recurring: false },
  })
  expect((await all('bookings')).at(-1)).toMatchObject({
    ...{ eventId: 'club', childEventId: date.eventId, date: '2025-11-01' },
  })
  expect((await takeSheet(text, { ticks: { createsDates: true } })).counts).toEqual([2, 0, 0, 2, 0])
})

test('a mark that nobody knows is a question, and its row comes back as in the file', async () => {
  const { takeSheet } = await withSeries()
  const text = 'Name,4 Oct,11 Oct,18 Oct\nAnn Day,✓,maybe not,??\nBo Fenn,✓,✓,✓\nCy Orr,✓,✓,✓\n'
  const { outcome, rest, counts, proposal } = await takeSheet(text)
  expect(outcome.unlisted).toMatchObject([
    {
      field: 'attending',
      values: [
        { text: 'maybe not', rows: 1 },
        { text: '??', rows: 1 },
      ],
    },
  ])
  expect(counts).toEqual([9, 7, 0, 0, 2])
  const [, row, end] = rest.split('\r\n')
  expect(row).toMatch(/^"Ann Day","✓","maybe not","\?\?","2","Came must be yes or no\."/)
  expect(end).toBe('')
  const columns = proposal.mapping.columns.map((column) =>
    column.field === 'attending'
      ? { ...column, values: { 'maybe not': 'false', '??': null } }
      : column,
  )
  const answered = await takeSheet(rest, { mapping: { ...proposal.mapping, columns } })
  expect(answered.counts).toEqual([2, 1, 0, 1, 0])
})

test('a person with the name of only one member is that member, if somebody says so, also without having come', async () => {
  const { takeSheet, put, all } = await withSeries()
  await put(
    'members',
    ['Ann Day', 'Bo Fenn', 'Bo Fenn'].map((name, index) => ({
      id: `m${index}`,
      document: { memberId: `m${index}`, 'Full Name': name },
    })),
  )
  const text = 'Name,4 Oct,11 Oct\nAnn Day,A,A\nBo Fenn,✓,A\nCy Orr,A,A\n'
  const { outcome } = await takeSheet(text, { ticks: { matchesNames: true } })
  expect(outcome).toMatchObject({ addedMembers: 0, unclearMembers: [{ line: 3 }] })
  const linked = (await all('bookings')).map(({ memberId }) => memberId)
  expect(linked).toEqual(['m0', 'm0', '', '', '', ''])
})

test('a person with the name of a member is one question, and one answer is for all days', async () => {
  const { takeSheet, put, all } = await withSeries()
  await put('members', [{ id: 'm1', document: { memberId: 'm1', 'Full Name': 'Ann Day' } }])
  const text = 'Name,4 Oct,11 Oct,18 Oct\nAnn Day,✓,A,✓\n'
  const { outcome } = await takeSheet(text, { writes: false })
  expect(outcome.unclearMembers).toEqual([
    { line: 2, name: 'Ann Day', members: [{ id: 'm1', name: 'Ann Day' }] },
  ])
  expect(
    (await takeSheet(text, { writes: false, ticks: { matchesNames: true } })).outcome
      .unclearMembers,
  ).toEqual([])
  await takeSheet(text, { answers: { members: new Map([[2, 'm1']]) } })
  expect((await all('bookings')).map(({ memberId }) => memberId)).toEqual(['m1', 'm1', 'm1'])
})

test('a member is found by another spelling of the name', async () => {
  const { takeSheet, put } = await withSeries()
  const names = [
    'Zoë Müller',
    'ANN McDONALD',
    'Ama  Holloway-Osei',
    'Cher',
    'Orla O’Neill',
    'Cy Orr',
  ]
  await put(
    'members',
    names.map((name, index) => ({
      id: `m${index}`,
      document: { memberId: `m${index}`, 'Full Name': name },
    })),
  )
  const sheet = ['Zoe Muller', 'Ann Mcdonald', 'ama Holloway-Osei', 'CHER', "Orla O'Neill", 'C Orr']
  const { outcome } = await takeSheet(`Name,4 Oct\n${sheet.map((name) => `${name},✓`).join('\n')}`)
  expect(outcome.unclearMembers.map(({ members: [member] }) => member?.name)).toEqual(
    names.slice(0, -1),
  )
  expect(outcome.addedMembers).toBe(1)
})

test('all days of a person are of the member, also if the rows are read in several parts', async () => {
  const { takeSheet, all } = await withSeries()
  const came = Array.from({ length: 170 }, (_, index) => `Person ${index},✓,✓,✓`)
  // Days 499, 500 and 501.
  came[166] = 'Ann Day,A,A,✓'
  await takeSheet(['Name,4 Oct,11 Oct,18 Oct', ...came].join('\n'))
  const bookings = await all('bookings')
  expect(bookings).toHaveLength(510)
  const ofAnn = bookings.filter(({ userName }) => userName === 'Ann Day')
  const [ann] = (await all('members')).filter((member) => member['Full Name'] === 'Ann Day')
  expect(ofAnn.map(({ memberId }) => memberId)).toEqual(Array(3).fill(ann.memberId))
})

test('first name and surname are the name of a booking and of its new member', async () => {
  const { takeSheet, all } = await withSeries()
  await takeSheet('First Name,Surname,Phone,4 Oct\nAnn,Day,07700900123,✓\n')
  expect(await all('bookings')).toMatchObject([{ userName: 'Ann Day', orgStatus: 'attended' }])
  expect(await all('members')).toMatchObject([{ 'Full Name': 'Ann Day' }])
})

test('the next sheet is read in the same way, for another series', async () => {
  const { takeSheet } = await withSeries()
  const { proposal } = await takeSheet(sheet, { writes: false })
  const mapping = {
    ...proposal.mapping,
    same: { eventId: 'club' },
    ticks: { empty: 'absent', year: 2025 } as const,
  }
  expect(JSON.parse(serialiseMapping(mapping))).toMatchObject({
    same: {},
    ticks: { empty: 'absent' },
  })
  expect(JSON.parse(serialiseMapping(mapping)).ticks.year).toBeUndefined()
})

test('a sheet beside many bookings, events and members reads as few rows as alone', async () => {
  const { takeSheet, put } = await withSeries()
  const ticks = { empty: 'absent' } as const
  await takeSheet(sheet, { ticks })
  const unbooked = sheet.replace('Total,,', 'Cy Orr,64,✓,,✓,2\nTotal,,')
  const { rowsRead: alone } = await takeSheet(unbooked, { ticks, writes: false })
  for (let from = 0; from < large; from += 2500) {
    const ids = Array.from({ length: 2500 }, (_, index) => String(from + index))
    const event = (eventId: string) => ({
      eventId,
      parentEventId: 'other',
      start: '2025-10-04T10:00:00.000Z',
    })
    await put(
      'events',
      ids.map((id) => ({ id, document: event(id) })),
    )
    const booking = { eventId: 'other', childEventId: '7', userName: 'Ann Day', attending: true }
    await put(
      'bookings',
      ids.map((id) => ({ id, document: { bookingId: id, ...booking } })),
    )
    await put(
      'members',
      ids.map((id) => ({ id, document: { memberId: id, 'Full Name': `Cy Orr${id}` } })),
    )
  }
  const { counts, rowsRead } = await takeSheet(unbooked, { ticks, writes: false })
  expect(counts).toEqual([9, 3, 0, 6, 0])
  expect(rowsRead).toBeLessThanOrEqual(alone + 20)
}, 120_000)

const read = (headings: readonly string[], today = '2026-06-01', known: readonly string[] = []) => {
  const days = headings.map((heading) => parseHeadingDay(heading))
  const readings = listDayReadings(
    days.flatMap((day) => day ?? []),
    {},
    today,
  )
  const chosen = chooseDayReading(readings, new Set(known))
  return chosen && [chosen.reading.days.join(' '), chosen.isUnclear]
}

test.each([
  [['2026-10-04', '2026-10-11 18:00:00'], '2026-10-04 2026-10-11', false],
  [['4 Oct', 'Oct 11th', '18 October'], '2025-10-04 2025-10-11 2025-10-18', false],
  [['6 Dec', '3 Jan'], '2025-12-06 2026-01-03', false],
  [['3 Jan', '6 Dec', '29 Nov'], '2026-01-03 2025-12-06 2025-11-29', false],
  [['04/10', '18/10'], '2025-10-04 2025-10-18', false],
  [['10/04/26', '10/18/26'], '2026-10-04 2026-10-18', false],
  [['03/04/2026', '10/04/2026'], '2026-04-03 2026-04-10', true],
  [['Fri 03/04/2026', 'Fri 10/04/2026'], '2026-04-03 2026-04-10', false],
  // A Saturday in 2025 and in 2014, but not in between.
  [['Sat 4 Oct'], '2025-10-04', false],
  [['Sat. 29 Feb'], '2020-02-29', false],
])('the headings %j are the days %s', (headings, days, isUnclear) => {
  expect(read(headings)).toEqual([days, isUnclear])
})

test('dates of the series decide the year and the order of day and month', () => {
  expect(read(['4 Oct', '11 Oct'], '2026-06-01', ['2023-10-04'])).toEqual([
    '2023-10-04 2023-10-11',
    false,
  ])
  expect(read(['03/04/2026'], '2026-06-01', ['2026-03-04'])).toEqual(['2026-03-04', false])
})

test.each([
  'Week 1',
  'Age',
  'May',
  'Oct 2026',
  'Oct-26',
  '31 Feb',
  '4.10',
  '12',
  'Mum',
  'Session 3',
])('the heading %s is no day', (heading) => expect(parseHeadingDay(heading)).toBeUndefined())

test.each([
  [['✓', 'x'], {}],
  [['x', 'ill'], { x: 'true', ill: 'false' }],
  [['A'], {}],
  [['P', 'A'], { p: 'true', a: 'false' }],
  [['yes', 'booked', '3'], { booked: null }],
])('the marks %j mean %j', (texts, values) => {
  expect(chooseMarkValues(texts)).toEqual(values)
})

test('a sheet of Excel with months above its days and no heading for names is recognised', async () => {
  const toRow = (cells: readonly string[], index: number) =>
    `<row r="${index + 1}">${cells.map((text, column) => `<c r="${'ABCD'[column]}${index + 1}" t="str"><v>${text}</v></c>`).join('')}</row>`
  const lines = [
    ['', 'October', '', 'November'],
    ['', '4', '11', '1'],
    ['Ann', 'x', '', 'x'],
    ['Bo', '', 'x', 'x'],
  ]
  // 4 and 11 October 2025 as Excel stores dates.
  const dates = `<row r="1"><c r="A1" t="str"><v>Name</v></c><c r="B1" s="1"><v>45934</v></c><c r="C1" s="1"><v>45941</v></c></row>${toRow(['Ann', 'x', 'x'], 1)}`
  const bytes = await workbook({ Club: lines.map(toRow).join(''), Dates: dates })
  const { ticks: ofDates } = await openTable(fileOf(bytes, 'club.xlsx'), 'Dates')
  expect(ofDates?.days.map(({ heading }) => heading)).toEqual(['2025-10-04', '2025-10-11'])
  const { headings, ticks } = await openTable(fileOf(bytes, 'club.xlsx'))
  expect(headings).toEqual(['Name', 'Date', 'Came'])
  expect(ticks?.days.map(({ heading }) => heading)).toEqual([
    '4 October',
    '11 October',
    '1 November',
  ])
})

test.each([
  ['amounts by date', 'Name,31/03/2025,31/03/2026\nAnn,100.50,20\n'],
  ['a rota', 'Name,4 Oct,11 Oct\nAnn,Kitchen,Door\n'],
  ['values below words', 'Name,Joined,Left\nAnn,04/10/2025,05/11/2025\n'],
])('a file with %s is no sheet of ticks', async (_, text) => {
  expect((await openTable(fileOf(text, 'people.csv', 100))).ticks).toBeUndefined()
})

test('two columns for one day are an error', async () => {
  await expect(openTable(fileOf('Name,4 Oct,4 Oct\nAnn,x,x\n', 'a.csv', 100))).rejects.toThrow(
    'has two columns for one date, "4 Oct" and "4 Oct (2)"',
  )
})
