import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { findSimilarValues } from '../../src/store/read/unique-values.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { findLinkedResponses } from '../../src/store/write/people.ts'
import { newOrganisation } from '../organisation.ts'

const many = 60
const ids = Array.from({ length: many }, (_, index) => `${index}`.padStart(3, '0'))

async function newStore(collection: string, documents: readonly object[]) {
  const { id, put } = await newOrganisation()
  await put(
    collection,
    documents.map((document, index) => ({ id: `${index}`, document })),
  )
  return { put, store: trustedStore(env.DB, id, { by: 'command line' }) }
}

test('similar values are refused beyond a number, however many records there are', async () => {
  const { store } = await newStore(
    'members',
    ids.map((id) => ({ Name: ` Name ${id}`, Town: id })),
  )
  const find = (maxRead: number) =>
    findSimilarValues(store, 'members', ['Name', 'Town'], ['name 007'], maxRead)
  expect(await find(2 * many)).toEqual([{ field: 'Name', value: ' Name 007' }])
  const { rowsRead } = store.cost
  await expect(find(2 * many - 1)).rejects.toMatchObject({ type: 'BAD_REQUEST' })
  expect(store.cost.rowsRead).toBeLessThan(4 * rowsRead)
  await expect(find(10)).rejects.toMatchObject({ message: expect.stringContaining('more than 10') })
  expect(store.cost.rowsRead).toBeLessThan(4 * rowsRead + 100)
})

test('responses linked to people are refused beyond a number, before any is read', async () => {
  const linkedEntities = { memberIds: ['ada'] }
  const { put, store } = await newStore(
    'survey-responses',
    ids.map(() => ({ surveyId: 'form', linkedEntities })),
  )
  const audience = { formFor: 'Members', linkedBy: 'linkedEntities.memberIds' }
  const find = (max: number) => findLinkedResponses(store, audience, ['ada', 'bob'], max)
  const fresh = trustedStore(env.DB, store.organisationId, { by: 'command line' })
  expect(await findLinkedResponses(fresh, audience, ['ada'])).toBeUndefined()
  expect(fresh.cost.rowsRead).toBeLessThan(10)
  await put('forms', [
    { id: 'form', document: { schemaForm: true, formFor: 'Members' } },
    { id: 'other', document: { schemaForm: true, formFor: 'Members' } },
  ])
  expect(await find(many)).toHaveLength(many)
  const { rowsRead } = store.cost
  expect(rowsRead).toBeLessThan(5 * many)
  await expect(find(many - 1)).rejects.toMatchObject({ type: 'BAD_REQUEST' })
  expect(store.cost.rowsRead - rowsRead).toBeLessThan(30)
})
