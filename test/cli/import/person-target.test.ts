import { expect, test } from 'vitest'
import { createPersonTarget } from '../../../src/import/targets/person-target.ts'
import { parseSchema } from '../../../src/records/schema/schema.ts'

const { data: schema = { name: '', fields: [] } } = parseSchema('members', {
  fields: [{ id: 'Full Name', type: 'text' }],
})

test("a person is stored with their id and found by it, from flat fields or the API's form", () => {
  const { check } = createPersonTarget('members', schema)
  const kept = { id: 'm1', document: '{"memberId":"m1","Full Name":"Ada"}' }
  expect(check({ memberId: 'm1', 'Full Name': 'Ada' })).toEqual({ value: kept })
  const fields = [{ key: 'Full Name', label: 'Name', value: 'Ada', type: 'text' }]
  expect(check({ memberId: 'm1', fields })).toEqual({ value: kept })
})
