import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { fillAllPeople } from '../../src/records/fill-people.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { newOrganisation } from '../organisation.ts'

const parsed = parseSchema('members', {
  fields: [
    { id: 'Phone', type: 'phone' },
    { id: 'age', type: 'number' },
    { id: 'City', type: 'text' },
  ],
})
const members = { name: '', fields: parsed.data?.fields ?? [] }

const response = (
  id: string,
  surveyId: string,
  date: string,
  answers: Record<string, unknown>,
) => ({
  id,
  document: {
    responseId: id,
    surveyId,
    date,
    responses: Object.entries(answers).map(([questionId, response]) => ({ questionId, response })),
    linkedEntities: { memberIds: ['m1'] },
  },
})

async function withForm() {
  const organisation = await newOrganisation()
  await organisation.schema('members', members.fields)
  await organisation.put('forms', [
    { id: 'about', document: { formId: 'about', schemaForm: true, formFor: 'Members' } },
    { id: 'other', document: { formId: 'other', schemaForm: false, formFor: 'Members' } },
  ])
  return {
    ...organisation,
    embed: () =>
      fillAllPeople({
        store: operatorStore(env.DB, organisation.id),
        geography: env.GEOGRAPHY,
      }),
    values: async () => {
      const { member } = await organisation.json<{
        member: { fields: { key: string; value: unknown }[] }
      }>('/members/m1')
      return Object.fromEntries(member.fields.map(({ key, value }) => [key, value]))
    },
  }
}

test('the latest answer by date wins in any order, and embedding again changes nothing', async () => {
  const { put, embed, values } = await withForm()
  await put('survey-responses', [
    response('r2', 'about', '2024-02-01T00:00:00.000Z', { Phone: '0117 496 0002', age: 'many' }),
    response('r1', 'about', '2024-01-01T00:00:00.000Z', { Phone: '0117 496 0001', age: 40 }),
    response('r3', 'other', '2024-03-01T00:00:00.000Z', { Phone: '0117 496 0003' }),
  ])
  await put('members', [{ id: 'm1', document: { City: 'Leeds' } }])
  const expected = { Phone: '0117 496 0002', age: 40, City: 'Leeds' }
  for (let times = 0; times < 2; times++) {
    await embed()
    expect(await values()).toEqual(expected)
  }
})

test('a later edit stays until a newer answer', async () => {
  const { put, embed, values } = await withForm()
  await put('members', [{ id: 'm1', document: { Phone: '0117 496 0000' } }])
  await put('survey-responses', [
    response('r1', 'about', '2024-01-01T00:00:00.000Z', { Phone: '0117 496 0001' }),
  ])
  await embed()
  expect(await values()).toEqual({ Phone: '0117 496 0000' })
  await put('survey-responses', [
    response('r2', 'about', '2999-01-01T00:00:00.000Z', { Phone: '0117 496 0002' }),
  ])
  await embed()
  expect(await values()).toEqual({ Phone: '0117 496 0002' })
})

test('a newer answer replaces an older one', async () => {
  const { put, embed, values } = await withForm()
  await put('members', [{ id: 'm1', document: {} }])
  for (const [id, year] of [
    ['r1', 2020],
    ['r3', 2022],
    ['r2', 2021],
  ] as const) {
    await put('survey-responses', [
      response(id, 'about', `${year}-01-01T00:00:00.000Z`, { City: `in ${year}` }),
    ])
    await embed()
  }
  expect(await values()).toEqual({ City: 'in 2022' })
})

test('members and forms of other organisations embed nothing', async () => {
  const [one, other] = [await withForm(), await withForm()]
  const at = '2999-01-01T00:00:00.000Z'
  await one.put('forms', [
    { id: 'own', document: { formId: 'own', schemaForm: true, formFor: 'Members' } },
  ])
  await one.put('survey-responses', [response('r1', 'about', at, { City: 'Leeds' })])
  await other.put('survey-responses', [response('r2', 'own', at, { City: 'York' })])
  for (const { put } of [one, other]) await put('members', [{ id: 'm1', document: {} }])
  for (const { embed } of [one, other]) await embed()
  expect(await one.values()).toEqual({ City: 'Leeds' })
  expect(await other.values()).toEqual({})
})
