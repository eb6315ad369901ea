import { describe, expect, test } from 'vitest'
import { newOrganisation } from '../organisation.ts'
import { newOrganisationWithEvents } from './search-events.ts'

describe('a path', () => {
  test('reaches scalars through objects, and nothing in the objects of an array', async () => {
    const { found } = await newOrganisationWithEvents({
      deep: { a: { b: { c: 'x' }, list: ['y'] }, tags: ['x'] },
      listed: { a: [{ b: 'x' }, { list: ['y'] }], tags: [['x']] },
      flat: { a: 'x' },
    })
    for (const [path, text, ids] of [
      ['a.b.c', 'x', ['deep']],
      ['a.list', 'y', ['deep']],
      ['a', 'x', ['flat']],
      ['tags', 'x', ['deep']],
      ['a.b', 'x', []],
      ['a[0].b', 'x', []],
      ['a.0.b', 'x', []],
      ['tags[0]', 'x', []],
      ['tags.0', 'x', []],
      ['a.b', '{"c":"x"}', []],
      ['a.b', '', []],
      ['a.', 'x', []],
      ['.a', 'x', []],
      ['A', 'x', []],
    ] as const) {
      expect([path, await found({ [path]: text })]).toEqual([path, ids])
    }
  })

  test('of an unknown field finds nothing', async () => {
    const { found } = await newOrganisationWithEvents({ one: { name: 'x' } })
    for (const name of [
      'nothing',
      'constructor',
      '__proto__',
      'hasOwnProperty',
      'toString',
      "x' OR 1=1 --",
      'name"',
      '%',
      'a'.repeat(256),
    ]) {
      expect([name, await found({ [name]: 'x' })]).toEqual([name, []])
      expect([name, await found({ name: 'x', [name]: 'x' })]).toEqual([name, []])
    }
  })
})

test.each([
  'say "hi"',
  "it's",
  'a[0]',
  'a.b[1].c',
  'back\\slash',
  'é 🙂',
  '__proto__',
  'constructor',
  '1st',
  ' ',
  '#&=+%',
  '%41',
  'tab\t',
])('the field id %j of a person is found whole, before and after a change', async (field) => {
  const { put, json } = await newOrganisation()
  const found = async (text: string) => {
    const { partners } = await json<{ partners: object[] }>(
      `/partners?${new URLSearchParams({ [field]: text })}`,
    )
    return partners.length
  }
  const formatValue = (value: unknown) =>
    put('partners', [{ id: 'p', document: Object.fromEntries([[field, value]]) }])
  await formatValue('first')
  expect(await found('first')).toBe(1)
  await formatValue(['second', 'third'])
  expect([await found('first'), await found('second'), await found('third')]).toEqual([0, 1, 1])
  const long = `${'é'.repeat(128)}, "\u0001\\\u007f/`
  for (const value of [`${long}a`, ['x', `${long}a`, 'y']]) {
    await formatValue(value)
    expect([await found(`${long}a`), await found(`${long}b`), await found(long)]).toEqual([1, 0, 0])
  }
})

test('long texts are compared whole, though only their beginnings are indexed', async () => {
  const long = 'é'.repeat(128)
  // Another organisation's have the same places, and hold the same.
  const same = { name: `${long}b` }
  await newOrganisationWithEvents({ one: same, two: same, three: same })
  const { found } = await newOrganisationWithEvents({
    exact: { name: long },
    a: { name: `${long}a`, tags: [`${long}b`] },
    b: { name: `${long}b`, tags: ['x', `${long}a`, `${long}b`] },
    deep: { at: { the: { end: `${long}a`, list: [`${long}a`, `${long}c`] } } },
  })
  for (const [query, ids] of [
    [{ name: long }, ['exact']],
    [{ name: `${long}a` }, ['a']],
    [{ name: `${long}b` }, ['b']],
    [{ name: `${long}c` }, []],
    [{ 'at.the.end': `${long}a`, 'at.the.list': `${long}c` }, ['deep']],
    [{ 'at.the.end': `${long}b` }, []],
    [{ 'at.the.list': `${long}b` }, []],
    [{ name: `${long}b`, eventId: 'b' }, ['b']],
    [{ name: `${long}b`, eventId: 'a' }, []],
    [{ tags: `${long}b` }, ['a', 'b']],
    [{ tags: `${long}a`, name: `${long}b` }, ['b']],
    [{ tags: `${long}b`, name: `${long}a` }, ['a']],
  ] as const) {
    expect(await found(query)).toEqual(ids)
  }
})
