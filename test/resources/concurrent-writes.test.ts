import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { requestWith, wrapDatabase } from '../faults/failing-database.ts'
import { newWriter } from './writing.ts'

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
