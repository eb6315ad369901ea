import { describe, expect, test } from 'vitest'
import { everything } from '../examples/everything.ts'
import { type Operation, readDocument } from '../http/openapi-document.ts'
import { schemaValidator } from '../http/schemas.ts'
import { collections, newWriter, plural, putExamples, statusAndMessage } from './writing.ts'

const { paths, components } = await readDocument()
const faultsOf = schemaValidator(components)
const bodyOf = (operation?: Operation) =>
  operation?.requestBody?.content['application/json']?.schema ?? false

describe.each(collections)('%s', (collection, singular, idName) => {
  const { id = '' } = everything[collection] ?? {}
  const path = `/${collection}/${id}`

  async function newFilledWriter() {
    const writer = await newWriter()
    await putExamples(writer)
    const before = await writer.read(path)
    const whole = JSON.parse(before.body)
    return { ...writer, before, whole, record: whole[singular] }
  }

  test('what a GET gives changes nothing when it is sent back, with its envelope and without', async () => {
    const { send, read, before, whole, record } = await newFilledWriter()
    for (const method of ['PUT', 'PATCH']) {
      for (const body of [whole, record]) {
        const answer = await send(method, path, body)
        expect([answer.status, answer.headers.get('ETag')]).toEqual([200, before.etag])
        expect(await answer.text()).toBe(before.body)
      }
    }
    const page = JSON.parse((await read(`/${collection}`)).body)
    const first = JSON.parse((await read(`/${collection}?$skiptoken=start`)).body)
    const { [`/${collection}`]: ofList, [`/${collection}/{${idName}}`]: ofRecord } = paths
    expect(faultsOf(bodyOf(ofRecord?.put), whole)).toEqual([])
    for (const list of [{ [plural(collection)]: [record] }, page, { ...first, next: '/' }]) {
      expect(faultsOf(bodyOf(ofList?.patch), list)).toEqual([])
      const count = list[plural(collection)].length
      const answer = await send('PATCH', `/${collection}`, list)
      expect(await answer.json()).toEqual({ created: 0, updated: 0, unchanged: count })
    }
    expect(await read(path)).toEqual(before)
  })

  test('what a GET gives makes a record of another id', async () => {
    const { send, read, before, whole, record } = await newFilledWriter()
    const { [idName]: _, ...others } = record
    const again = `/${collection}/a%2Fb`
    const response = await send('PUT', again, others)
    expect([response.status, response.headers.get('Location')]).toEqual([201, `/api/v1${again}`])
    const copy = await read(again)
    expect([response.headers.get('ETag'), await response.text()]).toEqual([copy.etag, copy.body])
    expect(copy.body.replaceAll('a/b', id)).toBe(before.body)
    if (collection === 'members') return
    const taken = await send('POST', `/${collection}`, whole)
    expect(await statusAndMessage(taken)).toEqual([
      409,
      expect.stringMatching(`^An? .* with this ${idName} already exists\\.$`),
    ])
    const body = { ...whole, [singular]: { ...record, [idName]: 'new' } }
    expect((await send('POST', `/${collection}`, body)).status).toBe(201)
    expect((await read(`/${collection}/new`)).body.replaceAll('"new"', `"${id}"`)).toBe(before.body)
  })

  test('only what a GET gives is taken as its envelope', async () => {
    const { send, read, before, whole, record } = await newFilledWriter()
    const others = [{ ...whole, x: 1 }, { [singular]: [record] }, { [singular]: null }]
    for (const body of others) expect((await send('PUT', path, body)).status).toBe(400)
    const list = { [plural(collection)]: [record], x: 1 }
    expect((await send('PATCH', `/${collection}`, list)).status).toBe(400)
    expect(await read(path)).toEqual(before)
  })
})

test('a group of fields may be called as the envelope of people is', async () => {
  const field = { id: 'member.name', name: 'member.name', label: 'Name', type: 'text', order: 0 }
  const { send, read } = await newWriter([field])
  expect((await send('PUT', '/members/m', { member: { name: 'Ada' } })).status).toBe(201)
  expect(JSON.parse((await read('/members/m')).body).member.fields).toMatchObject([
    { key: 'member.name', value: 'Ada' },
  ])
})

test('a form without a count of questions can be sent back', async () => {
  const { id, put, send, read } = await newWriter()
  const count = async (formId: string) =>
    JSON.parse((await read(`/forms/${formId}`)).body).form.questionCount
  await send('POST', '/forms', { formId: 'new', type: 'survey' })
  expect(await count('new')).toBe(0)
  const stored = {
    formId: 'old',
    type: 'survey',
    managedBy: id,
    questions: [],
    questionCount: null,
  }
  await put('forms', [{ id: 'old', document: { ...stored } }])
  await send('PATCH', '/forms/old', { name: 'A form' })
  for (const formId of ['new', 'old']) {
    const before = await read(`/forms/${formId}`)
    for (const method of ['PUT', 'PATCH']) {
      const answer = await send(method, `/forms/${formId}`, JSON.parse(before.body))
      expect([answer.status, answer.headers.get('ETag')]).toEqual([200, before.etag])
      expect(await answer.text()).toBe(before.body)
    }
  }
  expect(await count('old')).toBe(null)
})
