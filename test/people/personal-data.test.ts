import { env } from 'cloudflare:workers'
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { drizzle } from 'drizzle-orm/d1'
import { parse } from 'papaparse'
import { expect, test, vi } from 'vitest'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import { kinds } from '../../src/model/properties/schema.ts'
import { readUsage } from '../../src/store/settings/usage.ts'
import { signUps } from '../../src/store/sign-up-tables.ts'
import { newPerson } from '../auth/identity.ts'
import { failingDatabase, requestWith } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { request, rowsRead } from '../organisation.ts'
import { newWriter, type Writer } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'
import { createPersonWithData, fields, formsOf, people, withGrants } from './person-with-data.ts'

const everything = async (writer: Writer, path: string, key = writer.readingKey) => {
  const answer = await writer.get(`${path}/$everything`, { headers: { 'x-api-key': key } })
  const text = await answer.text()
  return { answer, text, body: JSON.parse(text) }
}

/** The texts of the files in a zip, by their names. */
async function unzipped(answer: Response): Promise<Record<string, string>> {
  const reader = new ZipReader(new Uint8ArrayReader(new Uint8Array(await answer.arrayBuffer())))
  const files: [string, string][] = []
  for (const entry of await reader.getEntries())
    if (!entry.directory) files.push([entry.filename, await entry.getData(new TextWriter())])
  return Object.fromEntries(files)
}

const zipped = async (writer: Writer, path: string) =>
  unzipped(await writer.get(`${path}/$everything?$format=zip`))

const rowsOf = (csv = '') =>
  parse<Record<string, string>>(csv.replace('\uFEFF', '').trim(), { header: true }).data

test.each(people)(
  'an export of one of the %s has everything of theirs and nothing of others',
  async (kind) => {
    const writer = await newWriter(fields)
    const { singular, id: idName } = kinds[kind]
    const [other, another] = [
      await createPersonWithData(writer, kind),
      await createPersonWithData(writer, 'members'),
    ]
    const linked = kind === 'members' ? [other.id, another.id] : [other.id]
    const others = { members: [another.id], [kind]: linked }
    const person = await createPersonWithData(writer, kind, others)
    const { text, body } = await everything(writer, person.path)
    const files = await zipped(writer, person.path)
    const allText = Object.values(files).join('\n')

    for (const value of person.kept.flat()) {
      const expected = String(value)
      expect(text).toContain(expected)
      expect(allText).toContain(expected)
    }
    const theirs = [other, another].flatMap(({ texts, id }) => [id, ...texts.flatMap(formsOf)])
    for (const value of theirs) {
      expect(text).not.toContain(value)
      expect(allText).not.toContain(value)
    }

    const single = await writer.json<object>(person.path)
    expect(body).toMatchObject({ ...single, otherValues: {}, withheld: [] })
    expect(body.bookings?.map((it: { bookingId: string }) => it.bookingId)).toEqual(
      kind === 'members' ? [`b1-${person.id}`, `b2-${person.id}`] : [],
    )
    expect(body.surveyResponses.map((it: { responseId: string }) => it.responseId)).toEqual([
      `r-${person.id}`,
    ])
    expect(body.caseNotes).toMatchObject([
      { noteId: `n-${person.id}`, isPrivate: true },
      {
        noteId: `both-${person.id}`,
        content: 'Met the two of them.',
        linkedEntities: {
          memberIds: [],
          volunteerIds: [],
          partnerIds: [],
          [`${singular}Ids`]: [person.id],
        },
      },
    ])
    expect(body.shared).toEqual([{ collection: 'case-notes', id: `both-${person.id}` }])

    expect(Object.keys(files)).toEqual([
      `${singular}.csv`,
      'previous-versions.csv',
      ...(kind === 'members' ? ['bookings.csv'] : []),
      'survey-responses.csv',
      'case-notes.csv',
      ...(kind === 'members' ? ['sign-ups.csv'] : []),
      'contents.html',
    ])
    expect(rowsOf(files[`${singular}.csv`])).toMatchObject([
      { [idName]: person.id, Born: person.values.Born },
    ])
    expect(rowsOf(files['survey-responses.csv'])).toMatchObject([
      { responseId: `r-${person.id}`, response: `Answer ${person.word}` },
      { responseId: `r-${person.id}`, response: `Words ${person.word}` },
    ])
    expect(rowsOf(files['case-notes.csv'])).toHaveLength(2)
    expect(files['contents.html']).toContain(`case notes: both-${person.id}`)
    expect(files['contents.html']).not.toContain('Hidden data')
  },
)

test('an export has grants, payments and bookings found by id, e-mail address or number', async () => {
  const writer = await newWriter(fields)
  await withGrants(writer)
  const neighbour = await newWriter(fields)
  await withGrants(neighbour)
  const { body, text } = await everything(writer, '/members/m')
  const idsOf = (records: Record<string, unknown>[], id: string) =>
    records.map((record) => record[id]).toSorted()
  expect({
    events: idsOf(body.events, 'eventId'),
    bookings: idsOf(body.bookings, 'bookingId'),
    funds: idsOf(body.funds, 'fundId'),
    applications: idsOf(body.applications, 'applicationId'),
    disbursements: idsOf(body.disbursements, 'disbursementId'),
  }).toEqual({
    events: ['e'],
    bookings: ['theirs', 'unlinked-child'],
    funds: ['fund'],
    applications: ['by-email', 'by-id', 'by-phone', 'organisation'],
    disbursements: ['payment'],
  })
  expect(body.shared).toEqual([
    { collection: 'bookings', id: 'unlinked-child' },
    { collection: 'grant-applications', id: 'organisation' },
  ])
  expect(text).not.toContain('Bert Bloom')
  const files = await zipped(writer, '/members/m')
  expect(rowsOf(files['grant-applications.csv'])).toHaveLength(4)
  expect(files['disbursements.csv']).toContain('Paid to Rosa Quill')

  // A caller who cannot see the number does not learn from it who applied.
  const { key } = await createKey(env, writer.id, 'x', 'a test', undefined, ['read'], {
    hideFields: ['phone'],
  })
  const redacted = await everything(writer, '/members/m', key)
  expect(idsOf(redacted.body.applications, 'applicationId')).toEqual([
    'by-email',
    'by-id',
    'organisation',
  ])
  expect(redacted.text).not.toContain('900461')
})

test('an export has the ids of a person in a booking, without those of the booker or a funder', async () => {
  const writer = await newWriter(fields)
  await writer.send('PUT', '/members/m', { 'Full Name': 'Ada' })
  await writer.send('PUT', '/events/e', {})
  const booking = { eventId: 'e', memberId: 'm', user: 'account-1', funderMemberId: 'funder-2' }
  await writer.send('PUT', '/bookings/own', { ...booking, booker: 'account-1' })
  await writer.send('PUT', '/bookings/of-another', { ...booking, booker: 'account-2' })
  const { body, text } = await everything(writer, '/members/m')
  expect(body.bookings).toMatchObject([
    { user: 'account-1', booker: 'account-1', funderMemberId: null },
    { user: 'account-1', booker: '', funderMemberId: null },
  ])
  expect(body.shared).toEqual([])
  expect(text).not.toMatch(/account-2|funder-2/)
  expect((await zipped(writer, '/members/m'))['bookings.csv']).not.toMatch(/account-2|funder-2/)
})

test.each(people)(
  'an export of one of the %s has the sign-ups that they made for others, without answers',
  async (kind) => {
    const writer = await newWriter(fields)
    const id = 'same'
    const email = 'Ana.Quill@mail.test'
    for (const each of people)
      await writer.send('PUT', `/${each}/${id}`, each === kind ? { 'E-mail': email } : {})
    await writer.send('PUT', '/members/child', {})
    await writer.send('PUT', '/events/e', {})
    const owners = { 'for-child': 'child', 'for-namesake': kind === 'members' ? '' : id }
    const contact = { name: 'Ana Quill', email: email.toLowerCase() }
    for (const [bookingId, memberId] of Object.entries(owners)) {
      await writer.send('PUT', `/bookings/${bookingId}`, { eventId: 'e', memberId, userName: 'Bo' })
      await drizzle(env.DB)
        .insert(signUps)
        .values({
          organisationId: writer.id,
          bookingId,
          eventId: 'e',
          personHash: bookingId,
          contact: JSON.stringify(contact),
          answers: JSON.stringify({ School: 'Hill School' }),
          questionAnswers: '{}',
          deleteAfter: '2999-01-01',
        })
    }
    const { body, text } = await everything(writer, `/${kind}/${id}`)
    expect(body.signUps).toEqual(
      Object.keys(owners).map((bookingId) => ({
        bookingId,
        contact,
        answers: {},
        questionAnswers: {},
      })),
    )
    expect(text).not.toContain('Hill School')
    const files = await zipped(writer, `/${kind}/${id}`)
    expect(rowsOf(files['sign-ups.csv'])).toHaveLength(2)
    expect(files['sign-ups.csv']).toContain(contact.email)
    const restrictions = { hideFields: ['free text'] }
    const { key } = await createKey(
      env,
      writer.id,
      'x',
      'a test',
      undefined,
      ['read'],
      restrictions,
    )
    const restricted = await everything(writer, `/${kind}/${id}`, key)
    expect(restricted.body.signUps).toEqual([])
    expect(restricted.body.withheld.join(' ')).toContain('What there may be of sign-ups')
  },
)

test('an export has the previous versions of the record', async () => {
  const writer = await newWriter()
  await writer.send('PUT', '/members/m', { 'Full Name': 'Ada', Phone: '0113 496 0000' })
  await writer.send('PATCH', '/members/m', { Phone: '0113 496 0001' })
  const { previousVersions } = await writer.json<{ previousVersions: { record: object }[] }>(
    '/members/m/$everything',
  )
  expect(previousVersions).toMatchObject([{ record: { memberId: 'm' } }])
  expect(JSON.stringify(previousVersions)).toContain('0113 496 0000')
  const files = await zipped(writer, '/members/m')
  expect(files['previous-versions.csv']).toContain('0113 496 0000')
})

test('an export has the previous versions of a person who was merged into the record', async () => {
  const writer = await newWriter()
  for (const [id, phone] of [
    ['a', '0113 496 0001'],
    ['b', '0113 496 0002'],
    ['c', '0113 496 0003'],
  ])
    await writer.send('PUT', `/members/${id}`, { 'Full Name': 'Ada', Phone: phone })
  await writer.send('POST', '/members/b/$merge', { from: 'c' })
  await writer.send('POST', '/members/a/$merge', { from: 'b' })
  const { body, text } = await everything(writer, '/members/a')
  const versions: { record: { memberId: string } }[] = body.previousVersions
  expect(versions.map(({ record }) => record.memberId).toSorted()).toEqual(['b', 'c'])
  expect(text).toContain('0113 496 0002')
  expect((await zipped(writer, '/members/a'))['previous-versions.csv']).toContain('0113 496 0003')
})

test('an export of a deleted person has their last version, as long as it exists', async () => {
  const writer = await newWriter()
  await writer.send('PUT', '/volunteers/m', { 'Full Name': 'Ada', Phone: '0113 496 0000' })
  await writer.send('PATCH', '/volunteers/m', { Phone: '0113 496 0001' })
  const { volunteer } = await writer.json<{ volunteer: object }>('/volunteers/m')
  expect((await everything(writer, '/volunteers/m')).body.deletedAt).toBeNull()
  expect((await writer.send('DELETE', '/volunteers/m')).status).toBe(204)
  const { body } = await everything(writer, '/volunteers/m')
  expect(body).toMatchObject({ volunteer, deletedAt: expect.stringMatching(/^\d{4}-.*Z$/) })
  expect(body.previousVersions).toHaveLength(2)
  const files = await zipped(writer, '/volunteers/m')
  expect(rowsOf(files['volunteer.csv'])).toMatchObject([{ Phone: '0113 496 0001' }])
  expect(files['contents.html']).toContain('The record was deleted on')
  await rows('UPDATE history SET replaced = NULL WHERE organisation_id = ?', writer.id)
  expect((await writer.get('/volunteers/m/$everything')).status).toBe(404)
})

test('of the users, only editors and administrators export a person', async () => {
  const writer = await newWriter(fields)
  await writer.send('PUT', '/members/m', { 'Full Name': 'Ada' })
  const ask = async (role: 'reader' | 'editor', path: string) => {
    const person = newPerson()
    await writer.add(person.email, role)
    const headers = { Authorization: `Bearer ${await person.token()}` }
    const answer = await request(`${path}?organisationId=${writer.id}`, { headers })
    await answer.arrayBuffer()
    return answer.status
  }
  expect(await ask('editor', '/members/m/$everything')).toBe(200)
  expect(await ask('reader', '/members/m')).toBe(200)
  for (const id of ['m', 'nobody'])
    expect(await ask('reader', `/members/${id}/$everything`)).toBe(403)
})

test('an export has values of fields that were removed from the schema', async () => {
  const writer = await newWriter(fields)
  await writer.put('members', [
    {
      id: 'm',
      document: { memberId: 'm', 'Full Name': 'Al <b>', gone: 'still kept', $answered: {} },
    },
  ])
  const { body } = await everything(writer, '/members/m')
  expect(body.otherValues).toEqual({ gone: 'still kept' })
  const files = await zipped(writer, '/members/m')
  expect(rowsOf(files['member.csv'])).toMatchObject([{ gone: 'still kept' }])
  expect(files['contents.html']).toContain('<td>still kept</td>')
  expect(files['contents.html']).toContain('<td>Al &lt;b&gt;</td>')
  expect(files['contents.html']).toContain('There are no case notes.')
})

test('both formats have a note as long as a page, and an empty id matches nobody', async () => {
  const writer = await newWriter(fields)
  await writer.send('PUT', '/members/m', { 'Full Name': 'A Talker' })
  const linkedEntities = { memberIds: ['m'], volunteerIds: [''], partnerIds: [] }
  const content = 'long '.repeat(18_000)
  await writer.put('case-notes', [{ id: 'n', document: { noteId: 'n', content, linkedEntities } }])
  const { body } = await everything(writer, '/members/m')
  expect(body.caseNotes).toMatchObject([{ noteId: 'n', content }])
  expect(body.shared).toEqual([])
  const files = await zipped(writer, '/members/m')
  expect(rowsOf(files['case-notes.csv'])).toMatchObject([{ noteId: 'n', content }])
  expect(files['contents.html']).toContain('case-notes.csv</a> (1)')
})

test.each<[string, Restrictions, string[], string[]]>([
  [
    'some collections',
    { collections: ['members', 'survey-responses'] },
    [
      'What there may be of events',
      'What there may be of bookings',
      'What there may be of case notes',
      'What there may be of funds',
      'What there may be of grant applications',
      'What there may be of grant payments',
    ],
    ['bookings', 'case-notes'],
  ],
  ['no private notes', { privateNotes: false }, ['Private case notes'], []],
  [
    'fewer fields',
    { hideFields: ['email', 'health.condition'] },
    ['What there may be of funds', 'Some fields'],
    [],
  ],
  [
    'no links',
    { hideFields: ['memberId', 'linkedEntities'] },
    ['What there may be of bookings', 'What there may be of survey responses'].concat(
      'What there may be of case notes',
      'Some fields',
    ),
    ['bookings', 'survey-responses', 'case-notes'],
  ],
])(
  'what a key of %s does not see is not in it, which it says',
  async (_, restrictions, reasons, hidden) => {
    const writer = await newWriter(fields)
    const person = await createPersonWithData(writer, 'members')
    const read = ['read']
    const { key } = await createKey(env, writer.id, 'x', 'a test', undefined, read, restrictions)
    const { answer, body, text } = await everything(writer, person.path, key)
    expect([answer.status, body.withheld]).toEqual([
      200,
      [...reasons, 'What there may be of sign-ups'].map(
        (reason) => `${reason}: hidden from these credentials.`,
      ),
    ])
    const plurals = { bookings: 'bookings', 'survey-responses': 'surveyResponses' }
    const names: Record<string, string> = { ...plurals, 'case-notes': 'caseNotes' }
    for (const [name, plural] of Object.entries(names))
      expect([name, body[plural].length > 0]).toEqual([name, !hidden.includes(name)])
    const { kept, values, word } = person
    if (restrictions.privateNotes === false) expect(text).not.toContain(`Note of ${word}`)
    if (restrictions.hideFields?.includes('email'))
      for (const value of [values['E-mail'], values['health.condition'], `b.${word}@mail.test`])
        expect(text).not.toContain(value)
    for (const value of [`Chosen ${word}`, `Diet ${word}`, `c.${word}@mail.test`])
      expect(text).not.toContain(value)
    expect(text).toContain(String(kept[0]))
    const headers = { 'x-api-key': key }
    const files = await unzipped(
      await writer.get(`${person.path}/$everything?$format=zip`, { headers }),
    )
    expect(files['contents.html']).toContain('Hidden data')
    for (const name of hidden) expect(Object.keys(files)).not.toContain(`${name}.csv`)
  },
)

test('a key without access to members or without `read` gets nothing', async () => {
  const writer = await newWriter(fields)
  const { path } = await createPersonWithData(writer, 'members')
  for (const [may, restrictions] of [
    [['read'], { collections: ['bookings'] }],
    [['write'], {}],
  ] as const) {
    const { key } = await createKey(
      env,
      writer.id,
      'x',
      'a test',
      undefined,
      [...may],
      restrictions,
    )
    expect((await everything(writer, path, key)).answer.status).toBe(403)
  }
  expect(
    await rows(
      "SELECT 1 FROM audit_log WHERE organisation_id = ? AND action LIKE 'exp%'",
      writer.id,
    ),
  ).toEqual([])
})

test('both formats have each of thousands of bookings once, read page by page', async () => {
  const writer = await newWriter(fields)
  const count = 3000
  await writer.send('PUT', '/members/m', { 'Full Name': 'A Regular' })
  await writer.put(
    'bookings',
    Array.from({ length: count }, (_, index) => ({
      id: `b${index}`,
      document: { bookingId: `b${index}`, memberId: index % 3 ? 'm' : 'x', eventId: 'e' },
    })),
  )
  const { body, answer } = await everything(writer, '/members/m', writer.key)
  await flushKeyUse(env, Date.now())
  expect(
    await readUsage(operatorStore(env.DB, writer.id), { days: 1, daily: false }),
  ).toMatchObject([
    { collection: 'bookings', requests: 0, records: 2000 },
    { collection: 'members' },
  ])
  const ids = new Set(body.bookings.map((it: { bookingId: string }) => it.bookingId))
  expect([ids.size, body.bookings.length]).toEqual([2000, 2000])
  // Before it is taken, next to nothing is read.
  expect(rowsRead(answer)).toBeLessThan(100)
  const files = await zipped(writer, '/members/m')
  expect(new Set(rowsOf(files['bookings.csv']).map(({ bookingId }) => bookingId))).toEqual(ids)
  expect(files['contents.html']).toContain('bookings.csv</a> (2,000)')
})

test('an unread archive does not block others', async () => {
  const writer = await newWriter(fields)
  await writer.send('PUT', '/members/m', { 'Full Name': 'A Regular' })
  const unread = await writer.get('/members/m/$everything?$format=zip')
  const files = await zipped(writer, '/members/m')
  expect(await unzipped(unread)).toEqual(files)
})

test.each(['json', 'zip'])(
  'a failing %s export is cut off, and the log has no personal data',
  async (form) => {
    const writer = await newWriter(fields)
    const person = await createPersonWithData(writer, 'members')
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { DB } = failingDatabase('overloaded before', (call) => call > 4)
    const answer = await requestWith({ DB }, `${person.path}/$everything?$format=${form}`, {
      headers: { 'x-api-key': writer.readingKey },
    })
    expect(answer.status).toBe(200)
    await expect(answer.arrayBuffer()).rejects.toThrow('could not be finished')
    expect(logged).toHaveBeenCalledOnce()
    expect(String(logged.mock.calls[0])).toContain('overloaded')
    for (const text of person.texts.flatMap(formsOf))
      expect(String(logged.mock.calls[0])).not.toContain(text)
    logged.mockRestore()
  },
)

test('the audit log has each export, and the Accept header chooses the format', async () => {
  const writer = await newWriter(fields)
  const { id, path } = await createPersonWithData(writer, 'members')
  const types: (string | null)[] = []
  for (const Accept of ['application/zip', '*/*', 'application/json;q=0.5, application/zip']) {
    const headers = { 'x-api-key': writer.key, Accept }
    const answer = await writer.get(`${path}/$everything`, { headers })
    types.push(answer.headers.get('Content-Type'))
    await answer.arrayBuffer()
  }
  expect(types).toEqual(['application/zip', 'application/json', 'application/zip'])
  const named = { id: 'a"; b=é', document: { memberId: 'a"; b=é', 'Full Name': 'Ada' } }
  await writer.put('members', [named])
  const zip = `/members/${encodeURIComponent(named.id)}/$everything?$format=zip`
  const download = await writer.get(zip, { headers: { 'x-api-key': writer.key } })
  await download.arrayBuffer()
  const day = new Date().toISOString().slice(0, 10)
  expect(download.headers.get('Content-Disposition')).toBe(
    `attachment; filename="${writer.id}-member-a---b---${day}.zip"`,
  )
  expect((await everything(writer, `/members/${crypto.randomUUID()}`)).answer.status).toBe(404)
  const trail = await rows(
    "SELECT actor, action, target FROM audit_log WHERE organisation_id = ? AND action LIKE 'exp%'",
    writer.id,
  )
  const entry = {
    actor: `writer (${writer.key.slice(0, 8)}…)`,
    action: 'exported member',
    target: id,
  }
  expect(trail).toEqual([entry, entry, entry, { ...entry, target: named.id }])
})
