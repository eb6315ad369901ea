import { expect, test } from 'vitest'
import { joinAlternatives, joinNames } from '../../src/platform/join-names.ts'

const lists = [[], ['events'], ['events', 'forms'], ['events', 'forms', 'funds', 'members']]

test.each([
  ['conjunction', joinNames],
  ['disjunction', joinAlternatives],
] as const)('names are joined as the %s of British English', (type, join) => {
  const format = new Intl.ListFormat('en-GB', { type })
  expect(lists.map(join)).toEqual(lists.map((names) => format.format(names)))
})
