import { expect, test } from 'vitest'
import type { LookupResult } from '../../../src/geography/lookup.ts'
import {
  derivedIds,
  isPostcodeField,
  listPostcodes,
  replaceAreas,
  withDerivedFields,
} from '../../../src/model/properties/area-fields.ts'
import type { Field } from '../../../src/model/properties/schema.ts'
import { expectedOf, facts } from '../../geography/facts.ts'

const field = (id: string, type: Field['type'], order = 0, name = id): Field => ({
  id,
  name,
  label: `The ${id}`,
  type,
  order,
})

const found: LookupResult = {
  edition: '2025-11/2026-01-01T00:00:00.000Z',
  rowsRead: 0,
  byPostcode: new Map(
    facts.map((fact) => [fact.postcode.replace(' ', ''), expectedOf(fact)] as const),
  ),
}

test.each([
  [field('home', 'postcode'), true],
  [field('Postcode', 'text'), true],
  [field('POST CODE', 'text'), true],
  [field('f17', 'text', 0, 'post code'), true],
  [field('Postcode area', 'text'), false],
  [field('Postcode', 'select'), false],
  [field('Full Name', 'text'), false],
])('%o is a postcode field: %s', (given, expected) => {
  expect(isPostcodeField(given)).toBe(expected)
})

test('the derived fields of a postcode field stand right after it, labelled in words', () => {
  const fields = withDerivedFields([
    field('Full Name', 'text', 10),
    field('Postcode', 'text', 20),
    field('Age', 'number', 20),
  ])
  expect(fields.map(({ id }) => id)).toEqual([
    'Full Name',
    'Postcode',
    ...derivedIds('Postcode'),
    'Age',
  ])
  expect(fields.map(({ order }) => order)).toEqual(fields.map((_, place) => place))
  expect(fields).toContainEqual({
    id: 'Postcode.ward',
    name: 'Postcode.ward',
    label: 'The Postcode: Ward',
    type: 'text',
    order: 10,
  })
  expect(fields.find(({ id }) => id === 'Postcode.lsoaCode')?.label).toBe(
    'The Postcode: Area of about 1,500 people (LSOA 2021) code',
  )
  expect(derivedIds('Postcode')).toHaveLength(24)
})

test('deriving fields twice or without a postcode field changes nothing', () => {
  const once = withDerivedFields([field('home', 'postcode', 3), field('Age', 'number', 7)])
  expect(withDerivedFields(once)).toEqual(once)
  expect(withDerivedFields([field('Age', 'number', 7)])).toEqual([field('Age', 'number', 7)])
})

test('a person has the areas of each of their postcodes', () => {
  const values = { 'Full Name': 'A', home: 'SW1A 1AA', work: 'ab10 1ab' }
  const enriched = replaceAreas(values, ['home', 'work'], found)
  expect(enriched).toMatchObject({
    ...values,
    'home.ward': "St James's",
    'home.wardCode': 'E05013806',
    'work.countryCode': 'S92000003',
  })
  expect(enriched).not.toHaveProperty(['home.county'])
  expect(listPostcodes(values, ['home', 'work', 'none'])).toEqual(['SW1A 1AA', 'ab10 1ab'])
})

test.each([
  ['changes to one with fewer areas', { home: 'JE2 4WD' }, { country: 'Channel Islands' }],
  ['changes to an unknown one', { home: 'ZZ99 9ZZ' }, {}],
  ['is taken away', {}, {}],
  ['is not a text', { home: 7 }, {}],
])('nothing of the old postcode is left when it %s', (_, change, expected) => {
  const { home: _before, ...rest } = replaceAreas({ home: 'SW1A 1AA', Age: 9 }, ['home'], found)
  const enriched = replaceAreas({ ...rest, ...change }, ['home'], found)
  const codes = Object.keys(expected).length > 0 ? { 'home.countryCode': 'L93000001' } : {}
  const names = Object.entries(expected).map(([key, value]) => [`home.${key}`, value])
  expect(enriched).toEqual({ Age: 9, ...change, ...Object.fromEntries(names), ...codes })
})
