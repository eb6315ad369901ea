import { expect, test } from 'vitest'
import {
  compileFields,
  compileRecord,
  omittedPaths,
} from '../../../src/model/properties/compile.ts'
import type { Field } from '../../../src/model/properties/schema.ts'
import {
  anything,
  boolean,
  choice,
  date,
  id,
  listOf,
  maskedNumber,
  nullableOneOf,
  nullableText,
  number,
  object,
  record,
  text,
  textList,
  timestamp,
} from '../../../src/model/properties/types.ts'

const types = {
  recordId: id('An id.', 'r-1'),
  fullName: text('A text.', 'x'),
  ticketName: nullableText('A text or null.', 'x'),
  accountNumber: maskedNumber(4, 'A number.', '****1234'),
  price: number('A number.', 1),
  bookable: boolean('A boolean.'),
  day: date('A date.'),
  start: timestamp('A time.'),
  status: choice(['in_review', 'PAID'], 'A status.', 'PAID'),
  stage: nullableOneOf(['open', 'closed'], 'A stage.', 'open'),
  tags: textList('Tags.', 'x'),
  reports: listOf({ score: number('A score.', 1) }, 'Reports.'),
  score: anything('Any value.', 1),
}

const Sample = record('Sample', {
  ...types,
  venue: object('A venue.', { postCode: text('A text.', 'x'), place: object('A place.', types) }),
})

test.each<[keyof typeof types, string, object?]>([
  ['recordId', 'text', { isRequired: true, emptyValue: undefined }],
  ['fullName', 'text', { emptyValue: '' }],
  ['ticketName', 'text', { isNullableText: true }],
  ['accountNumber', 'text', { emptyValue: '' }],
  ['price', 'number'],
  ['bookable', 'boolean', { emptyValue: false }],
  ['day', 'date'],
  ['start', 'time'],
  ['status', 'option', { isRequired: true, emptyValue: undefined }],
  ['stage', 'option'],
  ['tags', 'list', { emptyValue: [] }],
  ['reports', 'objects', { emptyValue: [] }],
  ['score', 'any', { isNullableText: true }],
])('%s of a record is compiled to %s, also in nested objects', (name, type, other = {}) => {
  const { leaves } = compileRecord(Sample)
  for (const path of [[name], ['venue', 'place', name]]) {
    expect(leaves.find((property) => property.name === path.join('.'))).toMatchObject({
      path,
      type,
      isRequired: false,
      isNullableText: false,
      emptyValue: null,
      ...other,
      section: path.length > 1 ? 'Venue, Place' : '',
    })
  }
})

test('labels, options and the properties of lists are compiled', () => {
  const { leaves } = compileRecord(Sample)
  const find = (name: string) => leaves.find((property) => property.name === name)
  expect(find('venue.postCode')?.label).toBe('Post code')
  expect(find('status')?.options).toEqual([
    { value: 'in_review', label: 'In review' },
    { value: 'PAID', label: 'Paid' },
  ])
  expect(find('reports')?.items).toMatchObject([
    { name: 'reports.score', path: ['reports', 'score'], type: 'number' },
  ])
})

test('the names include objects but nothing inside lists', () => {
  const { names } = compileRecord(Sample)
  const own = Object.keys(types)
  expect([...names]).toEqual([
    ...own,
    ...['venue', 'venue.postCode', 'venue.place'],
    ...own.map((name) => `venue.place.${name}`),
  ])
  expect(compileRecord(Sample).names).toBe(names)
})

test('omitted paths name the highest missing property', () => {
  const { price: _, ...properties } = Sample.properties
  const venue = object('A venue.', { postCode: text('A text.', 'x') })
  const item = record('Item', { ...properties, venue })
  expect(omittedPaths(Sample, item)).toEqual(['$.price', '$.venue.place'])
  expect(omittedPaths(Sample, Sample)).toEqual([])
})

test('the fields of people are compiled, and the labels of dividers become sections', () => {
  const options = [{ value: 'a', label: 'A' }]
  const field = (id: string, type: Field['type'], others: Partial<Field> = {}): Field => ({
    id,
    name: id,
    label: `The ${id}`,
    type,
    order: 0,
    ...others,
  })
  const properties = compileFields([
    field('home', 'postcode'),
    field('home.ward', 'text'),
    field('About', 'divider'),
    field('chosen', 'select', { options }),
    field('open', 'select'),
    field('several', 'multipleSelect', { options }),
    field('any', 'multipleSelect'),
    field('suggested', 'selectAndOther', { options }),
  ])
  expect(
    properties.map(({ name, section, type, isDerived, options }) => [
      ...[name, section, type, isDerived, options !== undefined],
    ]),
  ).toEqual([
    ['home', '', 'text', false, false],
    ['home.ward', '', 'text', true, false],
    ['chosen', 'The About', 'option', false, true],
    ['open', 'The About', 'text', false, false],
    ['several', 'The About', 'options', false, true],
    ['any', 'The About', 'list', false, false],
    ['suggested', 'The About', 'text', false, false],
  ])
})
