import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { beforeAll, expect, test } from 'vitest'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

const fields = (types: Record<string, string>) =>
  Object.entries(types).map(([id, type], order) => ({ id, name: id, label: id, type, order }))

const memberFields = fields({
  'Postcode.ward': 'text',
  Born: 'date',
  Gender: 'text',
  Ethnicity: 'text',
  Joined: 'date',
})

const members = Array.from({ length: 12 }, (_, n) => ({
  memberId: `m-${n}`,
  'Postcode.ward': n % 3 === 0 ? 'Armley' : 'Holbeck',
  Born: `${1950 + 5 * n}-06-01`,
  Gender: n % 4 < 2 ? 'Woman' : 'Man',
  Ethnicity: n % 3 === 0 ? 'Asian' : 'White',
  Joined: n < 5 ? '2025-02-03' : '2024-11-09',
}))

/** Attendances of ten of the members, in 2024 and in 2025, and a booking of somebody who did not come. */
const bookings = Array.from({ length: 60 }, (_, n) => ({
  bookingId: `b-${n}`,
  memberId: `m-${n % 10}`,
  date: `${2024 + (n % 2)}-0${1 + (n % 9)}-14`,
  orgStatus: n === 7 ? 'absent' : 'attended',
  attending: true,
}))

const year = { from: '2025-01-01', to: '2025-12-31' }

let organisation: Awaited<ReturnType<typeof newOrganisation>>
let person: Awaited<ReturnType<typeof newSignedIn>>

beforeAll(async () => {
  organisation = await newOrganisation()
  await organisation.schema('members', memberFields)
  await organisation.schema('volunteers', fields({ 'Given hours': 'number' }))
  const put = (collection: string, id: string, documents: readonly object[]) =>
    organisation.put(
      collection,
      documents.map((document) => ({ id: String(Object(document)[id]), document })),
    )
  await put('members', 'memberId', members)
  await put('bookings', 'bookingId', bookings)
  await put('volunteers', 'volunteerId', [
    { volunteerId: 'v-1', 'Given hours': 7 },
    { volunteerId: 'v-2', 'Given hours': 35 },
  ])
  person = await newSignedIn('reader', organisation)
})

const textOf = (html: string) =>
  unescaped(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The rows of each table of the page, by its caption: the label and the number of each. */
async function readTables(query: string) {
  const html = await person.html(`/reports/annual-return${query}`)
  const tables = [...html.matchAll(/<table>.*?<caption[^>]*>(.*?)<\/caption>(.*?)<\/table>/gs)]
  return new Map(
    tables.map(([, caption = '', body = '']) => [
      caption,
      new Map(
        [...body.matchAll(/<th scope="row">(.*?)<\/th>\s*<td[^>]*>(.*?)<\/td>/gs)].map(
          ([, label = '', number = '']) => [textOf(label), textOf(number)],
        ),
      ),
    ]),
  )
}

test.each([
  ['Different people by ward', 'member.Postcode.ward', 'people'],
  ['Different people by member gender', 'member.Gender', 'people'],
  ['Different people by member ethnicity', 'member.Ethnicity', 'people'],
  ['Different people by month', 'month(date)', 'people'],
  ['Attendances by month', 'month(date)', 'count'],
])('%s are those of $summary', async (caption, $by, measure) => {
  const { groups, total } = await organisation.json<{
    groups: Record<string, number>[]
    total: Record<string, number>
  }>(
    `/bookings/$summary?${new URLSearchParams({
      $by,
      $measures: measure,
      $filter: `came eq true and date ge ${year.from} and date le ${year.to}`,
    })}`,
  )
  const table = (await readTables(`?from=${year.from}`)).get(caption)
  expect(groups.length).toBeGreaterThan(1)
  expect(table?.get('Total')).toBe(String(total[measure]))
  const shown = [...(table ?? [])].flatMap(([label, number]) => (label === 'Total' ? [] : number))
  expect(shown.filter((number) => number !== '0').toSorted()).toEqual(
    groups.map((group) => String(group[measure])).toSorted(),
  )
})

test('new people, volunteers and their hours are counted', async () => {
  const tables = await readTables(`?from=${year.from}`)
  const totalOf = (name: string) =>
    [...tables].find(([caption]) => caption.startsWith(name))?.[1].get('Total')
  expect(totalOf('Members by month joined')).toBe('5')
  expect(totalOf('Volunteers by')).toBe('2')
  expect(totalOf('Sum of given hours by')).toBe('42')
})

test('each answer says what it counted', async () => {
  const html = await person.html(`/reports/annual-return?from=${year.from}`)
  const textsOf = (name: string) =>
    [...html.matchAll(new RegExp(`<p class="${name}">(.*?)</p>`, 'gs'))].map(([, text = '']) =>
      textOf(text),
    )
  expect(textsOf('headline')[0]).toBe('29 attendances of 5 different people')
  expect(textsOf('definition')[0]).toBe(
    'Attendances are bookings of people who came from 1 Jan 2025 to 31 Dec 2025. Each person is counted once.',
  )
  expect(textsOf('definition')).toHaveLength(10)
})

test('the questions about attendances read the bookings of the year once', async () => {
  const other = await newOrganisation()
  await other.schema('members', memberFields)
  const [people, attended] = [300, 2000]
  await other.put(
    'members',
    Array.from({ length: people }, (_, n) => ({
      id: `m-${n}`,
      document: { ...members[n % members.length], memberId: `m-${n}` },
    })),
  )
  await other.put(
    'bookings',
    Array.from({ length: attended }, (_, n) => ({
      id: `b-${n}`,
      document: {
        ...bookings[0],
        bookingId: `b-${n}`,
        memberId: `m-${n % people}`,
        date: '2025-03-14',
      },
    })),
  )
  const reader = await newSignedIn('reader', other)
  const page = await reader.visit(`/reports/annual-return?from=${year.from}`)
  expect(await page.text()).toContain(`<strong>2,000</strong> attendances`)
  // Each member once as such and once as that of bookings, and a few rows for each question.
  expect(rowsRead(page)).toBeLessThanOrEqual(attended + 2 * people + 800)
})

test('the year is the last finished one from April, or begins on a chosen day', async () => {
  const read = async (query: string) => textOf(await person.html(`/reports/annual-return${query}`))
  const [thisYear = 0, month = 0] = new Date()
    .toLocaleDateString('en-CA', { timeZone: 'Europe/London' })
    .split('-')
    .map(Number)
  const first = month < 4 ? thisYear - 2 : thisYear - 1
  expect(await read('')).toContain(`1 Apr ${first} to 31 Mar ${first + 1}`)
  expect(await read('?from=2024-02-29')).toContain('29 Feb 2024 to 28 Feb 2025')
  for (const from of ['sometime', '9999-01-01', '2025-02-30'])
    expect(await read(`?from=${from}`)).toContain(`“${from}” is not a date`)
})

test('the workbook has a sheet for each question, with every number of the page', async () => {
  const response = await person.visit(`/reports/annual-return/xlsx?from=${year.from}`)
  expect(response.status).toBe(200)
  const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(await response.arrayBuffer())))
  const entries = await reader.getEntries()
  const read = async (name: string) => {
    const entry = entries.find(({ filename }) => filename === `xl/${name}.xml`)
    return entry && 'getData' in entry ? String(await entry.getData?.(new TextWriter())) : ''
  }
  const html = await person.html(`/reports/annual-return?from=${year.from}`)
  const questions = [...html.matchAll(/<h2>(.*?)<\/h2>/gs)].map(([, title = '']) => textOf(title))
  const names = [...(await read('workbook')).matchAll(/<sheet name="([^"]*)"/g)]
  expect(names.map(([, name]) => name)).toEqual(
    questions.map((title) => title.replace('?', ' ').slice(0, 31).trim()),
  )
  const rows: string[][] = []
  for (const [index, question] of questions.entries()) {
    const ofSheet = [
      ...(await read(`worksheets/sheet${index + 1}`)).matchAll(/<row[^>]*>(.*?)<\/row>/gs),
    ].map(([, row = '']) =>
      [...row.matchAll(/<c [^>]*>(.*?)<\/c>/gs)].map(([, cell = '']) => textOf(cell)),
    )
    expect(ofSheet[0]).toEqual([question])
    rows.push(...ofSheet)
  }
  const tables = await readTables(`?from=${year.from}`)
  const lines = rows.map((cells) => cells.join(': '))
  for (const [caption, table] of tables) {
    const start = lines.indexOf(caption)
    const expected = [...table].map(([label, number]) =>
      number === '–' ? label : `${label}: ${number}`,
    )
    expect(lines.slice(start + 3, start + 3 + expected.length)).toEqual(expected)
  }
  expect((await person.visit('/reports/annual-return/xlsx?from=x')).status).toBe(400)
})

test('a saved report can be added to the return, and removed', async () => {
  const editor = await newSignedIn('editor', organisation)
  const query = '$count=attendances&$by=member.Gender&$split=date~quarter'
  await editor.post('/views', [
    ['page', 'reports/view'],
    ['name', 'Gender by quarter'],
    ['query', query],
  ])
  const [, id = ''] = /\$view=([\w-]+)">Gender by quarter/.exec(await editor.html('/reports')) ?? []
  const press = async (label: string) => {
    const html = await editor.html(`/reports/view?${query}&$view=${id}`)
    expect(html).toContain(label)
    const added = label.startsWith('Add') ? '&$annual=true' : ''
    await editor.post(`/views/${id}/query`, [['query', query + added]])
  }
  const captions = async () => [...(await readTables(`?from=${year.from}`)).keys()]
  expect(await captions()).not.toContain('Attendances by member gender')
  await press('Add to the annual return')
  expect(await captions()).toContain('Attendances by member gender')
  expect(await person.html(`/reports/annual-return?from=${year.from}`)).toContain(
    '<h2>Gender by quarter</h2>',
  )
  await editor.post(`/views/${id}/query`, [['query', query]])
  expect(await captions()).not.toContain('Attendances by member gender')
})

test('questions that the fields do not allow are left out, and stewards do not see the page', async () => {
  const other = await newSignedIn('reader')
  const html = await other.html('/reports/annual-return')
  expect(html).toContain('How many people came, and how often?')
  expect(html).not.toContain('Which gender are they?')
  const steward = await newSignedIn('steward')
  expect((await steward.visit('/reports/annual-return')).status).toBe(403)
})
