import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { createKey } from '../../src/auth/key-acts.ts'
import { references } from '../../src/model/references.ts'
import { type Kind, kinds } from '../../src/model/schema.ts'
import { erasedPeople } from '../../src/records/ledger.ts'
import { fateOf } from '../../src/store/erase.ts'
import { newPerson } from '../auth/identity.ts'
import { requestWith } from '../faults/faulty.ts'
import { linesSeen } from '../logs/watch.ts'
import { request } from '../organisation.ts'
import { newWriter, type Writer } from '../resources/writing.ts'
import { whereAnyHeld } from '../store/where-held.ts'
import { expectIndexed, rows } from '../store/whole-index.ts'
import { newWebhook, newWorld } from '../webhooks/world.ts'

const people = Object.keys(kinds) as Kind[]

/** A schema with a field of every type that holds words or numbers of somebody's own. */
const fields = [
  { id: 'Full Name', type: 'text' },
  { id: 'E-mail', type: 'email' },
  { id: 'Phone', type: 'phone' },
  { id: 'Mobile', type: 'phoneNumber' },
  { id: 'Postcode', type: 'postcode' },
  { id: 'Born', type: 'date' },
  { id: 'Income', type: 'number' },
  { id: 'Number', type: 'uniqueId' },
  { id: 'Story', type: 'custom' },
  { id: 'Tags', type: 'tags' },
  { id: 'School', type: 'school' },
  { id: 'health.condition', type: 'selectAndOther' },
].map((field, order) => ({ ...field, name: field.id, label: field.id, order }))

let made = 0

/** Values that nobody else has, for every field; a word in each tells them from all others. */
function valuesOfOwn() {
  const word = `Zq${crypto.randomUUID().slice(0, 8)}x${++made}`
  const digits = String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '7')
  return {
    'Full Name': `Quillan ${word}-Vane Ó${word}`,
    'E-mail': `${word}.Vane@Unique-Example.test`,
    Phone: `0${digits.slice(0, 4)} ${digits.slice(4)}`,
    Mobile: `+44 (0)9${digits}`,
    Postcode: `ZZ${digits.slice(0, 2)} ${digits.slice(2, 8)}`,
    Born: `1${digits.slice(0, 3).replace(/^[^89]/, '8')}-02-03`,
    Income: Number(`${digits}.25`),
    Number: `ref-${word}`,
    Story: `${`The story of ${word} `.repeat(30)}ends with ${word}end`,
    Tags: [`tag ${word}`, `other ${word}`],
    School: `School of ${word}`,
    'health.condition': `Ailment ${word}`,
  }
}

/** Every way in which a text might be kept: as it is, and without spaces or anything but letters and digits. */
const formsOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => {
    const text = String(one)
    const compact = text.replaceAll(/[^\p{L}\p{N}]/gu, '')
    const words = text.split(/[\s@,-]+/).filter((word) => /Zq|\d{6}/.test(word))
    return [text.slice(0, 100), text.replaceAll(' ', ''), compact, ...words].filter(
      (form) => form.length > 5,
    )
  })

const held = (values: readonly unknown[]) =>
  whereAnyHeld(env, [...new Set(values.flatMap(formsOf))], { fold: true })

/** A person of a kind with something in every collection that can hold something of theirs, and all that was written of it. */
async function filled(writer: Writer, kind: Kind, others: Partial<Record<Kind, string[]>> = {}) {
  const { singular, id: idName } = kinds[kind]
  const id = `${singular}-${++made}`
  const [first, now] = [valuesOfOwn(), valuesOfOwn()]
  const word = now.Number.replace('ref-', '')
  const formFor = kind.charAt(0).toUpperCase() + kind.slice(1)
  const linkedEntities = { [`${singular}Ids`]: [id] }
  const both = {
    ...Object.fromEntries(
      Object.entries(others).map(([of, ids]) => [`${of.slice(0, -1)}Ids`, ids]),
    ),
    [`${singular}Ids`]: [id, ...(others[kind] ?? [])],
  }
  const booking = {
    ...{ memberId: id, user: `user ${word}`, userEmail: `b.${word}@mail.test` },
    ...{ userName: `Name ${word}`, booker: `Booker ${word}`, orderId: `order ${word}` },
    funderMemberId: `funder ${word}`,
  }
  const response = {
    ...{ surveyId: 'form', date: '2025-01-01T00:00:00.000Z', creator: `user ${word}` },
    responses: [
      {
        questionId: 'School',
        question: 'Q',
        outcome: '',
        type: 'text',
        response: `Answer ${word}`,
      },
      { questionId: 'q', question: 'Q', outcome: '', type: 'text', response: `Words ${word}` },
    ],
  }
  const note = { content: `Note of ${word}`, creator: 'staff', isPrivate: true }
  const written: [method: string, path: string, body: object, headers?: Record<string, string>][] =
    [
      ['PUT', '/events/event', { name: 'Lunch' }],
      [
        'PUT',
        '/forms/form',
        { name: 'Form', type: 'survey', schemaForm: true, formFor, questions: [] },
      ],
      ['PUT', `/${kind}/${id}`, first],
      ['PATCH', `/${kind}/${id}`, now],
      ...(kind === 'members'
        ? [
            ['POST', '/bookings', { bookingId: `b1-${id}`, eventId: 'event', ...booking }] as const,
            [
              'POST',
              '/bookings',
              { bookingId: `b2-${id}`, eventId: 'event', memberId: id },
            ] as const,
          ]
        : []),
      ['POST', '/survey-responses', { responseId: `r-${id}`, ...response, linkedEntities }],
      ['POST', '/case-notes', { noteId: `n-${id}`, ...note, linkedEntities }],
      [
        'POST',
        '/case-notes',
        { noteId: `both-${id}`, content: 'Met the two of them.', linkedEntities: both },
      ],
    ].map((one) => [...one, { 'Idempotency-Key': crypto.randomUUID() }] as const) as never
  for (const [method, path, body, headers] of written) {
    const answer = await writer.send(method, path, body, method === 'POST' ? headers : {})
    expect([method, path, answer.status, await answer.text()]).toEqual([
      ...[method, path],
      expect.toSatisfy((status) => status < 300),
      expect.anything(),
    ])
  }
  const csv = `${idName},Story\n${id},${now.Story}\n`
  const imported = await writer.get(`/imports?collection=${kind}`, {
    method: 'POST',
    headers: { 'x-api-key': writer.key, 'Content-Type': 'text/csv', 'Idempotency-Key': id },
    body: `${csv.trimEnd()} again\n`,
  })
  expect(await imported.json()).toMatchObject({ faults: [] })
  await writer.send('PATCH', `/${kind}/${id}`, now)
  const texts = [
    ...Object.values(first),
    ...Object.values(now),
    ...(kind === 'members' ? Object.values(booking).filter((value) => value !== id) : []),
    ...[`Answer ${word}`, `Words ${word}`, note.content],
  ]
  return { id, path: `/${kind}/${id}`, texts, word, values: now }
}

const erase = (writer: Writer, path: string, headers: Record<string, string> = {}) =>
  writer.send('DELETE', `${path}?$erase=true`, undefined, headers)

beforeEach(() => {
  vi.restoreAllMocks()
})

test.each(people)(
  'of one of the %s who is erased nothing is kept anywhere but an id and a time',
  async (kind) => {
    const writer = await newWriter(fields)
    const world = newWorld()
      const [neighbour, own] = [await newWriter(fields), { [kind]: ['nobody'] }]
    await writer.send('PUT', `/${kind}/nobody`, { 'Full Name': 'Nobody Else' })
    const theirs = await filled(neighbour, kind)
    const person = await filled(writer, kind, own)
    // Behind the queue, which would have somebody else deliver it.
  const webhook = await newWebhook(world, writer.id)
  webhook.answer(() => new Response(`I took ${person.texts.join(' ')}`))
  await writer.put(kind, [{ id: person.id, document: { ...person.values, changed: 'now' } }])
  await world.run([writer.id])
    const before = await held(person.texts)
    const places = new Set(before.map((found) => found.split(':')[0]))
  expect([...places].toSorted()).toEqual([
    'name_words.word',
    'records.document',
    'terms.value',
    'webhook_attempts.answer',
  ])
  const after = await writer.json<{ next: string }>('/changes?$after=latest')

    const answer = await erase(writer, person.path)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        namedBy: {
          ...(kind === 'members' && { bookings: 2 }),
          'survey-responses': 1,
          'case-notes': 2,
        },
        shared: [{ collection: 'case-notes', id: `both-${person.id}` }],
      },
    ])
    expect(await held(person.texts)).toEqual([])
    const lines = linesSeen().join('\n').toLowerCase()
    for (const form of person.texts.flatMap(formsOf))
      expect(lines).not.toContain(form.toLowerCase())
    await expectIndexed(writer.id)

    expect((await writer.read(person.path)).status).toBe(404)
    const { changes } = await writer.json<{ changes: { id: string; change: string }[] }>(
      `/changes?$after=${after.next}`,
    )
    const told = Object.fromEntries(changes.map(({ id, change }) => [id, change]))
    expect(told).toEqual({
      [person.id]: 'deleted',
      [`r-${person.id}`]: 'deleted',
      [`n-${person.id}`]: 'deleted',
      [`both-${person.id}`]: 'updated',
      ...(kind === 'members' && { [`b1-${person.id}`]: 'updated', [`b2-${person.id}`]: 'updated' }),
    })
    const [entry, ...others] = await Array.fromAsync(erasedPeople(env.KEYS, writer.id))
    expect([entry, others]).toEqual([
      { organisationId: writer.id, collection: kind, id: person.id, at: expect.any(String) },
      [],
    ])
    // All that names them by their id: nothing that is kept of others.
    const naming = new Set(
      (await whereAnyHeld(env, [`"${person.id}"`])).map((it) => it.split(':')[0]),
    )
    expect([...naming]).toEqual(['KV'])

    expect(await held(theirs.texts)).not.toEqual([])
    expect((await neighbour.read(theirs.path)).status).toBe(200)
    expect((await writer.read(`/${kind}/nobody`)).body).toContain('Nobody Else')
    expect(
      (await writer.json<{ caseNote: object }>(`/case-notes/both-${person.id}`)).caseNote,
    ).toMatchObject({
      content: 'Met the two of them.',
      linkedEntities: { [`${kinds[kind].singular}Ids`]: ['nobody'] },
    })
  },
)

test('a booking of somebody who is erased still counts for its event', async () => {
  const writer = await newWriter(fields)
  const { id, path } = await filled(writer, 'members')
  const { booking: before } = await writer.json<{ booking: object }>(`/bookings/b1-${id}`)
  await erase(writer, path)
  const { booking } = await writer.json<{ booking: object }>(`/bookings/b1-${id}`)
  expect(booking).toEqual({
    ...before,
    ...{ memberId: '', user: '', userEmail: '', userName: '', booker: '' },
    ...{ funderMemberId: null, orderId: null },
    profile: expect.anything(),
  })
})

test('what becomes of every record that may name a person is said', () => {
  const naming = references.filter(({ to }) => people.some((kind) => kind === to))
  expect(naming.length).toBeGreaterThan(6)
  for (const reference of naming) expect(fateOf(reference)).toBeDefined()
})

test('who was erased, by whom and when is in the audit trail', async () => {
  const writer = await newWriter(fields)
  const { id, path } = await filled(writer, 'members')
  await erase(writer, path)
  const trail = await rows(
    "SELECT actor, act, target FROM audit WHERE organisation_id = ? AND act LIKE 'erased%'",
    writer.id,
  )
  expect(trail).toEqual([
    { actor: `writer (${writer.key.slice(0, 8)}…)`, act: 'erased member', target: id },
  ])
})

test('an administrator may erase with a token, and an editor may not', async () => {
  const writer = await newWriter(fields)
  const { path } = await filled(writer, 'members')
  const [admin, editor] = [newPerson(), newPerson()]
  await writer.add(admin.email, 'admin')
  await writer.add(editor.email, 'editor')
  const ask = async (person: typeof admin) => {
    const headers = { Authorization: `Bearer ${await person.token()}` }
    const query = `?$erase=true&organisationId=${writer.id}`
    return (await request(path + query, { method: 'DELETE', headers })).status
  }
  expect(await ask(editor)).toBe(403)
  expect((await writer.read(path)).status).toBe(200)
  expect(await Array.fromAsync(erasedPeople(env.KEYS, writer.id))).toEqual([])
  expect(await ask(admin)).toBe(200)
  expect((await writer.read(path)).status).toBe(404)
})

test('a key that is held to less than everything erases nobody', async () => {
  const writer = await newWriter(fields)
  const { path } = await filled(writer, 'members')
  for (const limits of [
    { collections: ['members', 'bookings', 'survey-responses', 'case-notes'] },
    { privateNotes: false as const },
    { without: ['email'] },
  ]) {
    const { key } = await createKey(
      env,
      writer.id,
      'x',
      'a test',
      undefined,
      ['read', 'write'],
      limits,
    )
    const init = { method: 'DELETE', headers: { 'x-api-key': key } }
    expect((await writer.get(`${path}?$erase=true`, init)).status).toBe(403)
  }
  const reading = { method: 'DELETE', headers: { 'x-api-key': writer.readingKey } }
  expect((await writer.get(`${path}?$erase=true`, reading)).status).toBe(403)
  expect((await writer.read(path)).status).toBe(200)
  expect(await Array.fromAsync(erasedPeople(env.KEYS, writer.id))).toEqual([])
})

test('nobody is erased who changed meanwhile, nor who is not there, and neither is noted', async () => {
  const writer = await newWriter(fields)
  const { path } = await filled(writer, 'members')
  const { etag } = await writer.read(path)
  await writer.send('PATCH', path, { School: 'Another' })
  expect((await erase(writer, path, { 'If-Match': etag })).status).toBe(412)
  expect((await writer.read(path)).status).toBe(200)
  expect((await erase(writer, '/members/nobody-at-all')).status).toBe(404)
  expect((await erase(writer, '/events/event')).status).toBe(400)
  const both = await writer.send('DELETE', `${path}?$erase=true&$cascade=true`)
  expect(both.status).toBe(400)
  expect(await Array.fromAsync(erasedPeople(env.KEYS, writer.id))).toEqual([])
  expect((await erase(writer, path, { 'If-Match': (await writer.read(path)).etag })).status).toBe(
    200,
  )
})

test('nothing is erased that could not be noted in the ledger', async () => {
  const writer = await newWriter(fields)
  const { path } = await filled(writer, 'members')
  const KEYS: KVNamespace = Object.create(env.KEYS, {
    get: { value: env.KEYS.get.bind(env.KEYS) },
    put: { value: () => Promise.reject(new Error('KV PUT failed: 500')) },
  })
  const init = { method: 'DELETE', headers: { 'x-api-key': writer.key } }
  const answer = await requestWith({ ...env, KEYS }, `${path}?$erase=true`, init)
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '1'])
  expect((await writer.read(path)).status).toBe(200)
})

/** A person with so many bookings and notes that one step does not erase them all. */
async function busy(writer: Writer) {
  const person = await filled(writer, 'members')
  const bookings = Array.from({ length: 1100 }, (_, place) => ({
    id: `${person.id}-${place}`,
    document: {
      ...{ bookingId: `${person.id}-${place}`, eventId: 'event', memberId: person.id },
      userName: `Name ${person.word}`,
    },
  }))
  await writer.put('bookings', bookings)
  return person
}

test('an erasure that is broken off is finished by the next, also when the first is never known', async () => {
  const writer = await newWriter(fields)
  const person = await busy(writer)
  let batches = 0
  const DB: D1Database = Object.create(env.DB, {
    prepare: { value: env.DB.prepare.bind(env.DB) },
    batch: {
      value: (statements: D1PreparedStatement[]) => {
        if (++batches > 1) throw new Error('D1_ERROR: Network connection lost.')
        return env.DB.batch(statements)
      },
    },
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const init = { method: 'DELETE', headers: { 'x-api-key': writer.key } }
  const path = `${person.path}?$erase=true`
  expect((await requestWith({ ...env, DB }, path, init)).status).toBe(503)
  const left = await writer.json<{ total: number }>(`/bookings?memberId=${person.id}`)
  expect(Number(left.total)).toBe(602)
  expect((await writer.read(person.path)).status).toBe(200)
  expect(await Array.fromAsync(erasedPeople(env.KEYS, writer.id))).toHaveLength(1)

  expect((await erase(writer, person.path)).status).toBe(200)
  expect(await held(person.texts)).toEqual([])
  await expectIndexed(writer.id)
  const trail = await rows(
    "SELECT 1 FROM audit WHERE organisation_id = ? AND act LIKE 'erased%'",
    writer.id,
  )
  expect(trail).toHaveLength(1)
  expect((await erase(writer, person.path)).status).toBe(404)
})

test('what names somebody of whom there is no record is erased too', async () => {
  const writer = await newWriter(fields)
  const { id, path, texts } = await filled(writer, 'members')
  await env.DB.prepare('DELETE FROM records WHERE organisation_id = ? AND id = ?')
    .bind(writer.id, id)
    .run()
  expect(await held(texts)).not.toEqual([])
  expect((await erase(writer, path)).status).toBe(200)
  expect(await held(texts)).toEqual([])
})
