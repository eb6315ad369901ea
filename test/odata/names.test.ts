import { expect, test } from 'vitest'
import { assignNames } from '../../src/odata/names.ts'

const namesOf = (...fields: string[]) => Object.fromEntries(assignNames('memberId', fields))

test.each([
  ['Full Name', 'Full_Name'],
  ['venue.postcode', 'venue_postcode'],
  ['Enw’r tŷ', 'Enw_r_tŷ'],
  ['e\u0301t\u00e9', 'été'],
  ['3 words', '_3_words'],
  ['?', '_'],
  ['👍 liked', '_liked'],
  ['x'.repeat(255), 'x'.repeat(128)],
])('the field %s is called %s', (field, name) => {
  expect(namesOf(field)[field]).toBe(name)
})

test('equal names, also in another case, get numbers that do not depend on the order of the fields', () => {
  const fields = ['Full-Name', 'Full Name', 'Full_Name', 'full name', 'Full_Name_2', 'MEMBERID']
  const names = {
    memberId: 'memberId',
    MEMBERID: 'MEMBERID_2',
    Full_Name: 'Full_Name',
    Full_Name_2: 'Full_Name_2',
    'Full Name': 'Full_Name_3',
    'Full-Name': 'Full_Name_4',
    'full name': 'full_name_5',
  }
  expect(namesOf(...fields)).toEqual(names)
  expect(namesOf(...fields.toReversed())).toEqual(names)
  const long = namesOf(...['a', 'b'].map((end) => 'x'.repeat(200) + end))
  expect(Object.values(long).map(({ length }) => length)).toEqual([8, 128, 128])
  expect(new Set(Object.values(long)).size).toBe(3)
})
