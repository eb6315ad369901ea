import { env } from 'cloudflare:workers'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { everything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import { newOrganisation } from '../organisation.ts'
import { newWriter, putExamples } from '../resources/writing.ts'
import { openOData } from './service.ts'

type Attributes = Record<string, string>

/** The properties of each entity type with their labels, and the values of each set's annotations. */
function parseMetadata(xml: string) {
  const types: Record<string, Record<string, Attributes>> = {}
  const sets: Record<string, string[]> = {}
  const open: { name: string; attributes: Attributes }[] = []
  const parser = new SaxesParser()
  const nearest = (name: string) => open.findLast((it) => it.name === name)?.attributes.Name ?? ''
  parser.on('opentag', ({ name, attributes }) => {
    open.push({ name, attributes })
    const { Name = '', Term = '', ...others } = attributes
    if (name === 'EntityType') types[Name] = {}
    const properties = types[nearest('EntityType')]
    if (name === 'Property' && properties) properties[Name] = others
    const property = properties?.[nearest('Property')]
    if (Term === 'Org.OData.Core.V1.Description' && property) property.label = others.String ?? ''
    const set = nearest('EntitySet')
    if (name === 'EntitySet') sets[set] = []
    if (name === 'PropertyValue' && others.Bool)
      sets[set]?.push(`${others.Property}=${others.Bool}`)
  })
  parser.on('text', (text) => {
    const owner = open.findLast(({ name }) => name === 'PropertyValue')?.attributes.Property
    if (open.at(-1)?.name === 'PropertyPath') sets[nearest('EntitySet')]?.push(`${owner}: ${text}`)
  })
  parser.on('closetag', () => open.pop())
  parser.write(xml).close()
  return { types, sets }
}

const readMetadata = async (organisation: { id: string; key: string }) =>
  parseMetadata(await (await openOData(organisation).get('$metadata')).text())

const writer = await newWriter()
await putExamples(writer)

test('every collection is an entity set, and every record has exactly the promised properties', async () => {
  const { get, json } = openOData(writer)
  const response = await get('$metadata')
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('application/xml; charset=utf-8')
  const { types, sets } = parseMetadata(await response.text())
  const { value } = await json<{ value: { name: string; url: string; kind: string }[] }>('')
  expect(value.map(({ name }) => name)).toEqual(Object.keys(sets))
  expect(value).toHaveLength(Object.keys(everything).length)
  for (const { name, url, kind } of value) {
    expect([url, kind]).toEqual([name, 'EntitySet'])
    const { value: entities } = await json(url)
    expect(entities.length).toBeGreaterThan(0)
    const promised = Object.keys(types[name.replace(/s$/, '')] ?? {})
    for (const entity of entities) expect(Object.keys(entity)).toEqual(promised)
  }
})

test('properties have the types of their fields, and their labels', async () => {
  const { types } = await readMetadata(writer)
  expect(types.Member).toEqual({
    memberId: { Type: 'Edm.String', Nullable: 'false', label: 'Member id' },
    Full_Name: { Type: 'Edm.String', label: 'Name' },
    Email: { Type: 'Edm.String', label: 'Email' },
    Phone: { Type: 'Edm.String', label: 'Phone' },
    Postcode: { Type: 'Edm.String', label: 'Postcode' },
    demographics_age: { Type: 'Edm.Double', label: 'Age' },
    consent: { Type: 'Edm.Boolean', label: 'Consent' },
    view: { Type: 'Edm.String', label: 'View' },
    views: { Type: 'Collection(Edm.String)', Nullable: 'false', label: 'Views' },
  })
  expect(types.Event).toMatchObject({
    tags: { Type: 'Collection(Edm.String)' },
    start: { Type: 'Edm.DateTimeOffset', Precision: '3', label: 'Start' },
    venue_postcode: { Type: 'Edm.String', label: 'Venue: Postcode' },
  })
  expect(types.Booking).toMatchObject({
    date: { Type: 'Edm.Date' },
    profile_Full_Name: { Type: 'Edm.String', label: 'Profile: Name' },
  })
  expect(types.SurveyResponse?.responses).toMatchObject({ Type: 'Edm.String' })
})

test('what a set does not support is declared', async () => {
  const { sets } = await readMetadata(writer)
  expect(sets.Forms).toEqual([
    'NonFilterableProperties: sections',
    'NonSortableProperties: sections',
    'Expandable=false',
    'Searchable=false',
    'Insertable=false',
    'Updatable=false',
    'Deletable=false',
  ])
  expect(sets.Members).toContain('NonSortableProperties: views')
  expect(sets.Bookings).toContain('NonFilterableProperties: profile_Full_Name')
})

test('labels may contain any character', async () => {
  const field = { name: 'a', type: 'text', order: 0 }
  const label = '<b attr="1">Tom & Jerry\u0000\u000b’s 👍</b>'
  const { types } = await readMetadata(await newOrganisation([{ ...field, id: 'a', label }]))
  expect(types.Member?.a?.label).toBe('<b attr="1">Tom & Jerry’s 👍</b>')
})

test('a restricted key sees no trace of hidden collections, fields and notes', async () => {
  const restrictions: Restrictions = {
    collections: ['members', 'bookings', 'case-notes'],
    hideFields: ['Full Name', 'userName', 'linkedEntities', 'phone'],
    privateNotes: false,
  }
  const made = await createKey(env, writer.id, 'a', 'a test', undefined, ['read'], restrictions)
  const restricted = { id: writer.id, key: made.key }
  const { types, sets } = await readMetadata(restricted)
  expect(Object.keys(sets)).toEqual(['Members', 'Bookings', 'CaseNotes'])
  const names = Object.entries(types).map(([name, properties]) => [name, Object.keys(properties)])
  const { get, json, error } = openOData(restricted)
  const service = await json<{ value: { name: string }[] }>('')
  expect(service.value.map(({ name }) => name)).toEqual(Object.keys(sets))
  const { Member, Booking, CaseNote } = Object.fromEntries(names)
  expect([...Member, ...Booking, ...CaseNote].join()).not.toMatch(/Full_Name|userName|linked|Phone/)
  expect(Object.keys((await json('Members')).value[0] ?? {})).toEqual(Member)
  expect(Object.keys((await json('Bookings')).value[0] ?? {})).toEqual(Booking)
  // The only case note is private.
  expect((await json('CaseNotes')).value).toEqual([])
  expect(await (await get('CaseNotes/$count')).text()).toBe('0')
  expect((await error("CaseNotes('note-1')"))[0]).toBe(404)
  expect((await error('Events'))[0]).toBe(403)
  for (const option of ["$filter=X eq 'Ada Obi'", '$orderby=X', '$select=X']) {
    const [hidden, unknown] = await Promise.all(
      ['Full_Name', 'Fool_Name'].map((name) => error(`Members?${option.replace('X', name)}`)),
    )
    expect(hidden?.join().replace('Full_Name', 'Fool_Name')).toEqual(unknown?.join())
    expect(hidden?.[0]).toBe(400)
  }
})
