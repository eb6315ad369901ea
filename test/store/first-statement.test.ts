import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm/sql'
import { beforeAll, expect, test, vi } from 'vitest'
import { parseFilter } from '../../src/model/query/parse-filter.ts'
import { loadCollection } from '../../src/resources/resources.ts'
import type { ListQuery } from '../../src/resources/routes/list-source.ts'
import { decodeRow, integer } from '../../src/store/columns.ts'
import { knownVersions, onlyState, versionOf } from '../../src/store/state.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { everything, putEverything } from '../examples/everything.ts'
import { newOrganisation } from '../organisation.ts'

let organisation: Awaited<ReturnType<typeof newOrganisation>>

beforeAll(async () => {
  organisation = await newOrganisation()
  await putEverything(organisation)
})

const whole = { limit: 10, offset: 0, filters: [] }
const filtered = (filter: string): ListQuery => ({
  ...whole,
  options: { filter: parseFilter(filter), orderBy: [], isCounted: true },
})
const queries: [collection: string, ListQuery][] = [
  ...Object.keys(everything).map((name): [string, ListQuery] => [name, whole]),
  ['events', { ...whole, exportPosition: 'first' }],
  ['bookings', { ...whole, $expand: ['event'] }],
  ['events', filtered("contains(name, 'e')")],
  ['bookings', filtered("event.name ne 'x' or member.Email ne 'x'")],
  ['bookings', { ...filtered("event.name ne 'x'"), exportPosition: 'first' }],
]

const two = { two: integer(sql`1 + 1`) }

const openStore = () => trustedStore(env.DB, organisation.id, { by: 'command line' })

test.each(queries)('a list of %s with a known version reads one statement', async (name, query) => {
  const { list } = await loadCollection(name)
  const { state } = await list.page(openStore(), query, onlyState)
  expect(state).toMatch(/^\d+ \d{4}-/)
  const prepare = vi.spyOn(env.DB, 'prepare')
  const known = knownVersions(['1000', versionOf(state)], two)
  const unchanged = await list.page(openStore(), query, known)
  expect(unchanged).toEqual({ unchanged: true, state, head: expect.anything() })
  expect(decodeRow(two, unchanged.head)).toEqual({ two: 2 })
  expect(prepare).toHaveBeenCalledTimes(1)
  prepare.mockRestore()
  const other = await list.page(openStore(), query, knownVersions(['1000'], two))
  expect(other).toMatchObject({ state })
  expect(decodeRow(two, other.head)).toEqual({ two: 2 })
  expect(other.unchanged).toBeUndefined()
})

test.each(queries)('the first statement of a list of %s also reads a head', async (name, query) => {
  const { list } = await loadCollection(name)
  const prepare = vi.spyOn(env.DB, 'prepare')
  const without = await list.page(openStore(), query)
  const statements = prepare.mock.calls.length
  prepare.mockClear()
  const page = await list.page(openStore(), { ...query, head: two })
  expect(prepare).toHaveBeenCalledTimes(statements)
  prepare.mockRestore()
  expect(decodeRow(two, page.head)).toEqual({ two: 2 })
  expect(page.items()).toEqual(without.items())
})

test('a condition on more than five references reads five of them first', async () => {
  const { list } = await loadCollection('bookings')
  const filter = Array.from({ length: 6 }, (_, index) => `not (event.name eq '${index}')`)
  const read = list.page(openStore(), filtered(filter.join(' and ')), onlyState)
  await expect(read).rejects.toThrow('at most 5 conditions')
})
