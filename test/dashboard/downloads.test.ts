import { env } from 'cloudflare:workers'
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { expect, test } from 'vitest'
import { listAudit } from '../audit.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { readPackage } from '../formats/data-package/read-package.ts'
import { fileOf, read } from '../import/table/files.ts'
import { newSignedIn } from './signed-in.ts'

/** A person signed in to an organisation with three bookings of an event. */
async function withBookings(role?: 'reader') {
  const person = await newSignedIn(role)
  await putEverything(person)
  const { id: managedBy } = person
  const names = ['=cmd|calc!A0', 'Zoë "Quaye", <b>&', ' _x0041_\u0001\r']
  await person.put(
    'bookings',
    names.map((userName, index) => ({
      id: `b-${index}`,
      document: {
        ...everything.bookings?.document,
        bookingId: `b-${index}`,
        managedBy,
        userName,
        userStatus: 'not-attending',
        date: `2026-07-0${index + 1}`,
        start: '2026-07-01T11:30:00.000Z',
        customPrice: index === 2 ? null : 1250.5,
        duration: 90,
      },
    })),
  )
  return person
}

const columns = ['userName', 'eventId', 'date', 'start', 'userStatus', 'attending', 'customPrice']
const query = new URLSearchParams([
  ['date~from', '1 Jul 2026'],
  ['$orderby', 'date desc'],
  ...[...columns, 'duration'].map((column) => ['$columns', column] as [string, string]),
])
const headings = ['Name', 'Event', 'Date', 'Starts', 'Status', 'Booked or came', 'Price', 'Minutes']

test('a CSV file has the filtered view with labels and values in words, protected from formulas', async () => {
  const { visit } = await withBookings()
  const answer = await visit(`/records/csv/bookings?${query}`)
  expect(answer.headers.get('Content-Disposition')).toMatch(/^attachment; .*-bookings-.*\.csv"$/)
  expect(
    new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(await answer.arrayBuffer()),
  ).toBe(
    `\uFEFF${[
      headings.join(','),
      '" _x0041_\u0001\r",Lunch club,2026-07-03,2026-07-01 12:30,Not attending,Came,,90',
      '"Zoë ""Quaye"", <b>&",Lunch club,2026-07-02,2026-07-01 12:30,Not attending,Came,1250.5,90',
      "'=cmd|calc!A0,Lunch club,2026-07-01,2026-07-01 12:30,Not attending,Came,1250.5,90",
    ].join('\r\n')}\r\n`,
  )
})

test('an Excel file has the same rows, with dates and numbers as such', async () => {
  const { visit } = await withBookings()
  const answer = await visit(`/records/xlsx/bookings?${query}`)
  expect(answer.headers.get('Content-Type')).toContain('spreadsheetml.sheet')
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const times = ['2026-07-01 12:30:00', 'Not attending', 'Came']
  expect(await read(fileOf(bytes, 'bookings.xlsx', 1000))).toMatchObject({
    format: { kind: 'xlsx', sheet: 'Bookings' },
    headings,
    rows: [
      [2, ' _x005F_x0041__x0001__x000D_', 'Lunch club', '2026-07-03', ...times, '', '90'],
      [3, 'Zoë "Quaye", <b>&', 'Lunch club', '2026-07-02', ...times, '1250.5', '90'],
      [4, '=cmd|calc!A0', 'Lunch club', '2026-07-01', ...times, '1250.5', '90'],
    ],
  })
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
  const sheet = entries.find(({ filename }) => filename === 'xl/worksheets/sheet1.xml')
  const xml = sheet && 'getData' in sheet ? await sheet.getData?.(new TextWriter()) : ''
  // 3 July 2026 is day 46,206 since 1900; formats 1 and 3 are a date and pounds.
  expect(xml).toContain('<c r="C2" s="1"><v>46206</v></c><c r="D2" s="2"><v>46204.520833')
  expect(xml).toContain('<c r="G3" s="3"><v>1250.5</v></c><c r="H3" s="0"><v>90</v></c>')
  expect(xml).toContain(
    '<c r="A4" t="inlineStr" s="5"><is><t xml:space="preserve">=cmd|calc!A0</t>',
  )
})

test('the id of a booking is a column to choose, in the table and its file', async () => {
  const { visit, html } = await withBookings()
  expect(await html('/records/bookings?$panel=columns')).toContain('value="bookingId"')
  const file = await visit('/records/csv/bookings?date~from=3 Jul 2026&$columns=bookingId')
  expect((await file.text()).split('\r\n').slice(1)).toEqual(['b-2', ''])
})

test('a download of more than one page has every record once, and is in the audit log', async () => {
  const person = await newSignedIn('reader')
  await person.schema('members', [
    { id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 },
  ])
  await person.put(
    'members',
    Array.from({ length: 2300 }, (_, index) => ({
      id: `m-${index}`,
      document: { memberId: `m-${index}`, Name: `Ada ${index}` },
    })),
  )
  const bytes = await (await person.visit('/records/xlsx/members')).arrayBuffer()
  const { rows } = await read(fileOf(new Uint8Array(bytes), 'members.xlsx', 10_000))
  expect(new Set(rows.map(([, name]) => name)).size).toBe(2300)
  const [entry] = await listAudit(env.DB, person.id)
  expect(entry).toMatchObject({
    action: 'downloaded members',
    target: 'Excel',
    actor: person.email,
  })
})

test('a download with a wrong filter is refused rather than complete', async () => {
  const { visit } = await withBookings()
  const answer = await visit('/records/csv/bookings?event.tag=Food')
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('event.tag: This list has no such field.'),
  ])
  for (const name of ['members%2Fm-1', 'schemas%2Fother', 'events%3Flimit=1%26'])
    expect([name, (await visit(`/records/csv/${name}`)).status]).toEqual([name, 404])
})

test('administrators, and nobody else, download everything as a package', async () => {
  const { id, email, html, visit, ...person } = await newSignedIn()
  await putEverything(person)
  expect(await html('/connect')).toContain('/connect/package')
  const answer = await visit('/connect/package')
  expect(answer.headers.get('Content-Disposition')).toMatch(/-data-package-.*\.zip"$/)
  const { tables } = await readPackage(new Uint8Array(await answer.arrayBuffer()))
  expect(tables.members).toHaveLength(1)
  const [entry] = await listAudit(env.DB, id)
  expect(entry).toMatchObject({ action: 'exported records', target: 'all', actor: email })

  const editor = await newSignedIn('editor')
  expect(await editor.html('/connect')).not.toContain('/connect/package')
  expect((await editor.visit('/connect/package')).status).toBe(403)
})
