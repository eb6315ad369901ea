import { expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { newOrganisation } from '../organisation.ts'
import { rows } from './whole-index.ts'

test('a view of each collection shows its usual columns, each with its value', async () => {
  const organisation = await newOrganisation()
  await putEverything(organisation)
  for (const [collection, { id, document }] of Object.entries(everything)) {
    const view = collection.replaceAll('-', '_')
    const [shown] = await rows(`SELECT * FROM ${view} WHERE organisation_id = ?`, organisation.id)
    expect([view, shown]).toEqual([view, expect.objectContaining({ id })])
    expect(JSON.parse(String(shown?.document))).toEqual(document)
    const empty = Object.entries(shown ?? {}).filter(([, value]) => value === null)
    expect([view, empty]).toEqual([view, []])
  }
})
