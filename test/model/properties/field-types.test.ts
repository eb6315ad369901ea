import { expect, test } from 'vitest'
import { fieldTypeNames, fieldTypes } from '../../../src/model/properties/field-types.ts'
import { fieldValueType } from '../../../src/model/properties/field-value-type.ts'
import { type ValueType, valueTypes } from '../../../src/model/value-types.ts'

test.each(fieldTypeNames)('the example of the field type %s is valid', (type) => {
  const { value, example = 'A text' } = fieldTypes[type]
  expect(fieldValueType({ type }).safeParse(example).success).toBe(value !== undefined)
})

test('options are the only values of a field unless its type allows others', () => {
  const options = [{ value: 'a', label: 'A' }]
  const isValid = (type: (typeof fieldTypeNames)[number], value: unknown) =>
    fieldValueType({ type, options }).safeParse(value).success
  expect([isValid('select', 'a'), isValid('select', 'b')]).toEqual([true, false])
  expect([isValid('tags', ['a']), isValid('tags', ['b'])]).toEqual([true, false])
  expect([isValid('selectAndOther', 'a'), isValid('selectAndOther', 'b')]).toEqual([true, true])
})

test.each<[ValueType, unknown, string]>([
  ['text', ' as typed ', ' as typed '],
  ['email', 'amara@example.org', 'amara@example.org'],
  ['phone', '07700 900123', '07700 900123'],
  ['number', -1234.5, '-1234.5'],
  ['boolean', false, 'false'],
  ['date', '2026-03-14', '2026-03-14'],
  ['time', '2026-06-14T09:30:00.000Z', '2026-06-14T10:30'],
  ['option', 'a', 'a'],
  ['list', ['a', 'b c'], 'a\nb c'],
])('a form shows a value of the type %s and reads the same value', (type, value, text) => {
  const { formText } = valueTypes[type]
  expect(formText?.format(value)).toBe(text)
  expect(formText?.parse(text)).toEqual({ value })
})

test.each<[ValueType, string, object]>([
  ['number', ' 1,234 ', { value: 1234 }],
  ['number', 'many', { error: 'must be a number.' }],
  ['number', ' ', { value: null }],
  ['boolean', '', { value: null }],
  ['time', '2026-03-29T01:30', { error: 'must be a date and a time.' }],
  ['email', ' a@b.org ', { value: 'a@b.org' }],
  ['text', ' ', { value: null }],
  ['list', ' a \n\n b', { value: ['a', 'b'] }],
  ['list', '', { value: [] }],
])('a form reads %s from %j', (type, text, expected) => {
  expect(valueTypes[type].formText?.parse(text)).toEqual(expected)
})
