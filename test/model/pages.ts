import fc from 'fast-check'
import { expect } from 'vitest'
import type { newOrganisation } from '../organisation.ts'
import type { Filter } from './model.ts'

/** A page of a list: the filters, and where it begins. */
export type List = { list: Filter[]; limit: number; offset: number }

/** Pages of lists with some of these filters. */
export const listsOf = (filter: fc.Arbitrary<Filter>): fc.Arbitrary<List> =>
  fc.record({
    list: fc.uniqueArray(filter, { selector: ([name]) => name, maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 5 }),
    offset: fc.integer({ min: 0, max: 6 }),
  })

/** Expects this page, and that all pages of its size make the list without gaps or duplicates. Members have no `total`. */
export async function expectPages(
  { json }: Awaited<ReturnType<typeof newOrganisation>>,
  collection: string,
  { list, limit, offset }: List,
  found: unknown[],
  total?: number,
) {
  const page = async (offset: number) => {
    const paging = { limit: `${limit}`, offset: `${offset}` }
    const query = new URLSearchParams([
      ...list.map(([...filter]) => filter),
      ...Object.entries(paging),
    ])
    const answer = await json<Record<string, unknown[]>>(`/${collection}?${query}`)
    expect(answer).toMatchObject({ limit, offset })
    expect(answer.total).toBe(total)
    return answer[collection] ?? []
  }
  expectSame(await page(offset), found.slice(offset, offset + limit))
  const all: unknown[] = []
  for (let start = 0; start <= found.length; start += limit) all.push(...(await page(start)))
  expectSame(all, found)
}

// As texts, so that a property called __proto__ counts.
export const expectSame = (actual: unknown[], expected: unknown[]) =>
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
