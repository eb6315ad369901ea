import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../src/model/json-text.ts'
import { runs } from '../runs.ts'

const poison = [
  String.raw`{"x":1,"\\":1}`,
  String.raw`{"Pr\\u00":1}`,
  String.raw`{"a\\":1}`,
  String.raw`{"x":1,"a\\":1}`,
]

test('a key with an escape is read as it is spelt, whatever keys were read before', () => {
  for (const text of poison) parseJson(text)
  for (const [text, keys] of [
    [String.raw`{"x":1,"\"":2}`, ['x', '"']],
    [String.raw`{"Pr\u00e9nom":2}`, ['Prénom']],
    [String.raw`{"a\n":2}`, ['a\n']],
    [String.raw`{"x": "\"","a\""  : {"x":1,"a\n":[{"Pr\u00e9nom":"a\n"}]}}`, ['x', 'a"']],
    [String.raw`{"b":1,"\u0061":2,"a":3,"\u005f_proto__":{"\"":null}}`, ['b', 'a', '__proto__']],
  ] as const) {
    expect(Object.keys(Object(parseJson(text)))).toEqual(keys)
  }
  const nested = parseJson(String.raw`{"x":1,"a\"":{"x":1,"a\n":[{"Pr\u00e9nom":"a\n"}]}}`)
  expect(nested).toEqual({ x: 1, 'a"': { x: 1, 'a\n': [{ Prénom: 'a\n' }] } })
})

// Escapes in keys and values, poisonous keys among them; a text says what it was made of.
const keys = fc.constantFrom('x', 'a', '\\', '"', 'a\\', 'a"', 'a\n', '\n', '\u0001', '__proto__')
const values = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, keys, fc.integer(), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc
    .array(fc.tuple(keys, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
})).value

test('whatever was written is read', () => {
  for (const text of poison) parseJson(text)
  fc.assert(
    fc.property(values, fc.constantFrom('', ' ', '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(JSON.stringify(parseJson(text), null, space)).toBe(text)
    }),
    runs(300),
  )
})

test('what is no JSON is refused, and depth is no fault', () => {
  expect(() => parseJson('{"a\\"')).toThrow(SyntaxError)
  const deep = 100_000
  expect(() => parseJson(`${'['.repeat(deep)}{"\\"":1}${']'.repeat(deep)}`)).not.toThrow()
})
