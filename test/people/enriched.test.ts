import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { refreshAreas } from '../../src/admin/refresh-areas.ts'
import { addAreas } from '../../src/records/person-rules.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { walkDocuments } from '../../src/store/read/walk-records.ts'
import { replacePeople } from '../../src/store/write/people.ts'
import { loadFacts } from '../geography/load-facts.ts'
import { newOrganisation } from '../organisation.ts'

const parsed = parseSchema('members', {
  fields: [
    { id: 'Full Name', type: 'text' },
    { id: 'Postcode', type: 'postcode' },
    { id: 'Email', type: 'email' },
  ],
})
const schema = { name: '', fields: parsed.data?.fields ?? [] }

beforeAll(() => loadFacts('2025-11'))
afterAll(() => env.GEOGRAPHY.prepare("UPDATE editions SET status = 'retired'").run())

async function withMember(postcode: string) {
  const organisation = await newOrganisation()
  await organisation.schema('members', schema.fields)
  const answer = await organisation.get('/members', {
    method: 'POST',
    headers: { 'x-api-key': organisation.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ 'Full Name': 'Ada', Postcode: postcode, Email: 'ada@example.org' }),
  })
  const { member } = await answer.json<{ member: { id: string } }>()
  const fields = async () =>
    (
      await organisation.json<{
        member: { fields: { key: string; value: string; label: string }[] }
      }>(`/members/${member.id}`)
    ).member.fields
  return { ...organisation, fields, memberId: member.id }
}

test('a new member with a postcode gets its areas, directly and by name', async () => {
  const { fields, json, memberId, id } = await withMember('sw1a1aa')
  const visible = await fields()
  expect(visible.slice(0, 3).map(({ key }) => key)).toEqual([
    'Full Name',
    'Postcode',
    'Postcode.country',
  ])
  expect(visible.at(-1)?.key).toBe('Email')
  expect(visible).toContainEqual({
    key: 'Postcode.ward',
    label: 'Postcode: Ward',
    value: "St James's",
    type: 'text',
  })
  expect(visible.find(({ key }) => key === 'Postcode.wardCode')?.value).toBe('E05013806')
  expect(visible.find(({ key }) => key === 'Postcode')?.value).toBe('sw1a1aa')
  expect(await json('/members?Postcode.ladCode=E09000033')).toMatchObject({
    members: [{ memberId }],
  })
  const answer = await json<{ fields: { id: string }[] }>(`/schemas/${id}`)
  expect(answer.fields.map(({ id }) => id).slice(1, 4)).toEqual([
    'Postcode',
    'Postcode.country',
    'Postcode.countryCode',
  ])
})

test('an unknown postcode adds nothing', async () => {
  const { fields } = await withMember('ZZ99 9ZZ')
  expect((await fields()).map(({ key }) => key)).toEqual(['Full Name', 'Postcode', 'Email'])
})

test('a refresh adds areas after a failure of the directory', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const broken: D1Database = Object.create(env.GEOGRAPHY, {
    prepare: {
      value: () => {
        throw new Error('D1_ERROR: Network connection lost.')
      },
    },
  })
  const values = { 'Full Name': 'Ada', Postcode: 'SW1A 1AA' }
  expect(await addAreas(broken, schema, [values])).toEqual([values])
  expect(log.mock.calls.join()).toContain('"event":"geography"')
  expect(log.mock.calls.join()).not.toContain('SW1A')
  log.mockRestore()

  const { id, put, json } = await newOrganisation()
  await put('members', [{ id: 'm1', document: values }])
  await refreshAreas(env.DB, env.GEOGRAPHY, id, { members: schema })
  expect(await json('/members?Postcode.ward=St James%27s')).toMatchObject({
    members: [{ memberId: 'm1' }],
  })
})

test('a new edition replaces every derived value', async () => {
  const { id, put, json } = await newOrganisation()
  const [old] = await addAreas(env.GEOGRAPHY, schema, [{ Postcode: 'SW1A 1AA' }])
  await put('members', [{ id: 'm1', document: { ...old, 'Postcode.parish': 'Gone' } }])
  await loadFacts('2026-02')
  await refreshAreas(env.DB, env.GEOGRAPHY, id, { members: schema })
  expect(await json('/members?Postcode.parish=Gone')).toMatchObject({ members: [] })
  expect(await json('/members?Postcode.wardCode=E05013806')).toMatchObject({
    members: [{ memberId: 'm1' }],
  })
})

test('a refresh skips a row number that another organisation has reused', async () => {
  const [own, other] = [await withMember('sw1a1aa'), await withMember('sw1a1aa')]
  const before = await other.fields()
  for await (const people of walkDocuments(operatorStore(env.DB, other.id), 'members', 1)) {
    const replaced = people.map((person) => ({ person, document: '{}' }))
    await replacePeople(env.DB, own.id, replaced, { by: 'command line' })
    expect(await other.fields()).toEqual(before)
    await replacePeople(env.DB, other.id, replaced, { by: 'command line' })
  }
  expect(await other.fields()).toEqual([])
})

test('a refresh changes no record when its areas stay the same', async () => {
  const { id, memberId, json } = await withMember('SW1A 1AA')
  const changes = () => json<{ changes: object[] }>('/changes')
  const before = await changes()
  expect(before).toMatchObject({ changes: [{ id: memberId, change: 'created' }] })
  const schemas = { members: schema }
  expect(await refreshAreas(env.DB, env.GEOGRAPHY, id, schemas)).toBe(1)
  await env.GEOGRAPHY.prepare("UPDATE editions SET status = 'retired'").run()
  expect(await refreshAreas(env.DB, env.GEOGRAPHY, id, schemas)).toBe(1)
  expect(await changes()).toEqual(before)
})
