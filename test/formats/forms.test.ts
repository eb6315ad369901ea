import { beforeAll, expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { muteLog } from '../logs/mute.ts'
import { newOrganisation } from '../organisation.ts'

let organisation: Awaited<ReturnType<typeof newOrganisation>>
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  organisation.get(path, { method, headers: { 'x-api-key': organisation.key, ...headers } })
const csv = async (path: string) => (await get(path, { Accept: 'text/csv' })).text()

// workerd warns about text with a binary media type.
const textOf = async (answer: Response) => new TextDecoder().decode(await answer.arrayBuffer())

beforeAll(async () => {
  organisation = await newOrganisation()
  await putEverything(organisation)
})

test.each(Object.keys(everything))('%s come as CSV, with a row for each', async (name) => {
  const answer = await get(`/${name}?$format=csv`)
  expect(answer.headers.get('Content-Disposition')).toMatch(
    new RegExp(`^attachment; filename="${organisation.id}-${name}-\\d{4}-\\d\\d-\\d\\d.csv"$`),
  )
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present')
  const [head, row, end, ...others] = (await answer.text()).split('\r\n')
  expect(head).toMatch(/^\w+Id,/)
  expect(row?.split(',')[0]).toBe(everything[name]?.id)
  expect([end, others]).toEqual(['', []])
})

test.each(Object.keys(everything))(
  '%s come as NDJSON, each as the list has it in JSON',
  async (name) => {
    const answer = await get(`/${name}`, { Accept: 'application/x-ndjson' })
    expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson')
    expect(answer.headers.get('Content-Disposition')).toMatch(/\.ndjson"$/)
    const [records = []] = Object.values(
      await organisation.json<Record<string, object[]>>(`/${name}`),
    )
    expect(await textOf(answer)).toBe(records.map((it) => `${JSON.stringify(it)}\n`).join(''))
  },
)

test("people's columns are the fields of their schema, also those without a value", async () => {
  const row = 'member-1,Ada Obi,,07700900123,sw1a 1aa,,0,false,b,a;b\r\n'
  const heads = {
    '': 'memberId,Full Name,Email,Phone,Postcode,details,demographics.age,consent,view,views\r\n',
    '&$labels=true': 'memberId,Name,Email,Phone,Postcode,Details,Age,Consent,View,Views\r\n',
  }
  for (const [query, head] of Object.entries(heads))
    expect(await csv(`/members?${query}`)).toBe(head + row)
  expect(await csv('/members?Phone=none')).toBe(heads[''])
  expect(await textOf(await get('/members?$format=ndjson&Phone=none'))).toBe('')
})

test("a booking's profile is a column for each field that is asked for", async () => {
  const columns = async (query: string) => (await csv(`/bookings?${query}`)).split('\r\n')[0]
  expect(await columns('')).toMatch(
    /,customPrice,profile.Full Name,profile.Email,profile.Phone,profile.Postcode$/,
  )
  expect(await columns('profileFields=views,Full%20Name&$labels=true')).toMatch(
    /,customPrice,profile.Name,profile.Views$/,
  )
  expect(await csv('/bookings?profileFields=views')).toMatch(/,1.5,a;b\r\n$/)
  await organisation.put('bookings', [
    { id: 'b', document: { ...everything.bookings?.document, bookingId: 'b', memberId: 'gone' } },
  ])
  expect(await csv('/bookings?memberId=gone')).toMatch(/,1.5,,,,\r\n$/)
})

test('objects are dotted columns, lists of objects JSON, and cells quoted as RFC 4180 says', async () => {
  const { put, get } = await newOrganisation()
  const event = {
    eventId: 'e',
    name: 'Tea, "cake"\r\nand\nchat',
    tags: ['a', 'b c'],
    outcomeIds: ['a;b', ' c'],
    recurrence: { type: 'weekly', recurring: true, rrule: null },
    attendees: -1,
    parentEventId: '',
  }
  await put('events', [{ id: 'e', document: event }])
  const text = await (await get('/events?$format=csv')).text()
  const [, row] = text.split(/\r\n(?=e,)/)
  expect(row).toBe(
    'e,"Tea, ""cake""\r\nand\nchat",,a;b c,,,,,weekly,true,' +
      `${','.repeat(18)}-1,"[""a;b"","" c""]",',,\r\n`,
  )
})

test('a text that might be a formula is quoted unless it is asked for raw', async () => {
  const { put, schema, get } = await newOrganisation()
  await schema('members', [{ id: '=a', name: 'a', label: '@b', type: 'text', order: 0 }])
  const texts = ['=1+1', '+44 7700', '-x', '@x', '\tx', '＝x', "'=x", "'", "O'Hara", "'s", '1-1']
  await put(
    'members',
    texts.map((text, index) => ({
      id: `${index}`,
      document: { memberId: `${index}`, '=a': text },
    })),
  )
  const cells = async (query: string) =>
    (await (await get(`/members?$format=csv${query}`)).text())
      .split('\r\n')
      .map((row) => row.slice(row.indexOf(',') + 1))
  const safe = texts.map((text, index) => (index < 8 ? `'${text}` : text))
  expect(await cells('')).toEqual(["'=a", ...safe, ''])
  expect(await cells('&$labels=true&$formulas=quoted')).toEqual(["'@b", ...safe, ''])
  expect(await cells('&$formulas=raw')).toEqual(['=a', ...texts, ''])
})

test('a byte order mark is given where it is asked for', async () => {
  const bytes = async (query: string) =>
    new Uint8Array(await (await get(`/events?$format=csv${query}`)).arrayBuffer()).slice(0, 3)
  expect([...(await bytes('&$bom=true'))]).toEqual([0xef, 0xbb, 0xbf])
  expect([...(await bytes('&$bom=FALSE'))]).toEqual([...new TextEncoder().encode('eve')])
})

test.each([
  ['text/csv', 'text/csv'],
  ['TEXT/CSV; charset=utf-8', 'text/csv'],
  ['application/json;q=0.4, text/csv;q=0.5', 'text/csv'],
  ['text/csv;q=0.5, */*', 'application/json'],
  ['text/csv;q=0', 'application/json'],
  ['text/csv, application/x-ndjson', 'text/csv'],
  ['text/html, application/x-ndjson;q=0.9, */*;q=0.1', 'application/x-ndjson'],
  ['text/csvx, xml', 'application/json'],
  ['application/xml', 'application/json'],
  ['*/*', 'application/json'],
])('who accepts %s gets %s, unless the query says otherwise', async (accept, type) => {
  const typeOf = async (query: string) =>
    (await get(`/events${query}`, { Accept: accept })).headers.get('Content-Type')?.split(';')[0]
  expect(await typeOf('')).toBe(type)
  expect(await typeOf('?$format=json')).toBe('application/json')
  expect(await typeOf('?$format=ndjson')).toBe('application/x-ndjson')
})

test('rejects an unknown form and names the known ones', async () => {
  for (const [query, message] of Object.entries({
    '$format=xml': '$format: must be one of: json, csv, ndjson.',
    '$format=csv&$format=csv': '$format: may appear only once.',
    '$labels=yes&$bom=1&$formulas=x':
      '$labels: must be true or false. $bom: must be true or false. $formulas: must be quoted or raw.',
    '$format=csv&limit=251': 'limit: must be a whole number from 1 to 250.',
  })) {
    const answer = await get(`/members?${query}`)
    expect([answer.status, await answer.json()]).toEqual([400, { type: 'BAD_REQUEST', message }])
  }
})

test('HEAD returns the headers of a list without a body', async () => {
  const headers = async (method: string) => {
    const answer = await get('/events?$format=csv', {}, method)
    const text = await answer.text()
    const names = ['content-type', 'content-disposition', 'cache-control']
    return [answer.status, names.map((name) => answer.headers.get(name)), text.length > 0]
  }
  const [status, values] = await headers('GET')
  expect(await headers('HEAD')).toEqual([status, values, false])
})

test('an export of bookings without a schema fails before the response starts', async () => {
  muteLog()
  const { put, get } = await newOrganisation()
  await put('bookings', [{ id: 'b', document: { bookingId: 'b' } }])
  expect((await get('/bookings?$format=csv')).status).toBe(500)
})
