import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { flushKeyUse } from '../../src/auth/key-use.ts'
import { readUsage } from '../../src/store/settings/usage.ts'
import { listAssistantCalls, listAudit } from '../audit.ts'
import { newPerson } from '../auth/identity.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { createKey, revokeKey } from '../keys.ts'
import { newOrganisation, request } from '../organisation.ts'
import { callTool, newAssistantKey, readTool, send } from './assistant.ts'

async function newFilled() {
  const organisation = await newOrganisation()
  await putEverything(organisation)
  return organisation
}

test('only a key of an assistant is accepted, also as a bearer token', async () => {
  const { id, key, act, add } = await newFilled()
  const assistant = await newAssistantKey(id)
  expect((await send(assistant, 'tools/list')).status).toBe(200)
  expect((await send('', 'tools/list', {}, bearer(assistant))).status).toBe(200)
  expect((await send(assistant, 'tools/list', {}, bearer(assistant))).status).toBe(400)
  const refused = await send(key, 'tools/list')
  expect([refused.status, await refused.json()]).toEqual([
    403,
    {
      type: 'FORBIDDEN',
      message:
        'This key does not have the `assistant` permission. An administrator can change it under Settings, Keys.',
    },
  ])
  const person = newPerson()
  await add(person.email, 'admin')
  await revokeKey(env.DB, act)
  for (const headers of [{}, bearer(await person.token()), bearer(key)])
    expect((await send('', 'tools/list', {}, headers)).status).toBe(401)
})

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

test('a key that is no longer an assistant’s is refused at once', async () => {
  const { id } = await newFilled()
  const { key, id: keyId } = await createKey(env, id, 'a', 'a', undefined, ['read', 'assistant'])
  expect((await callTool(key, 'describe')).isError).toBe(false)
  await env.DB.prepare("UPDATE api_keys SET permissions = 'read' WHERE id = ?").bind(keyId).run()
  const call = { name: 'get', arguments: { collection: 'events', id: 'event-1' } }
  expect((await send(key, 'tools/call', call)).status).toBe(403)
  await revokeKey(env.DB, { organisationId: id, id: keyId, by: 'a test' })
  expect((await send(key, 'tools/call', call)).status).toBe(401)
  expect(await listAssistantCalls(env.DB, id)).toHaveLength(1)
})

test('an assistant’s key cannot write', async () => {
  const { id } = await newFilled()
  const key = await newAssistantKey(id, {})
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  for (const [method, path] of [
    ['POST', '/members'],
    ['PUT', '/events/event-1'],
    ['DELETE', '/events/event-1'],
  ] as const)
    expect((await request(path, { method, headers, body: '{}' })).status).toBe(403)
})

test('another organisation’s records are as missing as unknown ones', async () => {
  const [one, other] = [await newFilled(), await newOrganisation()]
  const key = await newAssistantKey(other.id)
  const unknown = await callTool(key, 'get', { collection: 'members', id: 'nobody' })
  expect(unknown).toEqual({ isError: true, text: 'There is no member with this memberId.' })
  expect(await callTool(key, 'get', { collection: 'members', id: 'member-1' })).toEqual(unknown)
  const { collections } = await readTool<Described>(key, 'describe')
  expect(collections.map(({ records }) => records)).toEqual(collections.map(() => 0))
  const path = { name: 'describe', organisationId: one.id }
  expect((await send(key, 'tools/call', path)).status).toBe(200)
})

type Described = { today: string; collections: { collection: string; records: number }[] }
type DescribedCollection = { fields: { name: string }[] }

test('hidden collections, fields and private notes appear nowhere', async () => {
  const { id, put } = await newFilled()
  const note = everything['case-notes']
  const open = { ...note?.document, noteId: 'open', isPrivate: false }
  await put('case-notes', [{ id: 'open', document: open }])
  const key = await newAssistantKey(id, {
    collections: ['members', 'case-notes', 'bookings'],
    privateNotes: false,
    hideFields: ['email', 'free text', 'demographics.age'],
  })
  const { collections } = await readTool<Described>(key, 'describe')
  expect(collections).toEqual([
    { collection: 'members', records: 1 },
    { collection: 'bookings', records: 1 },
    { collection: 'case-notes', records: 1 },
  ])
  for (const collection of ['events', 'nothing', 'toString']) {
    expect(await callTool(key, 'describe', { collection })).toEqual({
      isError: true,
      text: 'collection: must be one of: members, bookings, case-notes.',
    })
    expect((await callTool(key, 'changes', { collection })).isError).toBe(true)
    expect((await callTool(key, 'get', { collection, id: 'event-1' })).isError).toBe(true)
  }
  const { fields } = await readTool<DescribedCollection>(key, 'describe', { collection: 'members' })
  expect(fields.map(({ name }) => name)).toEqual(
    expect.not.arrayContaining(['Email', 'demographics.age']),
  )
  const member = await readTool<object>(key, 'get', { collection: 'members', id: 'member-1' })
  expect(member).toEqual({
    memberId: 'member-1',
    'Full Name': 'Ada Obi',
    Phone: '07700900123',
    Postcode: 'sw1a 1aa',
    consent: false,
    view: 'b',
    views: ['a', 'b'],
  })
  const booking = await readTool<object>(key, 'get', { collection: 'bookings', id: 'booking-1' })
  expect(booking).not.toHaveProperty('userEmail')
  expect((await callTool(key, 'get', { collection: 'case-notes', id: 'note-1' })).text).toBe(
    'There is no case note with this noteId.',
  )
  const visible = await readTool<object>(key, 'get', { collection: 'case-notes', id: 'open' })
  expect(visible).toMatchObject({ noteId: 'open', tags: ['Visit'] })
  expect(visible).not.toHaveProperty('content')
  for (const [tool, collection, input] of [
    ['query', 'members', { filter: "Email eq 'x'" }],
    ['query', 'members', { orderBy: 'Email' }],
    ['query', 'members', { select: 'Email' }],
    ['count', 'members', { by: 'Email' }],
    ['query', 'bookings', { filter: "userEmail eq 'x'" }],
    ['query', 'bookings', { select: 'userEmail' }],
    ['summarise', 'members', { by: 'Email' }],
    ['summarise', 'bookings', { by: 'member.Email' }],
    ['count', 'bookings', { by: 'userEmail' }],
    ['count', 'bookings', { by: 'event.tags' }],
    ['count', 'bookings', { by: 'member.Email' }],
  ] as const) {
    const [name = ''] = Object.values(input).map((text) => text.split(' ')[0] ?? '')
    const unknown = JSON.parse(JSON.stringify(input).replace(name, 'Zzzzz'))
    const { text } = await callTool(key, tool, { collection, ...input })
    expect(text).toContain(`There is no field "${name}".`)
    expect(text).not.toMatch(/mean "(Email|userEmail|event\.)/)
    const other = await callTool(key, tool, { collection, ...unknown })
    expect(other.text).toContain('There is no field "Zzzzz".')
  }
  const notes = { collection: 'case-notes' }
  expect(await readTool(key, 'count', notes)).toEqual({ total: 1 })
  expect(await readTool(key, 'count', { ...notes, by: 'isPrivate' })).toMatchObject({ total: 1 })
  const listed = await readTool<{ records: object[] }>(key, 'query', notes)
  expect(listed.records).toMatchObject([{ noteId: 'open' }])
  const { changes } = await readTool<{ changes: { collection: string; id: string }[] }>(
    key,
    'changes',
  )
  expect(changes.map((change) => change.collection)).not.toContain('events')
  expect(changes.map((change) => change.id)).not.toContain('note-1')
})

test('every call is in the audit log without its input, and counts as usage', async () => {
  const { id } = await newFilled()
  const key = await newAssistantKey(id)
  await readTool(key, 'describe')
  await readTool(key, 'get', { collection: 'members', id: 'member-1' })
  await callTool(key, 'get', { collection: 'case-notes', id: 'Xylophonia' })
  await callTool(key, 'get', { collection: 'Xylophonia', id: 'member-1', more: 'Xylophonia' })
  await callTool(key, 'changes', { cursor: 'Xylophonia' })
  const actor = `Claude (${key.slice(0, 8)}…)`
  expect(await listAssistantCalls(env.DB, id)).toEqual(
    [
      ['assistant: changes', 'all collections'],
      ['assistant: get', 'all collections'],
      ['assistant: get', 'case-notes'],
      ['assistant: get', 'members'],
      ['assistant: describe', 'all collections'],
    ].map(([action, target]) => ({ at: expect.any(String), actor, action, target })),
  )
  const actions = (await listAudit(env.DB, id)).map(({ action }) => action)
  expect(actions).toEqual(['created key', 'created key'])
  await flushKeyUse(env, Number.NEGATIVE_INFINITY)
  expect(await readUsage(operatorStore(env.DB, id), { days: 1, daily: false })).toMatchObject([
    { collection: 'mcp', requests: 5, records: 0 },
    { collection: 'members', requests: 0, records: 1 },
  ])
})
