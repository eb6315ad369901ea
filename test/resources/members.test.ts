import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { refreshAreas } from '../../src/admin/refresh-areas.ts'
import { createDestination } from '../../src/import/destination/destination.ts'
import { importRecords } from '../../src/import/import-records.ts'
import { createPersonTarget } from '../../src/import/targets/person-target.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { RunningImport } from '../../src/store/imports/running-import.ts'
import { fieldObjects, fieldObjectsWithOptions, fields, personOf } from '../examples/people.ts'
import { fileOf } from '../import/table/files.ts'
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

test('a postcode field is found in any case and spacing, by its id and no part of it', async () => {
  const { id: organisationId, get, json, put, schema } = await newOrganisation()
  const fields = ['Postcode', 'Work'].map((id) => ({ id, type: 'postcode' }))
  const parsed = parseSchema('members', { fields: [...fields, { id: 'Note', type: 'text' }] })
  const kept = { name: 'Members', fields: parsed.data?.fields ?? [] }
  await schema('members', kept.fields)
  const members = [
    { memberId: 'm1', Postcode: 'sW1a  1aA', Work: 'E1 6AN' },
    { memberId: 'm2', Postcode: 'E1 6AN', Note: 'E1 6AN' },
    { memberId: 'm3', Postcode: '10 115' },
    { memberId: 'm4', Postcode: 'E1' },
  ]
  const parts = {
    store: operatorStore(env.DB, organisationId),
    geography: env.GEOGRAPHY,
  }
  const file = fileOf(JSON.stringify(members), 'members.json', 100)
  const run = new RunningImport(parts.store, { collection: 'members' })
  const destination = createDestination(parts, 'members', run)
  await importRecords(file, createPersonTarget('members', kept), destination)
  // Stored by an earlier version without a normalised key: found by its exact spelling, and by any spelling once refreshed.
  await put('members', [{ id: 'm5', document: { memberId: 'm5', Postcode: 'e16an' } }])
  const found = async (query: string) => {
    const { members } = await json<{ members: { memberId: string }[] }>(`/members?${query}`)
    return members.map(({ memberId }) => memberId)
  }
  for (const [query, ids] of Object.entries({
    'Postcode=SW1A1AA': ['m1'],
    'Postcode=sW1a%20%201aA': ['m1'],
    'Postcode=e16AN': ['m2'],
    'Postcode=e16an': ['m2', 'm5'],
    'Work=e16an': ['m1'],
    'Work=e16an&Postcode=sw1a1aa': ['m1'],
    'Postcode=10115': ['m3'],
    'Postcode=E1': ['m4'],
    'Postcode=SW1A': [],
    'Note=e16an': [],
  })) {
    expect([query, await found(query)]).toEqual([query, ids])
  }
  await refreshAreas(env.DB, env.GEOGRAPHY, organisationId, { members: kept })
  expect(await found('Postcode=E1 6AN')).toEqual(['m2', 'm5'])
  expect(await found('Postcode=E1 6AN&limit=1&offset=1')).toEqual(['m5'])
  expect(await (await get('/members')).text()).not.toContain('$postcode')
})

test('a schema that has changed decides how a filter compares', async () => {
  const { id: organisationId, json, put, schema } = await newOrganisation()
  const field = { id: 'Home', name: 'Home', label: 'Home', order: 0 }
  await schema('members', [{ ...field, type: 'text' }])
  await put('members', [{ id: 'm', document: { Home: 'E1 6AN', '$postcode.Home': 'E16AN' } }])
  expect(await json('/members?Home=e16an')).toMatchObject({ members: [] })
  await env.DB.prepare('UPDATE schemas SET fields = ? WHERE organisation_id = ?')
    .bind(JSON.stringify([{ ...field, type: 'postcode' }]), organisationId)
    .run()
  expect(await json('/members?Home=e16an')).toMatchObject({ members: [{ memberId: 'm' }] })
})

test('an unknown filter is answered with a warning that suggests the nearest field', async () => {
  const { get, schema } = await newOrganisation()
  const fields = ['Phone', 'Prénom "x"', 'demographics.ethnicity']
  await schema(
    'members',
    fields.map((id, order) => ({ id, name: id, label: id, type: 'text', order })),
  )
  for (const [query, nearest] of [
    ['members?phone=1', 'Phone'],
    ['members?Phoen=1&Phone=2', 'Phone'],
    ['members?Prenom%20x=1', 'Pr%C3%A9nom %22x%22'],
    [`members?${'x'.repeat(250)}=1`, ''],
    ['events?bookble=true', 'bookable'],
    ['events?venue.postcod=E1', 'venue.postcode'],
    ['bookings?event=1', 'eventId'],
  ] as const) {
    const warning = async (format: string) =>
      (await get(`/${query}&$format=${format}`)).headers.get('Warning')
    const answer = await warning('json')
    expect([await warning('csv'), await warning('ndjson')]).toEqual([answer, answer])
    expect(answer, query).toMatch(
      /^299 - "Unknown filter \\"[\x20-\x7e]{1,64}\\"\. Did you mean \\"[\x20-\x7e]*\\"\?"$/,
    )
    expect(answer).toContain(`Did you mean \\"${nearest}`)
  }
  for (const query of [
    'members?Phone=1&memberId=2&demographics.ethnicity=3',
    'volunteers?postcode=E1&volunteerId=1',
    'events?tags=a&venue.postcode=E1',
    'funds?isOpenCall=true&financials.totalAmount=1&assessment=x',
    'grant-applications?recipientOrgId=1',
    'members',
    'partners?limit=1',
  ]) {
    const { headers } = await get(`/${query}`)
    expect([query, headers.get('Warning')]).toEqual([query, null])
  }
})
