import { describe, expect, test } from 'vitest'
import { fieldObjects, fieldObjectsWithOptions, fields, personOf } from '../examples/people.ts'
import { newOrganisation } from '../organisation.ts'

describe.each([
  { kind: 'volunteers', singular: 'volunteer', id: 'volunteerId', unnamed: 'Volunteer Schema' },
  { kind: 'partners', singular: 'partner', id: 'partnerId', unnamed: 'Partner Schema' },
] as const)('/$kind', ({ kind, singular, id: idName, unnamed }) => {
  async function withPostcodes(...postcodes: string[]) {
    const organisation = await newOrganisation()
    await organisation.schema(kind, fields, 'Our people')
    await organisation.put(
      kind,
      postcodes.map((Postcode, index) => personOf(idName, `p${index}`, { Postcode })),
    )
    const schemaInfo = {
      organisationId: organisation.id,
      schemaId: 'master',
      name: 'Our people',
      _links: { self: { href: `/api/v1/schemas/${organisation.id}` } },
    }
    return { ...organisation, schemaInfo }
  }

  test('a list shows fields in schema order and one schemaInfo for all', async () => {
    const { get, schemaInfo } = await withPostcodes('sw1a 1aa', 'sw1a 1aa')
    const people = ['p0', 'p1'].map((id) => ({ [idName]: id, fields: fieldObjects }))
    expect(await (await get(`/${kind}`)).text()).toBe(
      JSON.stringify({ [kind]: people, schemaInfo, offset: 0, limit: 100, total: 2 }),
    )
    expect(await (await get(`/${kind}?limit=1&offset=1`)).text()).toBe(
      JSON.stringify({ [kind]: people.slice(1), schemaInfo, offset: 1, limit: 1, total: 2 }),
    )
  })

  test('a single shows the options of select fields too', async () => {
    const { get, schemaInfo } = await withPostcodes('sw1a 1aa')
    const person = { [idName]: 'p0', fields: fieldObjectsWithOptions }
    expect(await (await get(`/${kind}/p0`)).text()).toBe(
      JSON.stringify({ [singular]: person, schemaInfo }),
    )
  })

  test("an unknown one and another organisation's are 404 alike", async () => {
    await withPostcodes('SW1A 1AA')
    const { get } = await newOrganisation()
    for (const id of ['p0', crypto.randomUUID()]) {
      const answer = await get(`/${kind}/${id}`)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({
        type: 'NOT_FOUND',
        message: `There is no ${singular} with this ${idName}.`,
      })
    }
  })

  test('postcode ignores case and spaces, and takes an outward code', async () => {
    const { json } = await withPostcodes('sw1a 1aa', 'SW1A2BB', 'SW1 1AA', '75001', 'W1A 1AA')
    for (const [query, ids] of Object.entries({
      'postcode=SW1A%201AA': ['p0'],
      'postcode=sw1a1Aa': ['p0'],
      'postcode=%20s%20w1A': ['p0', 'p1'],
      'postcode=SW1': ['p2'],
      'postcode=W1A': ['p4'],
      'postcode=SW1A1': [],
      'postcode=75001': ['p3'],
      'postcode=75': [],
      'postcode=': [],
      'Postcode=SW1A2BB': ['p1'],
      'Postcode=SW1A': [],
      'postcode=SW1A&Postcode=SW1A2BB': ['p1'],
      [`${idName}=p3`]: ['p3'],
    })) {
      const answer = await json<Record<string, Record<string, string>[]>>(`/${kind}?${query}`)
      expect([query, answer[kind]?.map((person) => person[idName])]).toEqual([query, ids])
      expect(answer).toMatchObject({ total: ids.length })
    }
  })

  test('without a schema the name is that of the kind', async () => {
    const { json } = await newOrganisation()
    expect(await json(`/${kind}`)).toMatchObject({ [kind]: [], schemaInfo: { name: unnamed } })
  })
})
