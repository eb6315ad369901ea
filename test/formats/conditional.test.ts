import { beforeAll, expect, test, vi } from 'vitest'
import { pageMemory } from '../../src/formats/page-memory.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'

let organisation: Awaited<ReturnType<typeof newOrganisation>>

beforeAll(async () => {
  organisation = await newOrganisation()
  await putEverything(organisation)
  for (const [collection, { document }] of Object.entries(everything)) {
    const ids = Array.from({ length: 30 }, (_, index) => `${collection}-${index}`)
    await organisation.put(
      collection,
      ids.map((id) => ({ id, document })),
    )
  }
})

const manyFilters = Array.from({ length: 20 }, (_, index) => `filter${index}=${index}`).join('&')
const queries = [
  ...['', 'limit=250', 'offset=20', 'name=x&id=y', manyFilters, '$include=times'],
  ...['$format=csv', '$format=ndjson&limit=5', `$createdFrom=2020-01-01&${manyFilters}`],
  '$updatedFrom=2020-01-01',
]

const getUnless = (path: string, tags: string) =>
  organisation.get(path, { headers: { 'x-api-key': organisation.key, 'If-None-Match': tags } })

/** Decodes the body without a warning about its type. */
const textOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer())

test.each(Object.keys(everything))('an unchanged list of %s reads at most 5 rows', async (name) => {
  for (const query of queries) {
    const path = `/${name}?${query}`
    const first = await organisation.get(path)
    expect([path, first.status]).toEqual([path, 200])
    const text = await textOf(first)
    const etag = first.headers.get('ETag') ?? ''
    const repeated = await organisation.get(path)
    expect(await textOf(repeated)).toBe(text)
    expect(repeated.headers.get('ETag')).toBe(etag)
    if (!query.includes('format')) expect(rowsRead(repeated), path).toBeLessThanOrEqual(5)
    const forget = vi.spyOn(pageMemory, 'get').mockReturnValue(undefined)
    const others = Array.from({ length: 9 }, (_, n) => `W/"${n}-${'0'.repeat(24)}"`)
    const unchanged = await getUnless(path, [...others, etag].join(', '))
    forget.mockRestore()
    expect([path, unchanged.status, await unchanged.text()]).toEqual([path, 304, ''])
    expect(rowsRead(unchanged), path).toBeLessThanOrEqual(5)
  }
})
