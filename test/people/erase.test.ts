import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { eraseReimported, readBeforeImport, replayErasures } from '../../src/admin/erase-person.ts'
import { kinds } from '../../src/model/properties/schema.ts'
import { references } from '../../src/model/references.ts'
import { erase as eraseRecord, listErasures, noteErasure } from '../../src/records/erase.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { erasureEffect } from '../../src/store/write/erase.ts'
import { previewErasure } from '../../src/store/write/preview-erasure.ts'
import { putRecords } from '../../src/store/write/put.ts'
import { newPerson } from '../auth/identity.ts'
import { requestWith } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { loggedLines } from '../logs/watch.ts'
import { request, rowsRead } from '../organisation.ts'
import { newWriter, type Writer } from '../resources/writing.ts'
import { large } from '../runs.ts'
import { findTexts } from '../store/find-text.ts'
import { expectOrganisationIndex, rows } from '../store/whole-index.ts'
import { newReceivers, newWebhook } from '../webhooks/receivers.ts'
import {
  createPersonWithData,
  fields,
  findStoredForms,
  formsOf,
  people,
  withGrants,
} from './person-with-data.ts'

const erase = (writer: Writer, path: string, headers: Record<string, string> = {}) =>
  writer.send('DELETE', `${path}?$erase=true`, undefined, headers)

beforeEach(() => {
  vi.restoreAllMocks()
})

test.each(people)(
  'after an erasure of one of the %s, only an id and a time are left',
  async (kind) => {
    const writer = await newWriter(fields)
    const world = newReceivers()
    const [neighbour, own] = [await newWriter(fields), { [kind]: ['somebody-else'] }]
    await writer.send('PUT', `/${kind}/somebody-else`, { 'Full Name': 'Nobody Else' })
    const theirs = await createPersonWithData(neighbour, kind)
    const person = await createPersonWithData(writer, kind, own)
    // Behind the queue, which would have somebody else deliver it.
    const webhook = await newWebhook(world, writer.id)
    webhook.answer(() => new Response(`I took ${person.texts.join(' ')}`))
    await writer.put(kind, [{ id: person.id, document: { ...person.values, changed: 'now' } }])
    await world.run([writer.id])
    const before = await findStoredForms(person.texts)
    const places = new Set(before.map((location) => location.split(':')[0]))
    expect([...places].toSorted()).toEqual([
      'history.replaced',
      'name_words.word',
      'records.document',
      ...(kind === 'members'
        ? ['sign_ups.answers', 'sign_ups.contact', 'sign_ups.question_answers']
        : []),
      'terms.value',
      'webhook_attempts.response',
    ])
    const after = await writer.json<{ next: string }>('/changes?$after=latest')

    const result = () =>
      rows(
        'SELECT id, change FROM history WHERE organisation_id = ? AND id IN (?, ?, ?)',
        ...[writer.id, person.id, `r-${person.id}`, `n-${person.id}`],
      )
    expect(await result()).toContainEqual({ id: person.id, change: 'updated' })

    const answer = await erase(writer, person.path)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        namedBy: {
          ...(kind === 'members' && { bookings: 2 }),
          'survey-responses': 1,
          'case-notes': 2,
        },
        matched: {},
        shared: [{ collection: 'case-notes', id: `both-${person.id}` }],
      },
    ])
    expect(await findStoredForms(person.texts)).toEqual([])
    expect(await result()).toEqual([])
    const lines = loggedLines().join('\n').toLowerCase()
    for (const form of person.texts.flatMap(formsOf))
      expect(lines).not.toContain(form.toLowerCase())
    await expectOrganisationIndex(writer.id)

    expect((await writer.read(person.path)).status).toBe(404)
    const { changes } = await writer.json<{ changes: { id: string; change: string }[] }>(
      `/changes?$after=${after.next}`,
    )
    const changeOf = Object.fromEntries(changes.map(({ id, change }) => [id, change]))
    expect(changeOf).toEqual({
      [person.id]: 'deleted',
      [`r-${person.id}`]: 'deleted',
      [`n-${person.id}`]: 'deleted',
      [`both-${person.id}`]: 'updated',
      ...(kind === 'members' && { [`b1-${person.id}`]: 'updated', [`b2-${person.id}`]: 'updated' }),
    })
    const [entry, ...others] = await Array.fromAsync(listErasures(env.KEYS, writer.id))
    expect([entry, others]).toEqual([
      { organisationId: writer.id, collection: kind, id: person.id, at: expect.any(String) },
      [],
    ])
    // Everything with their id, and nothing of others.
    const naming = new Set((await findTexts(env, [`"${person.id}"`])).map((it) => it.split(':')[0]))
    expect([...naming]).toEqual(['KV'])

    expect(await findStoredForms(theirs.texts)).not.toEqual([])
    expect((await neighbour.read(theirs.path)).status).toBe(200)
    expect((await writer.read(`/${kind}/somebody-else`)).body).toContain('Nobody Else')
    expect(
      (await writer.json<{ caseNote: object }>(`/case-notes/both-${person.id}`)).caseNote,
    ).toMatchObject({
      content: 'Met the two of them.',
      linkedEntities: { [`${kinds[kind].singular}Ids`]: ['somebody-else'] },
    })
  },
)

test('a booking of an erased person still counts for its event', async () => {
  const writer = await newWriter(fields)
  const { id, path } = await createPersonWithData(writer, 'members')
  const { booking: before } = await writer.json<{ booking: object }>(`/bookings/b1-${id}`)
  await erase(writer, path)
  const { booking } = await writer.json<{ booking: object }>(`/bookings/b1-${id}`)
  expect(booking).toEqual({
    ...before,
    memberId: '',
    user: '',
    userEmail: '',
    userName: '',
    booker: '',
    funderMemberId: null,
    orderId: null,
    profile: expect.anything(),
  })
})

test('every reference to a person has a defined effect of an erasure', () => {
  const naming = references.filter(({ to }) => people.some((kind) => kind === to))
  expect(naming.length).toBeGreaterThan(6)
  for (const reference of naming) expect(erasureEffect(reference)).toBeDefined()
})

test('an erasure finds grants, bookings and contacts by id, e-mail address and number', async () => {
  const writer = await newWriter(fields)
  await withGrants(writer)
  const neighbour = await newWriter(fields)
  await withGrants(neighbour)
  await writer.send('PUT', '/grant-applications/deleted', {
    fundId: 'fund',
    status: 'applied',
    recipient: { name: 'Rosa Quill', phone: '07700900461' },
  })
  expect((await writer.send('DELETE', '/grant-applications/deleted')).status).toBe(204)
  const others = ['/grant-applications/others', '/bookings/of-child', '/members/child']
  const before = await Promise.all(others.map(writer.read))

  const answer = await erase(writer, '/members/m')
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      namedBy: {},
      matched: { events: 1, bookings: 2, funds: 1, 'grant-applications': 4 },
      shared: [
        { collection: 'bookings', id: 'unlinked-child' },
        { collection: 'grant-applications', id: 'organisation' },
      ],
    },
  ])
  const stored = await rows(
    `SELECT id, document FROM records WHERE organisation_id = ?1
      UNION ALL SELECT 'version ' || id, replaced FROM history
      WHERE organisation_id = ?1 AND replaced IS NOT NULL`,
    writer.id,
  )
  const naming = stored.filter(
    ({ id, document }) =>
      /quill|900461|ZQ9|\*\*\*\*5678/i.test(String(document)) &&
      !others.some((path) => path.endsWith(`/${id}`)),
  )
  // The text of others' records is theirs: the address of an organisation and the name of a child.
  expect(naming.map(({ id }) => id).toSorted()).toEqual(['organisation', 'unlinked-child'])

  const applicationOf = async (id: string) =>
    (await writer.json<{ application: object }>(`/grant-applications/${id}`)).application
  for (const id of ['by-email', 'by-phone', 'by-id'])
    expect(await applicationOf(id)).toMatchObject({
      fundId: 'fund',
      granteeId: '',
      title: '',
      description: '',
      status: 'approved',
      amountAwarded: 250,
      currency: 'GBP',
      recipient: { name: '', email: '', phone: '', postcode: '', address: '' },
    })
  expect(await applicationOf('organisation')).toMatchObject({
    recipient: { name: 'Dunmallow Arts', email: '', phone: '', postcode: 'LS11 0ES' },
  })
  expect(await writer.json('/disbursements/payment')).toMatchObject({
    disbursement: {
      grantId: 'by-email',
      amount: 250,
      status: 'PAID',
      notes: '',
      bankAccount: { accountName: '', accountNumber: '', sortCode: '' },
    },
  })
  expect(await writer.json('/bookings/theirs')).toMatchObject({
    booking: { eventId: 'e', userName: '', userEmail: '', user: '' },
  })
  expect(await writer.json('/bookings/unlinked-child')).toMatchObject({
    booking: { userName: 'Pip Quill', userEmail: '' },
  })
  expect(await Promise.all(others.map(writer.read))).toEqual(before)
  expect(await neighbour.json('/grant-applications/by-email')).toMatchObject({
    application: { recipient: { name: 'Rosa M. Quill', phone: '+44 7700 900461' } },
  })
  await expectOrganisationIndex(writer.id)
})

test('a deleted person is erased from grants too, and a merged one leaves those to the survivor', async () => {
  const writer = await newWriter(fields)
  await withGrants(writer)
  const recipient = async () =>
    (
      await writer.json<{ application: { recipient: { name: string } } }>(
        '/grant-applications/by-phone',
      )
    ).application.recipient.name
  await writer.send('PUT', '/members/survivor', { 'Full Name': 'Rosa Quill' })
  expect((await writer.send('POST', '/members/survivor/$merge', { from: 'm' })).status).toBe(200)
  expect((await erase(writer, '/members/m')).status).toBe(200)
  expect(await recipient()).toBe('Rosa M. Quill')
  expect((await writer.send('DELETE', '/members/survivor?$cascade=true')).status).toBe(204)
  expect((await erase(writer, '/members/survivor')).status).toBe(200)
  expect(await recipient()).toBe('')
})

test('erasing a person in a large organisation reads the matching records', async () => {
  const writer = await newWriter(fields)
  await withGrants(writer)
  const cost = async () => {
    const store = trustedStore(env.DB, writer.id, { by: 'command line' })
    const { found } = await previewErasure(store, { kind: 'members', id: 'm' })
    expect(found.matched).toHaveLength(8)
    return store.cost.rowsRead
  }
  const few = await cost()
  const numbers = Array.from({ length: large }, (_, index) => index)
  const records = numbers.map((number) => ({
    id: `${number}`,
    document: { recipient: { email: `name.${number}@unique.test`, phone: `07900 ${number}` } },
  }))
  await writer.put('grant-applications', records)
  expect(await cost()).toBeLessThanOrEqual(few + 20)
  expect(few).toBeLessThanOrEqual(350)
  // The sign-ups that others made cost nothing either, even those of deleted bookings.
  await env.DB.batch(
    [
      `INSERT INTO sign_ups (organisation_id, booking_id, event_id, person_hash, contact, answers,
        question_answers, delete_after)
        SELECT ?1, 'made-' || value, 'e', value, json_object('email', value || '@unique.test'),
          '{}', '{}', '2999-01-01' FROM json_each(?2)`,
      `INSERT INTO history (organisation_id, collection, id, version, at, change, fields, attached)
        SELECT ?1, 'bookings', 'made-' || value, -value - 1, '2026-01-01', 'deleted', '[]',
          json_object('signUp', json_object('contact', json_object('email', value || '@unique.test')))
        FROM json_each(?2)`,
    ].map((insert) =>
      env.DB.prepare(insert).bind(writer.id, JSON.stringify(numbers.slice(0, 5000))),
    ),
  )
  expect(await cost()).toBeLessThanOrEqual(few + 20)
  // Neither do the bookings of all organisations cost anything.
  const neighbour = await newWriter(fields)
  await neighbour.put(
    'bookings',
    numbers.slice(0, 5000).map((number) => ({ id: `${number}`, document: { date: null } })),
  )
  const answer = await erase(writer, '/members/m')
  expect([answer.status, rowsRead(answer)]).toEqual([200, expect.toSatisfy((read) => read < 5500)])
})

test('the audit log has each erasure with its author and time', async () => {
  const writer = await newWriter(fields)
  const { id, path } = await createPersonWithData(writer, 'members')
  await erase(writer, path)
  const trail = await rows(
    "SELECT actor, action, target FROM audit_log WHERE organisation_id = ? AND action LIKE 'erased%'",
    writer.id,
  )
  expect(trail).toEqual([
    { actor: `writer (${writer.key.slice(0, 8)}…)`, action: 'erased member', target: id },
  ])
})

test('an administrator may erase with a token, and an editor may not', async () => {
  const writer = await newWriter(fields)
  const { path } = await createPersonWithData(writer, 'members')
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
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toEqual([])
  expect(await ask(admin)).toBe(200)
  expect((await writer.read(path)).status).toBe(404)
})

test('a restricted key may not erase', async () => {
  const writer = await newWriter(fields)
  const { path } = await createPersonWithData(writer, 'members')
  for (const restrictions of [
    { collections: ['members', 'bookings', 'survey-responses', 'case-notes'] },
    { privateNotes: false as const },
    { hideFields: ['email'] },
  ]) {
    const { key } = await createKey(
      env,
      writer.id,
      'x',
      'a test',
      undefined,
      ['read', 'write'],
      restrictions,
    )
    const init = { method: 'DELETE', headers: { 'x-api-key': key } }
    expect((await writer.get(`${path}?$erase=true`, init)).status).toBe(403)
  }
  const reading = { method: 'DELETE', headers: { 'x-api-key': writer.readingKey } }
  expect((await writer.get(`${path}?$erase=true`, reading)).status).toBe(403)
  expect((await writer.read(path)).status).toBe(200)
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toEqual([])
})

test('does not erase or record a changed or missing person', async () => {
  const writer = await newWriter(fields)
  const { path } = await createPersonWithData(writer, 'members')
  const { etag } = await writer.read(path)
  await writer.send('PATCH', path, { School: 'Another' })
  expect((await erase(writer, path, { 'If-Match': etag })).status).toBe(412)
  expect((await writer.read(path)).status).toBe(200)
  expect((await erase(writer, '/members/nobody-at-all')).status).toBe(404)
  expect((await erase(writer, '/events/event')).status).toBe(400)
  const both = await writer.send('DELETE', `${path}?$erase=true&$cascade=true`)
  expect(both.status).toBe(400)
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toEqual([])
  expect((await erase(writer, path, { 'If-Match': (await writer.read(path)).etag })).status).toBe(
    200,
  )
})

test('an erasure refused in the last moment leaves the ledger unchanged', async () => {
  const writer = await newWriter(fields)
  const { id, path } = await createPersonWithData(writer, 'members')
  const eraseDuringChange = async () => {
    const { etag } = await writer.read(path)
    const DB: D1Database = Object.create(env.DB, {
      prepare: { value: env.DB.prepare.bind(env.DB) },
      batch: {
        async value(statements: D1PreparedStatement[]) {
          await writer.send('PATCH', path, { School: crypto.randomUUID() })
          return env.DB.batch(statements)
        },
      },
    })
    const headers = { 'x-api-key': writer.key, 'If-Match': etag }
    return requestWith({ DB }, `${path}?$erase=true`, { method: 'DELETE', headers })
  }
  expect((await eraseDuringChange()).status).toBe(412)
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toEqual([])
  await noteErasure(env.KEYS, { organisationId: writer.id, collection: 'members', id })
  const [before] = await Array.fromAsync(listErasures(env.KEYS, writer.id))
  expect((await eraseDuringChange()).status).toBe(412)
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toEqual([before])
  expect((await writer.read(path)).status).toBe(200)
})

test('of two concurrent erasures, the refused one keeps the entry', async () => {
  const writer = await newWriter(fields)
  const { id, path } = await createPersonWithData(writer, 'members')
  const { etag } = await writer.read(path)
  const DB: D1Database = Object.create(env.DB, {
    prepare: { value: env.DB.prepare.bind(env.DB) },
    batch: {
      async value(statements: D1PreparedStatement[]) {
        expect((await erase(writer, path)).status).toBe(200)
        return env.DB.batch(statements)
      },
    },
  })
  const headers = { 'x-api-key': writer.key, 'If-Match': etag }
  const answer = await requestWith({ DB }, `${path}?$erase=true`, { method: 'DELETE', headers })
  expect(answer.status).toBe(412)
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toMatchObject([{ id }])
})

test('an erasure that the ledger cannot note does not start', async () => {
  muteLog()
  const writer = await newWriter(fields)
  const { path } = await createPersonWithData(writer, 'members')
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
async function newBusyPerson(writer: Writer) {
  const person = await createPersonWithData(writer, 'members')
  const bookings = Array.from({ length: 600 }, (_, index) => ({
    id: `${person.id}-${index}`,
    document: {
      bookingId: `${person.id}-${index}`,
      eventId: 'event',
      memberId: person.id,
      userName: `Name ${person.word}`,
    },
  }))
  await writer.put('bookings', bookings)
  return person
}

test('the next erasure finishes an interrupted one', async () => {
  const writer = await newWriter(fields)
  const person = await newBusyPerson(writer)
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
  expect(Number(left.total)).toBe(102)
  expect((await writer.read(person.path)).status).toBe(200)
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toHaveLength(1)

  expect((await erase(writer, person.path)).status).toBe(200)
  expect(await findStoredForms(person.texts)).toEqual([])
  await expectOrganisationIndex(writer.id)
  const trail = await rows(
    "SELECT 1 FROM audit_log WHERE organisation_id = ? AND action LIKE 'erased%'",
    writer.id,
  )
  expect(trail).toHaveLength(1)
  expect((await erase(writer, person.path)).status).toBe(404)
})

test('a deleted person is erased as long as previous versions exist', async () => {
  const writer = await newWriter(fields)
  const { id, path, texts } = await createPersonWithData(writer, 'volunteers')
  const before = await writer.json<{ next: string }>('/changes?$after=latest')
  expect((await writer.send('DELETE', `${path}?$cascade=true`)).status).toBe(204)
  expect((await erase(writer, path, { 'If-Match': '"1"' })).status).toBe(412)
  const { next } = await writer.json<{ next: string }>('/changes?$after=latest')
  expect((await erase(writer, path)).status).toBe(200)
  const left = await findStoredForms(texts)
  expect(left.filter((location) => location.startsWith('history'))).toEqual([])
  expect((await writer.get(`${path}/$versions`)).status).toBe(404)
  expect(await writer.json(`/changes?$after=${next}`)).toMatchObject({ changes: [] })
  expect(await writer.json(`/changes?$after=${before.next}`)).toMatchObject({
    changes: expect.arrayContaining([expect.objectContaining({ id, change: 'deleted' })]),
  })
  const entry = { organisationId: writer.id, collection: 'volunteers', id, at: expect.any(String) }
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toEqual([entry])
  expect((await erase(writer, path)).status).toBe(404)
})

test('references to a person without a record are erased too', async () => {
  const writer = await newWriter(fields)
  const { id, path, texts } = await createPersonWithData(writer, 'members')
  await env.DB.prepare('DELETE FROM records WHERE organisation_id = ? AND id = ?')
    .bind(writer.id, id)
    .run()
  expect(await findStoredForms(texts)).not.toEqual([])
  const history = () =>
    rows('SELECT change FROM history WHERE organisation_id = ? AND id = ?', writer.id, id)
  expect(await history()).not.toEqual([])
  expect((await erase(writer, path)).status).toBe(200)
  expect(await findStoredForms(texts)).toEqual([])
  expect(await history()).toEqual([])
})

test('an erasure distinguishes long ids with the same beginning', async () => {
  const writer = await newWriter(fields)
  const [long, alike] = ['x', 'y'].map((end) => `${'é'.repeat(150)}${end}`)
  const noteOf = (id: string | undefined, at: number) => ({
    id: `${id?.at(-1)}-${at}`,
    document: { linkedEntities: { memberIds: [id], volunteerIds: [], partnerIds: [] } },
  })
  // More of the other's come first than one step looks at.
  const notes = (id: string | undefined, count: number) =>
    Array.from({ length: count }, (_, at) => noteOf(id, at))
  for (const id of [long, alike])
    await writer.put('members', [{ id: `${id}`, document: { memberId: id, School: 'Any' } }])
  await writer.put('case-notes', [...notes(alike, 600), ...notes(long, 3)])
  const answer = await erase(writer, `/members/${encodeURIComponent(String(long))}`)
  expect(await answer.json()).toEqual({ namedBy: { 'case-notes': 3 }, matched: {}, shared: [] })
  const left = await rows('SELECT id FROM records WHERE organisation_id = ?', writer.id)
  expect(left.map(({ id }) => id)).toEqual([alike, ...notes(alike, 600).map(({ id }) => id)])
})

test('an erasure reads a constant number of rows per link, and few per step', async () => {
  const writer = await newWriter(fields)
  const webhook = `w-${writer.id}`
  await rows(
    `INSERT INTO webhooks (id, organisation_id, url, collections, changes, secret, created, created_by, state, cursor, notified)
    VALUES (?, ?, 'https://hooks.test', '', '', '', '', '', 'paused', 0, 0)`,
    ...[webhook, writer.id],
  )
  await rows(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
    INSERT INTO webhook_attempts (
      webhook_id, attempted, collection, record_id, message_id, type, version, changed, at, attempt, status, failure, duration_ms, response
    )
    SELECT ?, n, 'bookings', 'other-' || n, n, 'booking.updated', n, '', '', 1, 200, NULL, 1, 'OK' FROM n`,
    webhook,
  )
  const cost = async (id: string, count: number) => {
    await writer.put('members', [{ id, document: { memberId: id } }])
    await writer.put(
      'bookings',
      Array.from({ length: count }, (_, at) => ({
        id: `${id}-${at}`,
        document: { bookingId: `${id}-${at}`, memberId: id, userName: `Name ${at}` },
      })),
    )
    const steps: number[] = []
    const DB: D1Database = Object.create(env.DB, {
      prepare: { value: env.DB.prepare.bind(env.DB) },
      batch: {
        async value(statements: D1PreparedStatement[]) {
          const results = await env.DB.batch(statements)
          steps.push(results.reduce((sum, { meta }) => sum + meta.rows_read, 0))
          return results
        },
      },
    })
    const init = { method: 'DELETE', headers: { 'x-api-key': writer.key } }
    const answer = await requestWith({ ...env, DB }, `/members/${id}?$erase=true`, init)
    expect(await answer.json()).toEqual({
      namedBy: { bookings: count },
      matched: {},
      shared: [],
    })
    return { steps, read: rowsRead(answer) }
  }
  const [few, many] = [await cost('few', 500), await cost('many', 2000)]
  expect(many.read / few.read).toBeLessThanOrEqual(4.2)
  expect(many.steps).toHaveLength(4)
  expect(Math.max(...many.steps)).toBeLessThanOrEqual(100_000)
  expect(await writer.json('/bookings?memberId=')).toMatchObject({ total: 2500 })
  await expectOrganisationIndex(writer.id)
})

test('a record added during the last step of an erasure is erased as well', async () => {
  const writer = await newWriter(fields)
  const { id, path } = await createPersonWithData(writer, 'members')
  const late = { bookingId: 'late', eventId: 'event', memberId: id, userName: 'Late' }
  let batches = 0
  const DB: D1Database = Object.create(env.DB, {
    prepare: { value: env.DB.prepare.bind(env.DB) },
    batch: {
      async value(statements: D1PreparedStatement[]) {
        if (batches++ === 0) await writer.put('bookings', [{ id: 'late', document: late }])
        return env.DB.batch(statements)
      },
    },
  })
  const init = { method: 'DELETE', headers: { 'x-api-key': writer.key } }
  expect((await requestWith({ ...env, DB }, `${path}?$erase=true`, init)).status).toBe(200)
  expect((await writer.read('/bookings/late')).body).not.toContain('Late')
  expect((await writer.read(path)).status).toBe(404)
  const trail = await rows(
    "SELECT 1 FROM audit_log WHERE organisation_id = ? AND action LIKE 'erased%'",
    writer.id,
  )
  expect(trail).toHaveLength(1)
})

test('the next request finishes an erasure of too many steps', async () => {
  const writer = await newWriter(fields)
  const person = await newBusyPerson(writer)
  const store = trustedStore(env.DB, writer.id, { by: 'command line' })
  const eraseInSteps = (maxSteps: number) =>
    eraseRecord(store, env.KEYS, { kind: 'members', ...kinds.members }, person.id, {}, maxSteps)
  await expect(eraseInSteps(1)).rejects.toMatchObject({ type: 'UNAVAILABLE' })
  expect((await writer.read(person.path)).status).toBe(200)
  expect(await Array.fromAsync(listErasures(env.KEYS, writer.id))).toHaveLength(1)
  expect((await eraseInSteps(1)).namedBy).toMatchObject({ bookings: 102 })
  expect(await findStoredForms(person.texts)).toEqual([])
  expect((await writer.read(person.path)).status).toBe(404)
})

const replay = async (writer: Writer, later = false) =>
  (await Array.fromAsync(replayErasures(env, writer.id, later ? '' : undefined))).map(
    ({ id, result }) => [id, result],
  )

test('a replay erases exactly the restored people in the ledger', async () => {
  const writer = await newWriter(fields)
  const [gone, back, neverDone] = [
    await createPersonWithData(writer, 'members'),
    await createPersonWithData(writer, 'members'),
    await createPersonWithData(writer, 'volunteers'),
  ]
  const stays = await createPersonWithData(writer, 'partners')
  await erase(writer, gone.path)
  await erase(writer, back.path)
  await env.DB.prepare(
    `INSERT INTO records (organisation_id, collection, id, ordinal, document, updated, created)
    VALUES (?, 'members', ?, 99, ?, '2025-01-01', '2025-01-01T00:00:00.000Z')`,
  )
    .bind(writer.id, back.id, JSON.stringify(back.values))
    .run()
  await env.DB.prepare(
    "UPDATE records SET created = '2025-01-01T00:00:00.000Z' WHERE organisation_id = ? AND id = ?",
  )
    .bind(writer.id, back.id)
    .run()
  // The Worker died between the ledger and the erasure.
  await noteErasure(env.KEYS, {
    organisationId: writer.id,
    collection: 'volunteers',
    id: neverDone.id,
  })
  expect(new Map((await replay(writer)) as [string, string][])).toEqual(
    new Map([
      [gone.id, 'nothing'],
      [back.id, 'erased'],
      [neverDone.id, 'erased'],
    ]),
  )
  expect(await findStoredForms([...gone.texts, ...back.texts, ...neverDone.texts])).toEqual([])
  expect((await replay(writer)).map(([, result]) => result)).toEqual(Array(3).fill('nothing'))
  expect((await writer.read(stays.path)).status).toBe(200)
})

test('a person created after their erasure stays unless the operator includes them', async () => {
  const writer = await newWriter(fields)
  const { path, id } = await createPersonWithData(writer, 'members')
  await erase(writer, path)
  await writer.send('PUT', path, { 'Full Name': 'Came back' })
  expect(await replay(writer)).toEqual([[id, 'left']])
  expect((await writer.read(path)).body).toContain('Came back')
  await writer.send('DELETE', path, undefined)
  // A person who can be restored was not brought back by a file.
  expect(await replay(writer, true)).toEqual([[id, 'left']])
  await writer.send('PUT', path, { 'Full Name': 'Came back' })
  expect(await replay(writer, true)).toEqual([[id, 'erased']])
  expect((await writer.read(path)).status).toBe(404)
})

test('an import erases again only the people of whom it wrote data', async () => {
  const writer = await newWriter(fields)
  const newErased = async () => {
    const person = await createPersonWithData(writer, 'members')
    await erase(writer, person.path)
    return person
  }
  const [fromFile, ofBooking, ofWebsite] = [await newErased(), await newErased(), await newErased()]
  const joinedBefore = await newErased()
  for (let entries = 0; entries < 30; entries++)
    await noteErasure(env.KEYS, {
      organisationId: writer.id,
      collection: 'members',
      id: `${entries}`,
    })
  await writer.send('PUT', joinedBefore.path, { 'Full Name': 'Came back' })
  const before = await readBeforeImport(env, writer.id)
  const fromCommandLine = (collection: string, id: string, document: object) =>
    putRecords(env.DB, writer.id, collection, [{ id, document: JSON.stringify(document) }], {
      by: 'command line',
    })
  await fromCommandLine('members', fromFile.id, { memberId: fromFile.id, 'Full Name': 'Zoë' })
  await fromCommandLine('bookings', 'one', { bookingId: 'one', memberId: ofBooking.id })
  await fromCommandLine('members', joinedBefore.id, { memberId: joinedBefore.id })
  await writer.send('PUT', ofWebsite.path, { 'Full Name': 'Signed up again' })

  const reads = vi.spyOn(env.KEYS, 'get')
  const erased = await Array.fromAsync(eraseReimported(env, writer.id, before))
  const entriesRead = reads.mock.calls.filter(([name]) => String(name).startsWith('erased:'))
  reads.mockRestore()
  expect(erased.map(({ id }) => id)).toEqual([fromFile.id, ofBooking.id])
  // Three entries concern the import; an erasure reads its own once more.
  expect(entriesRead).toHaveLength(5)
  expect((await writer.read(fromFile.path)).status).toBe(404)
  expect((await writer.read('/bookings/one')).body).not.toContain(ofBooking.id)
  for (const stays of [ofWebsite, joinedBefore])
    expect((await writer.read(stays.path)).status).toBe(200)
})

test('erasing a person removes them as the contact of sign-ups for others', async () => {
  const writer = await newWriter(fields)
  const email = 'Ana.Zqparent@Unique-Contact.test'
  await writer.send('PUT', '/members/parent', { 'Full Name': 'Ana Zqparent', 'E-mail': email })
  await writer.send('PUT', '/members/child', { 'Full Name': 'Bo' })
  await writer.send('PUT', '/events/event', { name: 'Lanterns' })
  const signUpFor = async (bookingId: string, memberId: string) => {
    const booking = { eventId: 'event', memberId, userName: 'Bo' }
    expect((await writer.send('PUT', `/bookings/${bookingId}`, booking)).status).toBe(201)
    const contact = { name: 'Ana Zqparent', email: email.toLowerCase() }
    const answers = { School: 'Hill School', 'E-mail': email, Tags: ['a', 'b'] }
    await env.DB.prepare(
      `INSERT INTO sign_ups (organisation_id, booking_id, event_id, person_hash, contact, answers,
        question_answers, delete_after) VALUES (?, ?, 'event', ?, ?, ?, ?, '2999-01-01')`,
    )
      .bind(
        ...[writer.id, bookingId, `hash of ${bookingId}`, JSON.stringify(contact)],
        ...[
          JSON.stringify(answers),
          JSON.stringify({ diet: 'None', contact: email, parent: ' ana zqparent' }),
        ],
      )
      .run()
    await env.DB.prepare("INSERT INTO booking_links VALUES (?, ?, ?, '2026-01-01', 1)")
      .bind(`${writer.id} ${bookingId}`, writer.id, bookingId)
      .run()
  }
  const request = { contact: { name: 'Ana Zqparent', email }, attendees: [{ name: 'Bo' }] }
  await env.DB.prepare(
    `INSERT INTO sign_up_requests VALUES (?, 'request', 'event', ?, '2026-01-01', 1, '2999-01-01')`,
  )
    .bind(writer.id, JSON.stringify(request))
    .run()
  const draft = JSON.stringify({ saved: '2026-01-01', page: '0', values: [['q.q', 'Zqparent']] })
  // A booking of another system, with an address that is only there.
  const booked = {
    memberId: 'parent',
    userName: 'Ana Zqparent',
    userEmail: 'Work@Unique-Contact.test',
  }
  await writer.send('PUT', '/bookings/elsewhere', { eventId: 'event', ...booked })
  const named = JSON.stringify({ name: 'Ana Zqparent', email: 'Work@Unique-Contact.test' })
  const toHer = JSON.stringify({ subject: 'You are late', text: 'Where are you?' })
  const toOthers = JSON.stringify({
    subject: 'ANA ZQPARENT is ill',
    text: `Write to ${email}. Ana Zqparent and Zoe are friends.`,
    hasLink: true,
  })
  const invitation = JSON.stringify({ invited: [{ kind: 'members', id: 'parent' }] })
  for (const [table, values] of [
    ['mailings', `'m', 'event', 'event', '${toOthers}', 2, '2026-01-01', 'Zoe', '2999-01-01'`],
    ['mailings', `'own', 'event', 'event', '${toHer}', 1, '2026-01-01', 'Zoe', '2999-01-01'`],
    [
      'mailing_messages',
      `'own', 'work@unique-contact.test', '${named}', 'sent', 1, NULL, '2026-01-01'`,
    ],
    ['mailing_messages', `'m', '${email.toLowerCase()}', '{}', 'sent', 1, NULL, '2026-01-01'`],
    ['mailing_messages', `'m', 'zoe@oak.test', '${invitation}', 'sent', 1, NULL, '2026-01-01'`],
    [
      'form_links (organisation_id, hash, form_id, kind, person_id, created, expires, draft)',
      `'${writer.id} hash', 'f', 'members', 'parent', '2026-01-01', '2999-01-01', '${draft}'`,
    ],
  ])
    await env.DB.prepare(`INSERT INTO ${table} VALUES (?, ${values})`).bind(writer.id).run()
  await signUpFor('of-child', 'child')
  await signUpFor('nobody', '')
  await signUpFor('deleted', 'child')
  expect((await writer.send('DELETE', '/bookings/deleted')).status).toBe(204)

  const everything = await (await writer.get('/members/parent/$everything')).json<{
    signUps: object[]
    messages: object[]
    drafts: object[]
  }>()
  expect(everything.drafts).toEqual([
    { formId: 'f', saved: '2026-01-01', entries: [{ control: 'q.q', value: 'Zqparent' }] },
  ])
  expect(everything.messages).toMatchObject([{ address: email.toLowerCase(), purpose: 'event' }])
  const contact = { name: 'Ana Zqparent', email: email.toLowerCase() }
  expect(everything.signUps).toEqual(
    ['of-child', 'nobody'].map((bookingId) => ({
      ...{ bookingId, contact },
      ...{ answers: {}, questionAnswers: {} },
    })),
  )
  const preview = await previewErasure(trustedStore(env.DB, writer.id, { by: 'command line' }), {
    kind: 'members',
    id: 'parent',
  })
  expect(preview.found.matched).toEqual(
    ['of-child', 'nobody'].map((id) => ({ collection: 'bookings', id, isOwn: false })),
  )
  await erase(writer, '/members/parent')
  expect(await findStoredForms([email, 'Zqparent'])).toEqual([])
  expect(
    await rows('SELECT recipient FROM mailing_messages WHERE organisation_id = ?', writer.id),
  ).toEqual([{ recipient: '{"invited":[]}' }])
  const texts = await rows(
    'SELECT content FROM mailings WHERE organisation_id = ? ORDER BY id',
    writer.id,
  )
  expect(texts.map(({ content }) => JSON.parse(String(content)))).toEqual([
    { subject: '… is ill', text: 'Write to …. … and Zoe are friends.', hasLink: true },
    {},
  ])
  const { results } = await env.DB.prepare(
    'SELECT answers, question_answers FROM sign_ups WHERE organisation_id = ? ORDER BY booking_id',
  )
    .bind(writer.id)
    .all()
  expect(results).toEqual(
    Array(2).fill({
      answers: '{"School":"Hill School","Tags":["a","b"]}',
      question_answers: '{"diet":"None"}',
    }),
  )
  const links = await env.DB.prepare('SELECT 1 FROM booking_links WHERE organisation_id = ?')
    .bind(writer.id)
    .all()
  expect(links.results).toEqual([])
  expect((await writer.read('/bookings/of-child')).status).toBe(200)
  const [deleted] = await rows(
    `SELECT attached -> '$.signUp' AS sign_up FROM history
      WHERE organisation_id = ? AND id = 'deleted' AND attached IS NOT NULL`,
    writer.id,
  )
  expect(JSON.parse(String(deleted?.sign_up))).toMatchObject({
    contact: { name: '', email: '' },
    answers: { School: 'Hill School', Tags: ['a', 'b'] },
    questionAnswers: { diet: 'None' },
    links: [],
  })
})
