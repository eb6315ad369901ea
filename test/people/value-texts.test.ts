import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extractValues } from '../../src/formats/value-texts.ts'
import { runs } from '../runs.ts'

const object = fc.dictionary(
  fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.constantFrom('z', 'b.c', '"', '\\', '')),
  fc.jsonValue(),
)
// All the ways in which one object can be written, as far as white space and escapes go.
const objectText = fc.tuple(object, fc.constantFrom('', ' ', '\n', '\t'), fc.boolean())

test('the texts of an object’s values are its values, however it is written', () => {
  fc.assert(
    fc.property(objectText, ([value, white, escaped]) => {
      const text = white + JSON.stringify(value, null, white) + white
      const input = escaped ? text.replaceAll('z', '\\u007a') : text
      const keys = Object.keys(value)
      const places = new Map(keys.map((key, index) => [JSON.stringify(key), index]))
      const read = extractValues(input, places).map((item) => JSON.parse(item))
      expect(read).toEqual(keys.map((key) => JSON.parse(JSON.stringify(value[key]))))
      expect(extractValues(input, new Map())).toEqual([])
    }),
    runs(75),
  )
})

test.each(["{'a':1}", `{"a":['"']}`, `{"a":['[[']}`, '{"a":"', '{"a":[1'])(
  '%s, which is no JSON, is refused',
  (text) => {
    expect(() => extractValues(text, new Map([['"a"', 0]]))).toThrow(SyntaxError)
  },
)
