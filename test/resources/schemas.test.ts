import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { getWith, newPerson } from '../auth/identity.ts'
import { fields } from '../examples/people.ts'
import { createKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'

test('a schema is at the top and under schema, with every property of its fields', async () => {
  const { get, schema, id } = await newOrganisation()
  await schema('members', fields, 'Our people')
  const shown = { organisationId: id, schemaId: 'master', name: 'Our people', fields }
  for (const query of ['', '?kind=members', `?organisationId=${id}`]) {
    const answer = await get(`/schemas/${id}${query}`)
    expect(await answer.text()).toBe(JSON.stringify({ ...shown, schema: shown }))
  }
})

test('a key that only creates members sees the fields of members that it can set', async () => {
  const { get, schema, id, add } = await newOrganisation()
  const area = { id: 'Postcode.ward', name: 'ward', label: 'Ward', type: 'text', order: 9 }
  await schema('members', [...fields, area])
  for (const kind of ['volunteers', 'partners'] as const) await schema(kind, fields)
  const seen = async (permissions: string[], hideFields: string[] = []) => {
    const restrictions = { hideFields, collections: ['members'] }
    const args = [env, id, 'form', 'a test', undefined, permissions, restrictions] as const
    const headers = { 'x-api-key': (await createKey(...args)).key }
    const response = await get(`/schemas/${id}`, { headers })
    for (const kind of ['volunteers', 'partners'])
      expect((await get(`/schemas/${id}?kind=${kind}`, { headers })).status).toBe(403)
    return response.status === 200 ? (await response.json<{ fields: object[] }>()).fields : []
  }
  expect(await seen(['create-members'])).toEqual(fields)
  expect(await seen(['write'])).toEqual(fields)
  expect(await seen(['read'])).toEqual([...fields, area])
  expect(await seen(['create-members'], ['Email'])).toEqual(
    fields.filter(({ id }) => id !== 'Email'),
  )
  const steward = newPerson()
  await add(steward.email, 'steward')
  expect((await getWith(await steward.token(), `/schemas/${id}`)).status).toBe(403)
})

test('kind chooses among the schemas of the organisation', async () => {
  const { get, json, schema, id } = await newOrganisation()
  for (const kind of ['members', 'volunteers', 'partners'] as const) await schema(kind, [], kind)
  for (const kind of ['members', 'volunteers', 'partners']) {
    expect(await json(`/schemas/${id}?kind=${kind}`)).toMatchObject({
      name: kind,
      schema: { name: kind },
    })
  }
  const answer = await get(`/schemas/${id}?kind=events`)
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { type: 'BAD_REQUEST', message: 'kind: must be one of: members, volunteers, partners.' },
  ])
})

test("another organisation's is 401 before anything else is looked at, and none is 404", async () => {
  const stranger = await newOrganisation()
  await stranger.schema('members', fields)
  const { get, id } = await newOrganisation()
  for (const [path, status, type] of [
    [stranger.id, 401, 'UNAUTHORIZED'],
    ['nowhere', 401, 'UNAUTHORIZED'],
    [`${stranger.id}?kind=events&other=1`, 401, 'UNAUTHORIZED'],
    [id, 404, 'NOT_FOUND'],
    [`${id}?kind=partners`, 404, 'NOT_FOUND'],
  ]) {
    const answer = await get(`/schemas/${path}`)
    expect([path, answer.status]).toEqual([path, status])
    expect(await answer.json()).toEqual({ type, message: expect.any(String) })
  }
})
