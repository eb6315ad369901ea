import { expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { newOrganisation } from '../organisation.ts'
import { rows } from './whole-index.ts'

test('a view of each collection shows its usual columns, each with its value', async () => {
  const organisation = await newOrganisation()
  await putEverything(organisation)
  for (const [collection, { id, document }] of Object.entries(everything)) {
    const view = collection.replaceAll('-', '_')
    const [row] = await rows(`SELECT * FROM ${view} WHERE organisation_id = ?`, organisation.id)
    expect([view, row]).toEqual([view, expect.objectContaining({ id })])
    expect(JSON.parse(String(row?.document))).toEqual(document)
    const empty = Object.entries(row ?? {}).filter(([, value]) => value === null)
    expect([view, empty]).toEqual([view, []])
  }
})
