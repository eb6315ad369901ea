import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { requestWith, wrapDatabase } from '../faults/failing-database.ts'
import { expectOrganisationIndex } from '../store/whole-index.ts'
import { newWriter } from './writing.ts'

const event = (eventId: string, more: object = {}) => ({ eventId, name: eventId, ...more })

/** A member, and requests for it; the last argument is done between the read and the write of one. */
async function newMember() {
  const writer = await newWriter()
  const { key, send, read } = writer
  const path = `/members/${writer.id}`
  const fields = { 'Full Name': 'Ada', 'demographics.age': 0, consent: true }
  await send('PUT', path, fields)
  const write = async (
    method: string,
    body: object,
    headers: Record<string, string>,
    meanwhile: () => Promise<unknown>,
  ) => {
    let calls = 0
    const DB = wrapDatabase(env.DB, async (make) => {
      if (calls++ === 1) await meanwhile()
      return make()
    })
    const answer = await requestWith({ DB }, path, {
      method,
      headers: { 'x-api-key': key, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return answer.status
  }
  const values = async () => {
    const { member } = JSON.parse((await read(path)).body)
    const entries = member.fields.map((field: { key: string; value: unknown }) => [
      field.key,
      field.value,
    ])
    return Object.fromEntries(entries)
  }
  return { ...writer, path, fields, write, values }
}

test('a patch sets each value that it names, even if another request changes that value', async () => {
  const { send, path, write, values } = await newMember()
  const meanwhile = () => send('PATCH', path, { consent: false })
  const patch = { 'demographics.age': 4, consent: true }
  expect(await write('PATCH', patch, {}, meanwhile)).toBe(200)
  expect(await values()).toEqual({ 'Full Name': 'Ada', ...patch })
  const nested = { demographics: { age: 4 }, consent: true }
  expect(await write('PATCH', nested, {}, meanwhile)).toBe(200)
  expect(await values()).toEqual({ 'Full Name': 'Ada', ...patch })
})

test('a PUT of the same record overrides a concurrent change', async () => {
  const { send, path, fields, write, values } = await newMember()
  const meanwhile = () => send('PATCH', path, { consent: false })
  expect(await write('PUT', fields, {}, meanwhile)).toBe(200)
  expect(await values()).toEqual(fields)
})

test.each(['PUT', 'PATCH'])(
  'If-Match: * of a %s is any version, but no deleted record',
  async (method) => {
    const { send, read, path, write, values } = await newMember()
    const body = { 'Full Name': 'Bea' }
    const any = { 'If-Match': '*' }
    const changed = () => send('PATCH', path, { consent: false })
    expect(await write(method, body, any, changed)).toBe(200)
    expect(await values()).toMatchObject(body)
    const deleted = () => send('DELETE', path)
    expect(await write(method, { 'Full Name': 'Cem' }, any, deleted)).toBe(
      method === 'PUT' ? 412 : 404,
    )
    expect((await read(path)).status).toBe(404)
  },
)

test.each(['PUT', 'PATCH'])(
  'a %s with an ETag is answered as if it came after a concurrent change',
  async (method) => {
    const { send, read, path, write } = await newMember()
    const statusOf = async (meanwhile: () => Promise<unknown>) => {
      const { etag } = await read(path)
      return write(method, { 'Full Name': 'Bea' }, { 'If-Match': etag }, meanwhile)
    }
    expect(await statusOf(async () => {})).toBe(200)
    expect(await statusOf(() => send('PATCH', path, { consent: false }))).toBe(412)
    expect(await statusOf(() => send('DELETE', path))).toBe(method === 'PUT' ? 412 : 404)
  },
)

test('a PUT that clears what a concurrent PUT has cleared changes nothing', async () => {
  const { send, read, path, write } = await newMember()
  const body = { 'Full Name': 'Ada' }
  let first = ''
  const meanwhile = async () => {
    first = (await send('PUT', path, body)).headers.get('ETag') ?? ''
  }
  expect(await write('PUT', body, {}, meanwhile)).toBe(200)
  expect((await read(path)).etag).toBe(first)
})

test('50 writers at once: with If-Match one wins, without it the last, and nothing is torn', async () => {
  const { send, read } = await newWriter()
  await send('PUT', '/events/e', event('e'))
  const { etag } = await read('/events/e')
  const write = (index: number, headers = {}) =>
    send(
      'PUT',
      '/events/e',
      event('e', { colour: `c${index}`, venue: { name: `c${index}` } }),
      headers,
    )
  const places = Array.from({ length: 50 }, (_, index) => index)
  const matched = await Promise.all(places.map((index) => write(index, { 'If-Match': etag })))
  const statuses = matched.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 412)).toHaveLength(49)
  const all = await Promise.all(places.map((index) => write(index)))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  const { event: stored } = JSON.parse((await read('/events/e')).body)
  expect(stored.venue.name).toBe(stored.colour)
  const created = await Promise.all(
    places.map(() => send('PUT', '/events/new', event('new'), { 'If-None-Match': '*' })),
  )
  expect(created.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(created.filter(({ status }) => status === 412)).toHaveLength(49)
})

test('50 who patch one record at once are all heard', async () => {
  const { send, read, id } = await newWriter()
  await send('PUT', '/events/e', event('e'))
  const patches = [
    { name: '1' },
    { colour: '1' },
    { attendees: 1 },
    { bookable: true },
    { parentEventId: '1' },
    { tags: ['1'] },
    { venue: { name: '1' } },
    { venue: { address: '1' } },
    { bookingDetails: { price: 1 } },
    ...Array.from({ length: 41 }, (_, index) => ({ venue: { postcode: `${index}` } })),
  ]
  const answers = await Promise.all(patches.map((patch) => send('PATCH', '/events/e', patch)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { body, etag } = await read('/events/e')
  expect(JSON.parse(body).event).toMatchObject({
    name: '1',
    colour: '1',
    attendees: 1,
    bookable: true,
    parentEventId: '1',
    tags: ['1'],
    venue: { name: '1', address: '1', postcode: expect.stringMatching(/^\d+$/) },
    bookingDetails: { price: 1 },
  })
  await expectOrganisationIndex(id)
  const back = await send('PUT', '/events/e', JSON.parse(body).event)
  expect(back.headers.get('ETag')).toBe(etag)
  expect((await send('PATCH', '/events/e', { start: null, name: '1' })).headers.get('ETag')).toBe(
    etag,
  )
})

test('a person whom many change at once is changed by each, and is one of those they were replaced by', async () => {
  const { send, read } = await newWriter()
  const values = { 'Full Name': 'Ada', consent: false, view: 'b' }
  await send('PUT', '/members/m', values)
  const patches = [
    { consent: true },
    { view: 'a' },
    { Phone: '07700900123' },
    { Postcode: 'LS11 0ES' },
    ...Array.from({ length: 20 }, (_, index) => ({ 'Full Name': `A${index}` })),
  ]
  const all = async (method: string, bodies: object[]) => {
    const answers = await Promise.all(bodies.map((body) => send(method, '/members/m', body)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { member } = JSON.parse((await read('/members/m')).body)
    return member.fields.map(({ key, value }: { key: string; value: unknown }) => [key, value])
  }
  expect(await all('PATCH', patches)).toEqual([
    ['Full Name', expect.stringMatching(/^A\d+$/)],
    ['Phone', '07700900123'],
    ['Postcode', 'LS11 0ES'],
    ['consent', true],
    ['view', 'a'],
  ])
  const [[, name], [, postcode]] = await all(
    'PUT',
    Array.from({ length: 20 }, (_, index) => ({ 'Full Name': `n${index}`, Postcode: `n${index}` })),
  )
  expect(name).toBe(postcode)
})
