import { expect, test } from 'vitest'
import { newOrganisation, rowsRead } from '../organisation.ts'

const many = Array.from({ length: 2000 }, (_, index) => ({
  id: `e${index}`,
  document: {
    eventId: `e${index}`,
    bookable: index % 2 === 0,
    tags: ['all', `third-${index % 3}`],
  },
}))

async function twoOrganisations() {
  const [organisation, beside] = [await newOrganisation(), await newOrganisation()]
  for (const { put } of [organisation, beside]) await put('events', many)
  return organisation
}

test('a page reads the rows it holds, at any offset', async () => {
  const { get } = await twoOrganisations()
  for (const offset of [0, 1000, 1900]) {
    const answer = await get(`/events?offset=${offset}`)
    expect(await answer.json()).toMatchObject({ total: 2000, offset, limit: 100 })
    expect(rowsRead(answer)).toBeLessThanOrEqual(105)
  }
})

test('a page of one filter reads two rows a record, its total included', async () => {
  const { get } = await twoOrganisations()
  for (const [query, total] of [
    ['bookable=TRUE', 1000],
    ['tags=all', 2000],
    ['eventId=e7', 1],
  ] as const) {
    const answer = await get(`/events?${query}`)
    expect(await answer.json()).toMatchObject({ total })
    expect(rowsRead(answer)).toBeLessThanOrEqual(210)
  }
})
