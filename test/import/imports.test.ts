import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { failingDatabase, requestWith } from '../faults/failing-database.ts'
import { createKey, revokeKey } from '../keys.ts'
import { newWriter, type Writer } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'

const types = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
} as const

type Sent = { collection?: string; type?: string; dry?: boolean; headers?: Record<string, string> }

const initOf = (
  { key }: Pick<Writer, 'key'>,
  body: BodyInit,
  { type = types.csv, headers }: Sent = {},
) => ({ method: 'POST', headers: { 'x-api-key': key, 'Content-Type': type, ...headers }, body })

const pathOf = ({ collection = 'events', dry }: Sent = {}) =>
  `/imports?collection=${collection}${dry ? '&$dryRun=true' : ''}`

const send = (writer: Writer, body: BodyInit, how: Sent = {}) =>
  writer.get(pathOf(how), initOf(writer, body, how))

async function imported(writer: Writer, body: BodyInit, how: Sent = {}) {
  const answer = await send(writer, body, how)
  return [answer.status, await answer.json()]
}

const counts = (created: number, updated: number, unchanged: number) => ({
  created,
  updated,
  unchanged,
  rejected: 0,
  errors: [],
})

const changes = async ({ json }: Writer, after?: string) =>
  json<{ changes: { id: string; change: string; version: number }[]; next: string }>(
    `/changes${after ? `?$after=${after}` : ''}`,
  )

test('a file of every form is imported, and again makes no difference', async () => {
  const writer = await newWriter()
  const files = [
    [types.csv, "\uFEFFeventId,name,tags\r\ne1,One,a;b\r\ne2,'=1+1,\r\n"],
    ['text/csv; charset=UTF-8; header=present', 'eventId,name\ne3,Three\n'],
    [types.ndjson, '{"eventId":"e4","name":"Four"}\n\n{"eventId":"e5"}'],
    [types.json, '[{"eventId":"e6"},{"eventId":"e7"}]'],
    [types.json, '{"events":[{"eventId":"e8"}],"total":1}'],
  ] as const
  for (const [type, text] of files) {
    const [, first] = await imported(writer, text, { type })
    expect(first).toMatchObject({ updated: 0, unchanged: 0, rejected: 0, errors: [] })
  }
  const { events } = await writer.json<{ events: { eventId: string; name: string }[] }>('/events')
  expect(events.map(({ eventId }) => eventId)).toEqual([
    'e1',
    'e2',
    'e3',
    'e4',
    'e5',
    'e6',
    'e7',
    'e8',
  ])
  expect(events[1]?.name).toBe('=1+1')
  const { next } = await changes(writer)
  for (const [type, text] of files) {
    const [, again] = await imported(writer, text, { type })
    expect(again).toMatchObject({ created: 0, updated: 0 })
  }
  expect((await changes(writer, next)).changes).toEqual([])
})

test('new, changed and unchanged records are counted, and only the first two get a new version', async () => {
  const writer = await newWriter()
  await send(writer, 'eventId,name\na,A\nb,B\n')
  const { next } = await changes(writer)
  const text = 'eventId,name\nb,Bee\nc,C\na,A\n'
  expect(await imported(writer, text, { dry: true })).toEqual([200, counts(1, 1, 1)])
  expect((await changes(writer, next)).changes).toEqual([])
  expect(await imported(writer, text)).toEqual([200, counts(1, 1, 1)])
  const { changes: made } = await changes(writer, next)
  expect(made.map(({ id, change }) => [id, change])).toEqual([
    ['b', 'updated'],
    ['c', 'created'],
  ])
})

test('a file changes what it mentions: an absent property stays, an empty cell or null clears it, and a list is replaced', async () => {
  const writer = await newWriter()
  const { send, json } = writer
  await send('PUT', '/events/e', {
    name: 'Open day',
    colour: 'red',
    tags: ['a', 'b'],
    venue: { name: 'Hall', postcode: 'LS11 0ES' },
  })
  const shown = async () => (await json<{ event: Record<string, unknown> }>('/events/e')).event
  const all = await shown()
  const files = [
    [types.csv, 'eventId,colour,venue.name\ne,,Barn\n', { name: 'Barn', postcode: 'LS11 0ES' }],
    [types.ndjson, '{"eventId":"e","tags":["c"],"venue":{"postcode":null}}', { name: 'Barn' }],
    [types.json, '[{"eventId":"e","name":null}]', { name: 'Barn' }],
  ] as const
  let venue = {}
  for (const [type, text, left] of files) {
    expect(await imported(writer, text, { type })).toEqual([200, counts(0, 1, 0)])
    expect(await imported(writer, text, { type })).toEqual([200, counts(0, 0, 1)])
    venue = { ...(all.venue as object), postcode: '', ...left }
    expect(await shown()).toMatchObject({ venue })
  }
  expect(await shown()).toEqual({ ...all, name: '', colour: '', tags: ['c'], venue })
})

test('a file need not mention what its records cannot be without, unless they are new', async () => {
  const writer = await newWriter()
  await writer.send('PUT', '/forms/f', { type: 'survey', questions: [{ questionId: 'q' }] })
  const how = { collection: 'forms' }
  expect(await imported(writer, 'formId,name\nf,Feedback\n', how)).toEqual([200, counts(0, 1, 0)])
  expect(await writer.json('/forms/f')).toMatchObject({
    form: { type: 'survey', questions: [{ questionId: 'q' }], questionCount: 1 },
  })
  expect(await imported(writer, 'formId,name\nf,Other\ng,New\n', how)).toMatchObject([
    200,
    { rejected: 1, errors: [{ field: 'type', lines: [3] }] },
  ])
})

test('a person keeps the fields that a file does not mention, and their value stays taken', async () => {
  const writer = await newWriter([
    { id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 },
    { id: 'Number', name: 'Number', label: 'Number', type: 'uniqueId', order: 1 },
    { id: 'About', name: 'About', label: 'About', type: 'divider', order: 2 },
  ])
  await writer.send('PUT', '/members/a', { Name: 'Ada', Number: '1' })
  await writer.send('PUT', '/members/b', { Name: 'Bea', Number: '2' })
  const how = { collection: 'members', type: types.ndjson }
  const taken = '{"memberId":"a","Number":"2"}\n{"memberId":"b","Name":"Bee"}'
  expect(await imported(writer, taken, how)).toMatchObject([
    200,
    { rejected: 1, errors: [{ field: 'Number', message: 'has the value of an earlier line.' }] },
  ])
  const csv = 'memberId,Name,About\na,,\nb,Bee,\n'
  expect(await imported(writer, csv, { collection: 'members' })).toEqual([200, counts(0, 2, 0)])
  const { members } = await writer.json<{ members: { fields: object[] }[] }>('/members')
  expect(members.map(({ fields }) => fields)).toMatchObject([
    [{ key: 'Number', value: '1' }],
    [
      { key: 'Name', value: 'Bee' },
      { key: 'Number', value: '2' },
    ],
  ])
})

test('what others write to the same records during an import stays', async () => {
  const writer = await newWriter()
  await writer.send('PUT', '/events/e', { name: 'A', colour: 'red' })
  let calls = 0
  const { DB } = failingDatabase('lost before', async () => {
    // The permission check, the stored records, and the write.
    if (++calls === 3) await writer.send('PATCH', '/events/e', { colour: 'blue' })
    return false
  })
  const answer = await requestWith({ DB }, pathOf(), initOf(writer, 'eventId,name\ne,B\n'))
  expect(await answer.json()).toEqual(counts(0, 1, 0))
  expect(await writer.json('/events/e')).toMatchObject({ event: { name: 'B', colour: 'blue' } })
})

test('a file with an error is not imported, and its errors are grouped and contain no value', async () => {
  const writer = await newWriter([
    { id: 'Email', name: 'Email', label: 'Email', type: 'email', order: 0 },
    { id: 'Number', name: 'Number', label: 'Number', type: 'uniqueId', order: 1 },
  ])
  await writer.send('PUT', '/members/taken', { Number: '7' })
  const bad = Array.from({ length: 5 }, (_, place) => `b${place},not an address,`)
  const text = ['memberId,Email,Number', 'g,,1', ...bad, 'u,,7', 'v,,1', 'g,,'].join('\n')
  for (const dry of [true, false]) {
    const [status, report] = await imported(writer, text, { collection: 'members', dry })
    expect([status, report]).toEqual([
      200,
      {
        created: 0,
        updated: 0,
        unchanged: 0,
        rejected: 8,
        errors: [
          {
            field: 'Email',
            message: 'must be one email address.',
            code: 'invalid_format',
            count: 5,
            lines: [3, 4, 5],
          },
          {
            field: 'Number',
            message: 'has the value of an earlier line.',
            code: 'duplicate',
            count: 1,
            lines: [9],
          },
          {
            field: 'memberId',
            message: 'is already used on an earlier line.',
            code: 'duplicate',
            count: 1,
            lines: [10],
          },
          {
            field: 'Number',
            message: 'is already used by another record.',
            code: 'not_unique',
            count: 1,
            lines: [8],
          },
        ],
      },
    ])
    expect(JSON.stringify(report)).not.toContain('not an address')
  }
  expect(await writer.json('/members')).toMatchObject({ members: [{ memberId: 'taken' }] })
})

test('no file can fill the answer with kinds of errors', async () => {
  const writer = await newWriter()
  const lines = Array.from({ length: 300 }, (_, place) => `{"eventId":"e","p${place}":1}`)
  const [, report] = await imported(writer, lines.join('\n'), { type: types.ndjson })
  const { rejected, errors } = report as { rejected: number; errors: { count: number }[] }
  expect([rejected, errors.length]).toEqual([300, 101])
  expect(errors.at(-1)).toEqual({
    field: '',
    message: 'There are more kinds of errors than are listed.',
    code: 'too_many_errors',
    count: 200,
    lines: [101, 102, 103],
  })
})

test('the check of a file stops after 1,000 errors, and says so', async () => {
  const writer = await newWriter()
  const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`p${at}`, 1]))
  const lines = Array.from({ length: 50 }, (_, at) =>
    JSON.stringify({ eventId: `e${at}`, ...unknown }),
  )
  const [, report] = await imported(writer, lines.join('\n'), { type: types.ndjson })
  const { rejected, errors } = report as { rejected: number; errors: { count: number }[] }
  expect(rejected).toBe(17)
  expect(errors.slice(0, -1).reduce((sum, { count }) => sum + count, 0)).toBe(1000)
  expect(errors.at(-1)).toEqual({
    field: '',
    message: 'The check stopped after 1,000 errors: correct these first.',
    code: 'too_many_errors',
    count: 1,
    lines: [],
  })
})

test('files that cannot be taken are refused before anything is kept', async () => {
  const writer = await newWriter()
  const { key, readingKey } = writer
  const status = async (body: BodyInit, how: Sent = {}) => (await send(writer, body, how)).status
  expect(await status('x', { type: 'text/plain' })).toBe(415)
  expect(await status('x', { type: 'text/csv; charset=windows-1252' })).toBe(415)
  expect(await status('x', { collection: 'schemas' })).toBe(400)
  expect(await status('x', { collection: 'changes' })).toBe(400)
  const forbidden = await send({ ...writer, key: readingKey }, 'eventId\ne\n')
  expect([forbidden.status, await forbidden.text()]).toEqual([
    403,
    expect.stringContaining('does not have the `write` permission'),
  ])
  await rows("DELETE FROM schemas WHERE organisation_id = ? AND kind = 'partners'", writer.id)
  expect(await imported(writer, 'partnerId\np\n', { collection: 'partners' })).toEqual([
    400,
    { type: 'BAD_REQUEST', message: 'collection: there is no schema of partners yet.' },
  ])
  const [, spoilt] = await imported(writer, new Uint8Array([0x65, 0xff]))
  expect(spoilt).toMatchObject({
    errors: [{ message: expect.stringContaining('UTF-8'), lines: [] }],
  })
  expect(await writer.json('/events')).toMatchObject({ total: 0 })
  expect(key).not.toBe(readingKey)
})

test('a file of 50 MiB is taken, and a larger one or one of more than 50,000 records is not', async () => {
  const writer = await newWriter()
  const mebibyte = 1 << 20
  /** A record, and white space up to so many bytes, a piece at a time. */
  const streamed = (bytes: number) => {
    const piece = new TextEncoder().encode(`${' '.repeat(mebibyte - 1)}\n`)
    let left = bytes
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left === bytes) {
          const first = new TextEncoder().encode('{"eventId":"e"}\n')
          left -= first.length
          return controller.enqueue(first)
        }
        const next = piece.subarray(Math.max(0, piece.length - left))
        left -= next.length
        controller.enqueue(next)
        if (left === 0) controller.close()
      },
    })
  }
  const type = types.ndjson
  expect(await imported(writer, streamed(50 * mebibyte), { type })).toEqual([200, counts(1, 0, 0)])
  expect(await imported(writer, streamed(50 * mebibyte + 1), { type })).toEqual([
    413,
    { type: 'PAYLOAD_TOO_LARGE', message: 'The file must have at most 50 MB: send it in parts.' },
  ])
  const many = Array.from({ length: 50_001 }, (_, at) => `{"eventId":"e${at}"}\n`)
  expect(await imported(writer, many.join(''), { type })).toEqual([
    413,
    {
      type: 'PAYLOAD_TOO_LARGE',
      message: 'The file must have at most 50,000 records: send it in parts.',
    },
  ])
  expect(await writer.json('/events')).toMatchObject({ total: 1 })
})

const many = (records: number, name: string) =>
  ['eventId,name', ...Array.from({ length: records }, (_, place) => `e${place},${name}`)].join('\n')

/** Records of which two are kept at once. */
const long = (records: number, name: string) =>
  [
    'eventId,name,bookingDetails.description',
    ...Array.from({ length: records }, (_, place) => `e${place},${name},${'x'.repeat(90_000)}`),
  ].join('\n')

test('a key that is revoked during an import writes no further part', async () => {
  const writer = await newWriter()
  const { id } = writer
  const may = ['read', 'create-members', 'write']
  const { key, id: keyId } = await createKey(env, id, 'short', 'a test', undefined, may)
  let calls = 0
  const { DB } = failingDatabase('lost before', () => {
    // The permission check and the row of the import, then for each part the stored records and the write.
    if (++calls === 5) void revokeKey(env.DB, { organisationId: id, id: keyId, by: 'a test' })
    return false
  })
  const answer = await requestWith({ DB }, pathOf(), initOf({ key }, long(10, 'A')))
  expect(answer.status).toBe(401)
  const { total } = await writer.json<{ total: number }>('/events')
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThan(10)
})

test('an import that breaks off says so, and sent again keeps every record once', async () => {
  const muted = vi.spyOn(console, 'error').mockImplementation(() => {})
  const writer = await newWriter()
  let broken = 0
  for (const fault of ['overloaded after', 'lost after'] as const) {
    for (broken = 0; ; broken++) {
      const name = `${fault} ${broken}`
      const { DB, happened } = failingDatabase(fault, (call) => call === broken)
      const init = initOf(writer, long(5, name), { headers: { 'Idempotency-Key': name } })
      const answer = await requestWith({ DB }, pathOf(), init)
      if (happened.errors === 0) break
      expect([200, 503]).toContain(answer.status)
      if (answer.status === 503) {
        expect(answer.headers.get('Retry-After')).toBe('1')
        const again = await requestWith({}, pathOf(), init)
        expect(again.status).toBe(200)
      }
      const { total } = await writer.json<{ total: number }>(`/events?name=${name}`)
      expect([name, total]).toEqual([name, 5])
    }
    expect(broken).toBeGreaterThan(4)
  }
  muted.mockRestore()
})

test('a request that is sent again with its key is answered as the first time, also when both are sent at once', async () => {
  const writer = await newWriter()
  const how = { headers: { 'Idempotency-Key': 'nightly' } }
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => imported(writer, 'eventId\na\nb\n', how)),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await imported(writer, 'eventId\na\nb\n', how)).toEqual(answers[0])
  expect(await imported(writer, 'eventId\nc\n', how)).toEqual([
    422,
    { type: 'UNPROCESSABLE', message: 'Idempotency-Key: was used with another body.' },
  ])
  const other = { ...how, collection: 'forms' }
  expect(await imported(writer, 'eventId\na\nb\n', other)).toMatchObject([422, {}])
  expect(await writer.json('/events')).toMatchObject({ total: 2 })
})

test('concurrent files are all imported, and other requests are answered', async () => {
  const writer = await newWriter()
  let done = 0
  const uploads = Array.from({ length: 3 }, async (_, place) => {
    const [status] = await imported(writer, many(600, `${place}`))
    done++
    return status
  })
  for (let asked = 0; asked < 20; asked++) expect((await writer.get('/funds')).status).toBe(200)
  expect(done).toBe(0)
  expect(await Promise.all(uploads)).toEqual([200, 200, 200])
  expect(await writer.json('/events')).toMatchObject({ total: 600 })
})

test('the answers people gave stay when a file without them is imported, and are nothing new', async () => {
  const fields = ['Name', 'Goal'].map((id, order) => ({
    id,
    name: id,
    label: id,
    order,
    type: 'text',
  }))
  const writer = await newWriter(fields)
  const { put, id: managedBy } = writer
  await put('forms', [
    { id: 'f', document: { formId: 'f', managedBy, schemaForm: true, formFor: 'Members' } },
  ])
  await put('survey-responses', [
    {
      id: 'r',
      document: {
        responseId: 'r',
        managedBy,
        surveyId: 'f',
        date: '2025-01-01T00:00:00.000Z',
        linkedEntities: { memberIds: ['m1'] },
        responses: [{ questionId: 'Goal', response: 'Swim' }],
      },
    },
  ])
  const text = 'memberId,Name\nm1,Ada\nm2,Ben\n'
  const how = { collection: 'members' }
  expect(await imported(writer, text, how)).toEqual([200, counts(2, 0, 0)])
  expect(await writer.json('/members?Goal=Swim')).toMatchObject({ members: [{ memberId: 'm1' }] })
  const { next } = await changes(writer)
  expect(await imported(writer, text, how)).toEqual([200, counts(0, 0, 2)])
  expect((await changes(writer, next)).changes).toEqual([])
})
