import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { failingDatabase, requestWith } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { deleteAllOldVersions } from '../records/delete-all-old-versions.ts'
import { newWriter, statusAndMessage, type Writer } from '../resources/writing.ts'
import { rows } from '../store/whole-index.ts'
import { newReceivers, newWebhook } from '../webhooks/receivers.ts'

afterEach(() => void vi.restoreAllMocks())

type Undo = {
  import: { undo: { reverted: number; left: number } }
  records: { collection: string; id: string; state: string }[]
  next: string | null
}

type Listed = { importId: string } & Record<string, unknown>

async function importLines(writer: Writer, lines: readonly object[], collection = 'members') {
  const answer = await writer.get(`/imports?collection=${collection}`, {
    method: 'POST',
    headers: { 'x-api-key': writer.key, 'Content-Type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  expect(await answer.json()).toMatchObject({ rejected: 0, errors: [] })
  const [latest] = await listed(writer)
  if (!latest) throw new Error('No import is listed.')
  return latest.importId
}

async function listed({ send }: Writer, query = '') {
  const { imports } = await (await send('GET', `/imports${query}`)).json<{ imports: Listed[] }>()
  return imports
}

/** Sends `$undo` until nothing is left to do. Returns the last answer, with all records that were left. */
async function undo({ send }: Writer, id: string) {
  const records: Undo['records'] = []
  for (;;) {
    const answer = await send('POST', `/imports/${id}/$undo`)
    const result = await answer.json<Undo>()
    expect(answer.status, JSON.stringify(result)).toBe(200)
    records.push(...result.records)
    if (result.next === null) return { ...result.import.undo, records }
  }
}

async function affected({ send }: Writer, id: string) {
  const all: Record<string, string>[] = []
  let next: string | null = ''
  do {
    const query: string = next ? `?$after=${next}` : ''
    const page = await (await send('GET', `/imports/${id}${query}`)).json<{
      records: Record<string, string>[]
      next: string | null
    }>()
    all.push(...page.records)
    next = page.next
  } while (next)
  return all
}

const documents = async ({ id }: Writer, collection = 'members') =>
  Object.fromEntries(
    (
      await rows(
        'SELECT id, document FROM records WHERE organisation_id = ? AND collection = ? ORDER BY id',
        id,
        collection,
      )
    ).map(({ id, document }) => [id, JSON.parse(String(document))]),
  )

const people = (from: number, to: number, rest: object) =>
  Array.from({ length: to - from }, (_, index) => ({ memberId: `m${from + index}`, ...rest }))

const half = 1000

test('an import of 2,000 rows is undone in parts, without the records that changed since', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const writer = await newWriter()
  const { send, json } = writer
  await importLines(writer, people(0, half, { 'Full Name': 'Ada', Phone: '07700900123' }))
  const before = await documents(writer)
  const id = await importLines(writer, people(0, 2 * half, { 'Full Name': 'Eve' }))
  expect(await listed(writer)).toMatchObject([
    { collection: 'members', rows: { created: half, updated: half }, undo: {} },
    { rows: { created: half, updated: 0, unchanged: 0, rejected: 0 }, file: null },
  ])
  await send('PATCH', '/members/m7', { Phone: '07700900456' })
  await send('PATCH', `/members/m${half + 7}`, { Phone: '07700900456' })
  await send('DELETE', '/members/m8')
  const changed = await documents(writer)
  const { next } = await json<{ next: string }>('/changes?$after=latest')

  // The connection is lost in each of the first calls in turn, before and after the call.
  for (const fault of ['lost before', 'lost after'] as const)
    for (let broken = 2; broken < 12; broken += 3) {
      const { DB } = failingDatabase(fault, (call) => call === broken)
      const init = { method: 'POST', headers: { 'x-api-key': writer.key } }
      const answer = await requestWith({ DB }, `/imports/${id}/$undo`, init)
      expect([200, 503]).toContain(answer.status)
    }
  const done = await undo(writer, id)
  const left = [
    { collection: 'members', id: 'm8', state: 'deleted' },
    { collection: 'members', id: 'm7', state: 'changed' },
    { collection: 'members', id: `m${half + 7}`, state: 'changed' },
  ]
  expect(done).toMatchObject({ reverted: 2 * half - 3, left: 3 })
  const { m8: _, m7: __, ...restored } = before
  const expected = { ...restored, m7: changed.m7, [`m${half + 7}`]: changed[`m${half + 7}`] }
  expect(await documents(writer)).toEqual(expected)

  const again = await undo(writer, id)
  expect(again).toMatchObject({ reverted: 2 * half - 3, left: 3 })
  expect(again.records).toEqual(expect.arrayContaining(left))
  expect(await documents(writer)).toEqual(expected)
  const states = Map.groupBy(await affected(writer, id), ({ state }) => state)
  expect([...states].map(([state, records]) => [state, records.length]).sort()).toEqual([
    ['changed', 2],
    ['deleted', 1],
    ['undone', half - 2],
  ])

  const seen = new Map<string, number>()
  for (let after: string | undefined = next; after; ) {
    const page: { changes: { change: string }[]; next: string; more: boolean } = await json(
      `/changes?$after=${after}&limit=250`,
    )
    for (const { change } of page.changes) seen.set(change, (seen.get(change) ?? 0) + 1)
    after = page.more ? page.next : undefined
  }
  expect(Object.fromEntries(seen)).toEqual({ updated: half - 2, deleted: half - 1 })
  expect(
    await rows(
      'SELECT action FROM audit_log WHERE organisation_id = ? ORDER BY id DESC LIMIT 2',
      writer.id,
    ),
  ).toEqual([{ action: 'undid import' }, { action: 'undid import' }])
})

test('imports of the same records are undone in reverse order', async () => {
  const writer = await newWriter()
  const { send } = writer
  await send('PUT', '/members/m0', { 'Full Name': 'Ada', Phone: '07700900120' })
  const original = await documents(writer)
  const lines = (phone: string) => people(0, 3, { 'Full Name': 'Ada', Phone: phone })
  const first = await importLines(writer, lines('07700900121'))
  const afterFirst = await documents(writer)
  const second = await importLines(writer, lines('07700900122'))
  const third = await importLines(writer, lines('07700900123'))

  const changed = { reverted: 0, left: 3, records: people(0, 3, {}).map(leftAs('changed')) }
  expect(await undo(writer, first)).toMatchObject(changed)
  expect(await undo(writer, third)).toMatchObject({ reverted: 3, left: 0 })
  await send('PATCH', '/members/m2', { Phone: '07700900129' })
  expect(await undo(writer, second)).toMatchObject({
    ...{ reverted: 2, left: 1 },
    records: [{ collection: 'members', id: 'm2', state: 'changed' }],
  })
  const { m2, ...others } = await documents(writer)
  expect(others).toEqual({ m0: afterFirst.m0, m1: afterFirst.m1 })
  expect(await undo(writer, first)).toMatchObject({
    ...{ reverted: 2, left: 1 },
    records: [{ collection: 'members', id: 'm2', state: 'changed' }],
  })
  expect(await documents(writer)).toEqual({ ...original, m2 })
})

const leftAs =
  (state: string) =>
  ({ memberId: id }: { memberId: string }) => ({ collection: 'members', id, state })

test('an undo leaves what others refer to, returns unique values and reaches webhooks', async () => {
  const fields = [
    { id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 },
    { id: 'Number', name: 'Number', label: 'Number', type: 'uniqueId', order: 1 },
  ]
  const writer = await newWriter(fields)
  const { send, id: organisationId } = writer
  await importLines(writer, [{ memberId: 'old', Name: 'Ada', Number: '1' }])
  const id = await importLines(writer, [
    { memberId: 'old', Name: 'Ada', Number: '2' },
    { memberId: 'new', Name: 'Ben', Number: '1' },
    { memberId: 'booked', Name: 'Cem', Number: '3' },
  ])
  await send('PUT', '/events/e', { name: 'Open day' })
  await send('PUT', '/bookings/b', { eventId: 'e', memberId: 'booked' })
  const world = newReceivers()
  const { arrived } = await newWebhook(world, organisationId)
  const answer = await world.write(writer.key, 'POST', `/imports/${id}/$undo`)
  expect(await answer.json()).toMatchObject({
    import: { undo: { reverted: 2, left: 1 } },
    records: [{ collection: 'members', id: 'booked', state: 'referenced' }],
    next: null,
  })
  expect(await documents(writer)).toMatchObject({ old: { Number: '1' }, booked: { Number: '3' } })
  await world.run([organisationId])
  expect(arrived.map(({ type, data }) => [type, data.id])).toEqual(
    expect.arrayContaining([
      ['member.deleted', 'new'],
      ['member.updated', 'old'],
    ]),
  )
  await send('DELETE', '/bookings/b')
  expect(await undo(writer, id)).toMatchObject({ reverted: 3, left: 0 })

  // Another record has the value by now.
  const next = await importLines(writer, [{ memberId: 'old', Number: '5' }])
  await send('PUT', '/members/later', { Name: 'Eve', Number: '1' })
  expect(await undo(writer, next)).toMatchObject({
    reverted: 0,
    left: 1,
    records: [{ collection: 'members', id: 'old', state: 'invalid' }],
  })
})

test('an undo reverts the fields that imported answers filled', async () => {
  const writer = await newWriter([
    { id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 },
    { id: 'Goal', name: 'Goal', label: 'Goal', type: 'text', order: 1 },
  ])
  const { id: managedBy, put, send } = writer
  await put('forms', [
    { id: 'f', document: { formId: 'f', managedBy, schemaForm: true, formFor: 'Members' } },
  ])
  await send('PUT', '/members/m', { Name: 'Ada', Goal: 'Run' })
  const before = await documents(writer)
  const response = {
    responseId: 'r',
    surveyId: 'f',
    date: '2030-01-01T00:00:00.000Z',
    linkedEntities: { memberIds: ['m'] },
    responses: [{ questionId: 'Goal', response: 'Swim' }],
  }
  const id = await importLines(writer, [response], 'survey-responses')
  expect(await documents(writer)).toMatchObject({ m: { Goal: 'Swim' } })
  expect(await affected(writer, id)).toEqual([
    { collection: 'members', id: 'm', state: 'unchanged' },
    { collection: 'survey-responses', id: 'r', state: 'unchanged' },
  ])
  expect(await undo(writer, id)).toMatchObject({ reverted: 2, left: 0 })
  expect(await documents(writer)).toEqual(before)
})

test('an erased person does not come back, and the name of the file goes', async () => {
  const writer = await newWriter()
  const { send, id: organisationId } = writer
  await importLines(writer, people(0, 2, { 'Full Name': 'Ada' }))
  const id = await importLines(writer, people(0, 3, { 'Full Name': 'Eve' }))
  const [file] = [`UPDATE imports SET file = 'Eve.csv' WHERE organisation_id = ?`]
  await rows(file, organisationId)
  expect((await send('DELETE', '/members/m0?$erase=true')).status).toBe(200)
  expect((await send('DELETE', '/members/m2?$erase=true')).status).toBe(200)
  expect((await listed(writer)).map(({ file }) => file)).toEqual([null, null])
  expect(await affected(writer, id)).toEqual([
    { collection: 'members', id: 'm1', state: 'unchanged' },
  ])
  expect(await undo(writer, id)).toMatchObject({ reverted: 1, left: 0 })
  expect(Object.keys(await documents(writer))).toEqual(['m1'])
})

test('an import can be undone only by its viewers, alone, and while previous versions exist', async () => {
  const writer = await newWriter()
  const { send, id: organisationId } = writer
  const id = await importLines(writer, people(0, 1, { 'Full Name': 'Ada' }))
  await importLines(writer, [{ eventId: 'e', name: 'Open day' }], 'events')
  const may = ['read', 'create-members', 'write']
  const restrictions = { collections: ['events'] }
  const limited = await createKey(env, organisationId, 'a', 'a test', undefined, may, restrictions)
  const asLimited = { 'x-api-key': limited.key }
  const missing = [404, 'There is no import with this importId.']
  const list = await send('GET', '/imports', undefined, asLimited)
  expect(await list.json()).toMatchObject({ imports: [{ collection: 'events' }], next: null })
  for (const [method, path] of [
    ['GET', `/imports/${id}`],
    ['POST', `/imports/${id}/$undo`],
  ] as const) {
    expect(await statusAndMessage(await send(method, path, undefined, asLimited))).toEqual(missing)
    const other = await newWriter()
    expect(await statusAndMessage(await other.send(method, path))).toEqual(missing)
  }
  const own = (await listed(writer))[0]?.importId
  expect(
    await statusAndMessage(await send('POST', `/imports/${own}/$undo`, undefined, asLimited)),
  ).toEqual([403, '$undo: these credentials do not see all records to delete or change.'])
  expect(await listed(writer, `?$after=${own}`)).toMatchObject([{ importId: id }])
  for (const after of ['x', '0.members'])
    expect((await send('GET', `/imports/${id}?$after=${after}`)).status).toBe(400)

  const set = (values: string) =>
    rows(`UPDATE imports SET ${values} WHERE organisation_id = ?`, organisationId)
  const refused = async () => statusAndMessage(await send('POST', `/imports/${id}/$undo`))
  await set("undo_lease = '9999'")
  expect(await refused()).toEqual([409, 'Another undo is running: try again in a minute.'])
  await set('undo_lease = NULL, finished = NULL')
  expect(await refused()).toEqual([
    409,
    'This import has not finished yet: try again in 15 minutes.',
  ])
  await set("finished = at, file = 'Ada.csv'")
  const day = 24 * 60 * 60_000
  await deleteAllOldVersions(Date.now() + 29 * day)
  expect((await listed(writer))[0]?.file).toBe('Ada.csv')
  await deleteAllOldVersions(Date.now() + 31 * day)
  expect((await listed(writer))[0]?.file).toBeNull()
  await set("at = '2020-01-01T00:00:00.000Z'")
  expect(await refused()).toEqual([
    409,
    'This import can no longer be undone: the previous versions of its records are no longer stored.',
  ])
})
