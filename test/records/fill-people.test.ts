import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { failingDatabase, requestWith } from '../faults/failing-database.ts'
import { createKey } from '../keys.ts'
import { newWriter, type Writer } from '../resources/writing.ts'

const fields = ['Name', 'Goal', 'City'].map((id, order) => ({
  id,
  name: id,
  label: id,
  order,
  type: 'text',
}))

/** An organisation with a schema form and a member, Ada, who lives in Leeds. */
async function withForm() {
  const writer = await newWriter(fields)
  const { send } = writer
  await send('PUT', '/forms/f', { type: 'survey', schemaForm: true, formFor: 'Members' })
  await send('PUT', '/members/a', { Name: 'Ada', City: 'Leeds' })
  return writer
}

const response = (date: string, answers: Record<string, unknown>) => ({
  surveyId: 'f',
  date,
  linkedEntities: { memberIds: ['a'] },
  responses: Object.entries(answers).map(([questionId, response]) => ({ questionId, response })),
})

const sendFile = ({ send, key }: Writer, collection: string, type: string, text: string) =>
  send('POST', `/imports?collection=${collection}`, text, {
    ...{ 'x-api-key': key, 'Content-Type': type },
  })

const valuesOf = async ({ json }: Writer) => {
  const { member } = await json<{ member: { fields: { key: string; value: unknown }[] } }>(
    '/members/a',
  )
  return Object.fromEntries(member.fields.map(({ key, value }) => [key, value]))
}

const past = '2024-01-01T00:00:00.000Z'
const future = '2999-01-01T00:00:00.000Z'

test.each([
  ['POST', '/survey-responses', { responseId: 'r', ...response(past, { Goal: 'Swim' }) }],
  ['PUT', '/survey-responses/r', response(past, { Goal: 'Swim' })],
  [
    'PATCH',
    '/survey-responses',
    { surveyResponses: [{ responseId: 'r', ...response(past, { Goal: 'Swim' }) }] },
  ],
  [
    'POST',
    '/imports?collection=survey-responses',
    [{ responseId: 'r', ...response(past, { Goal: 'Swim' }) }],
  ],
])(
  'an answer by %s %s fills a field at once, and no value given later',
  async (method, path, body) => {
    const writer = await withForm()
    expect((await writer.send(method, path, body)).ok).toBe(true)
    expect(await valuesOf(writer)).toEqual({ Name: 'Ada', City: 'Leeds', Goal: 'Swim' })
    const more = response(past, { Goal: 'Run', City: 'York' })
    await writer.send('PATCH', '/survey-responses/r', more)
    expect(await valuesOf(writer)).toEqual({ Name: 'Ada', City: 'Leeds', Goal: 'Swim' })
  },
)

test('imports and repeated responses leave a cleared value cleared, and a later answer fills it', async () => {
  const writer = await withForm()
  const { send } = writer
  await send('PUT', '/survey-responses/r', response(past, { Goal: 'Swim', City: 'York' }))
  await send('PATCH', '/members/a', { Goal: null, City: '' })
  const imports = [
    ['members', 'text/csv', 'memberId,Name\na,Ada\n'],
    ['members', 'text/csv', 'memberId,Name,City\na,Ada B,\n'],
    [
      'survey-responses',
      'application/json',
      JSON.stringify([{ responseId: 's', ...response(past, { Goal: 'Swim', City: 'York' }) }]),
    ],
  ] as const
  for (const [collection, type, text] of imports) {
    expect((await sendFile(writer, collection, type, text)).status).toBe(200)
    expect(Object.keys(await valuesOf(writer))).toEqual(['Name'])
  }
  await send('PATCH', '/survey-responses/r', { tags: ['again'] })
  await send('PUT', '/members/a', { Name: 'Ada' })
  expect(await valuesOf(writer)).toEqual({ Name: 'Ada' })
  await send('PUT', '/survey-responses/t', response(future, { City: 'Hull' }))
  expect(await valuesOf(writer)).toEqual({ Name: 'Ada', City: 'Hull' })
  await send('PUT', '/members/a', { Name: 'Ada' })
  await sendFile(writer, 'members', 'text/csv', 'memberId,Name\na,Ada C\n')
  expect(await valuesOf(writer)).toEqual({ Name: 'Ada C' })
})

test('a key restricted to responses fills the linked people, in its organisation alone', async () => {
  const [writer, other] = [await withForm(), await withForm()]
  const may = ['read', 'write']
  const restrictions = { collections: ['survey-responses'] }
  const { key } = await createKey(env, writer.id, 'forms', 'a test', undefined, may, restrictions)
  const headers = { 'x-api-key': key }
  const body = response(past, { Goal: 'Swim' })
  expect((await writer.send('PUT', '/survey-responses/r', body, headers)).status).toBe(201)
  expect(await valuesOf(writer)).toMatchObject({ Goal: 'Swim' })
  expect(await valuesOf(other)).toEqual({ Name: 'Ada', City: 'Leeds' })
})

test('an import that breaks off anywhere fills the people when it is sent again', async () => {
  const muted = vi.spyOn(console, 'error').mockImplementation(() => {})
  const writer = await withForm()
  const { send, key } = writer
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
  let broken = 0
  for (; ; broken++) {
    const date = `2999-01-01T00:00:${String(broken).padStart(2, '0')}.000Z`
    const body = JSON.stringify([{ responseId: 'r', ...response(date, { Goal: date }) }])
    const { DB, happened } = failingDatabase('overloaded before', (call) => call === broken)
    const path = '/imports?collection=survey-responses'
    const answer = await requestWith({ DB }, path, { method: 'POST', headers, body })
    if (happened.errors === 0) break
    expect(answer.status).toBe(503)
    expect((await send('POST', path, body)).status).toBe(200)
    expect(await valuesOf(writer)).toMatchObject({ Goal: date })
  }
  expect(broken).toBeGreaterThan(5)
  muted.mockRestore()
})
