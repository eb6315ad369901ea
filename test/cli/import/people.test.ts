import { describe, expect, test } from 'vitest'
import { createPersonTarget } from '../../../src/import/targets/person-target.ts'
import { parseSchema } from '../../../src/records/schema/schema.ts'

const schema = parseSchema('members', {
  fields: [
    { id: 'name', name: 'Full Name', type: 'text' },
    { id: 'Email', type: 'email' },
    { id: 'demographics.age', type: 'number' },
    { id: 'Consent', type: 'boolean' },
    { id: 'Interests', type: 'multipleSelect', options: ['Tea', 'Chess'] },
    { id: 'About', type: 'divider' },
  ],
})
if (!schema.data) throw schema.error
const target = createPersonTarget('members', schema.data)

const kept = (given: unknown) => {
  const checked = target.check(given)
  if ('errors' in checked) throw new Error(JSON.stringify(checked.errors))
  return { ...checked.value, document: JSON.parse(checked.value.document) }
}

const whole = { memberId: 'm1', name: 'A', 'demographics.age': 7, Interests: ['Tea'] }

describe('a person is the same', () => {
  test.each([
    ['flat by ids', whole],
    [
      'flat by names',
      { memberId: 'm1', 'Full Name': 'A', 'demographics.age': 7, Interests: ['Tea'] },
    ],
    ['nested', { memberId: 'm1', name: 'A', demographics: { age: 7 }, Interests: ['Tea'] }],
    ['with null and "" for no value', { ...whole, Email: '', Consent: null }],
    [
      'as the API shows them',
      {
        memberId: 'm1',
        fields: [
          { key: 'name', label: 'Full Name', value: 'A', type: 'text' },
          { key: 'demographics.age', label: 'Age', value: 7, type: 'number' },
          {
            key: 'Interests',
            label: 'Interests',
            value: ['Tea'],
            type: 'multipleSelect',
            options: [],
          },
        ],
        schemaInfo: { organisationId: 'another' },
      },
    ],
  ])('%s', (_, given) => {
    expect(kept(given)).toEqual({ id: 'm1', document: whole })
  })
})

describe('a fault is named for', () => {
  const field = (key: string, value: unknown) => ({ key, label: key, value, type: 'text' })

  test.each([
    [null, ['']],
    [['m1'], ['']],
    [{ name: 'A' }, ['memberId']],
    [{ memberId: 7 }, ['memberId']],
    [{ memberId: '' }, ['memberId']],
    [{ memberId: 'm'.repeat(256) }, ['memberId']],
    [{ memberId: 'm1', Nickname: 'A', managedBy: 'another' }, ['Nickname', 'managedBy']],
    [{ memberId: 'm1', name: 'A', 'Full Name': 'A' }, ['Full Name']],
    [{ memberId: 'm1', About: 'A' }, ['About']],
    [{ memberId: 'm1', About: '' }, ['About']],
    [
      { Email: 'a', 'demographics.age': '7', Consent: 'yes', Interests: ['Go'] },
      ['memberId', 'Email', 'demographics.age', 'Consent', 'Interests'],
    ],
    [
      { memberId: 'm1', fields: [field('Email', 'a'), field('Nickname', 'A')] },
      ['Email', 'Nickname'],
    ],
    [{ memberId: 'm1', fields: [field('name', 'A'), field('name', 'B')] }, ['name']],
    [{ memberId: 'm1', fields: [field('name', 'A'), 7, { value: 'B' }] }, ['fields.1', 'fields.2']],
    [{ memberId: 'm1', fields: [field('name', 'A')], Email: 'a@example.org' }, ['Email']],
  ])('%j', (given, fields) => {
    const checked = target.check(given)
    expect('errors' in checked && checked.errors.map((fault) => fault.field)).toEqual(fields)
  })
})

test('a cell is read as its field’s type, by id or name', () => {
  const read = (column: string, cell: string) => target.cellParser(column)?.parse(cell)
  expect(read('memberId', '007')).toBe('007')
  expect(read('Full Name', '7')).toBe('7')
  expect(read('demographics.age', '7')).toBe(7)
  expect(read('demographics.age', 'seven')).toBe('seven')
  expect(read('Consent', 'False')).toBe(false)
  expect(read('Interests', 'Tea; Chess')).toEqual(['Tea', 'Chess'])
  expect(target.cellParser('demographics')).toBeUndefined()
})
