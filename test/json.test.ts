import { expect, test } from 'vitest'

// V8 of Node 24 and 26 takes a key that is written with an escape for another that was seen before
// (nodejs/node issue 63785): the command line would put values into the wrong field.
test('reads every key exactly, after any other keys', () => {
  const texts = [String.raw`{"x":1,"\\":1}`, String.raw`{"Pr\\u00":1}`, String.raw`{"x":1,"a\\":1}`]
  for (const text of texts) JSON.parse(text)
  for (const [text, keys] of [
    [String.raw`{"x":1,"\"":2}`, ['x', '"']],
    [String.raw`{"Pr\u00e9nom":2}`, ['Prénom']],
    [String.raw`{"x":1,"a\n":2}`, ['x', 'a\n']],
  ] as const) {
    expect(Object.keys(JSON.parse(text))).toEqual(keys)
  }
})
