import { expect, test } from 'vitest'
import { fieldObjects, fieldObjectsWithOptions, fields, personOf } from '../examples/people.ts'
import { newOrganisation } from '../organisation.ts'

async function withMembers(...ids: string[]) {
  const organisation = await newOrganisation()
  await organisation.schema('members', fields, 'Our people')
  await organisation.put(
    'members',
    ids.map((id) => personOf('memberId', id)),
  )
  const schemaInfo = {
    organisationId: organisation.id,
    schemaId: 'master',
    name: 'Our people',
    _links: { schema: { href: `/api/v1/schemas/${organisation.id}` } },
  }
  return { ...organisation, schemaInfo }
}

test('a list shows the fields that have a value, in schema order, each member with its schemaInfo', async () => {
  const { get, schemaInfo } = await withMembers('m1', 'm2')
  const members = ['m1', 'm2'].map((memberId) => ({ memberId, fields: fieldObjects, schemaInfo }))
  expect(await (await get('/members')).text()).toBe(
    JSON.stringify({ members, offset: 0, limit: 100 }),
  )
  expect(await (await get('/members?limit=1&offset=1')).text()).toBe(
    JSON.stringify({ members: members.slice(1), offset: 1, limit: 1 }),
  )
})

test('a single shows the options of select fields too', async () => {
  const { get, schemaInfo } = await withMembers('m1')
  expect(await (await get('/members/m1')).text()).toBe(
    JSON.stringify({ member: { memberId: 'm1', fields: fieldObjectsWithOptions }, schemaInfo }),
  )
})

test("another organisation's member is 403, an unknown one 404, one's own of the same id is shown", async () => {
  const stranger = await withMembers('shared', crypto.randomUUID())
  const { get, json } = await withMembers('shared')
  const theirs = crypto.randomUUID()
  await stranger.put('members', [personOf('memberId', theirs)])
  for (const [id, status, type] of [
    [theirs, 403, 'FORBIDDEN'],
    [crypto.randomUUID(), 404, 'NOT_FOUND'],
  ]) {
    const answer = await get(`/members/${id}`)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({ type, message: expect.stringContaining('member') })
  }
  expect(await json('/members/shared')).toMatchObject({ member: { memberId: 'shared' } })
  expect(await json('/members')).toMatchObject({ members: [{ memberId: 'shared' }] })
})

test('a filter names a whole field id', async () => {
  const { json } = await withMembers('m1', 'm2')
  for (const [query, found] of Object.entries({
    'memberId=m2': ['m2'],
    'Full%20Name=Ada%20Obi': ['m1', 'm2'],
    'full%20name=Ada%20Obi': [],
    'Phone=07700900123&memberId=m1': ['m1'],
    'demographics.age=0': ['m1', 'm2'],
    'consent=FALSE': ['m1', 'm2'],
    'views=b': ['m1', 'm2'],
    'volunteerId=m1': [],
    'postcode=SW1A1AA': [],
    demographics: [],
  })) {
    const { members } = await json<{ members: { memberId: string }[] }>(`/members?${query}`)
    expect([query, members.map(({ memberId }) => memberId)]).toEqual([query, found])
  }
})

test('without a schema there are members without fields', async () => {
  const { put, json } = await newOrganisation()
  await put('members', [personOf('memberId', 'm1')])
  expect(await json('/members')).toMatchObject({
    members: [{ memberId: 'm1', fields: [], schemaInfo: { name: 'Member Schema' } }],
  })
})
