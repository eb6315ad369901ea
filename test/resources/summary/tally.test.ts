import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { newOrganisation, rowsRead } from '../../organisation.ts'

const fields = [
  { id: 'Born', name: 'Born', label: 'Born', type: 'date', order: 0 },
  { id: 'Town', name: 'Town', label: 'Town', type: 'text', order: 1 },
]

type Groups = { groups: { by: Record<string, string | null>; count: number }[]; total: object }

const dayOf = (year: number, date: string) => `${year}-${date}`

/** An organisation with members born on each of these days. */
async function withBirthDays(days: readonly (string | undefined)[]) {
  const organisation = await newOrganisation()
  await organisation.schema('members', fields)
  for (let start = 0; start < days.length; start += 500)
    await organisation.put(
      'members',
      days.slice(start, start + 500).map((Born, index) => ({
        id: `m-${start + index}`,
        document: { memberId: `m-${start + index}`, Born, Town: `Town ${index % 3}` },
      })),
    )
  return organisation
}

const year = new Date().getUTCFullYear()
const today = new Date().toISOString().slice(5, 10)
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(5, 10)

const edges = [
  ...[0, 1, 9, 10, 20, 21, 60, 100, 119, 120, 130].flatMap((age) => [
    dayOf(year - age, today),
    dayOf(year - age, tomorrow),
    dayOf(year - age, '01-01'),
    dayOf(year - age, '02-29'),
    dayOf(year - age, '12-31'),
  ]),
  ...[dayOf(year, today), dayOf(year + 1, '01-01'), dayOf(1850, '06-30'), '0999-12-31'],
  ...['2000', '2000-01-1', 'unknown', '', undefined, undefined],
]

test.each(['age(Born)', 'month(Born)', 'financialYear(Born)', 'Born', 'Town'])(
  'counts by %s are those of a summary that also measures the records',
  async (by) => {
    const days = [...edges, ...edges.slice(0, 9)]
    const { json } = await withBirthDays(days)
    const read = (measures: string) =>
      json<Groups>(`/members/$summary?$by=${by}&$measures=${measures}`)
    const counted = await read('count')
    const measured = await read('count,known(Born)')
    const countsOf = ({ groups }: Groups) =>
      groups.map(({ by, count }) => `${JSON.stringify(by)} ${count}`).toSorted()
    expect(countsOf(counted)).toEqual(countsOf(measured))
    expect(counted.groups.length).toBeGreaterThan(2)
    expect(counted.total).toEqual({ count: days.length })
    const known = days.filter((day) => day).length
    expect(measured.total).toEqual({ count: days.length, 'known(Born)': known })
  },
)

test('a count by age passes on a row for each band, however many days of birth there are', async () => {
  const days = Array.from({ length: 1500 }, (_, index) =>
    new Date(index * 86_400_000).toISOString().slice(0, 10),
  )
  const { get } = await withBirthDays(days)
  const path = '/members/$summary?$by=age(Born)&$measures=count'
  await get(path)
  const passedOn: number[] = []
  const { prepare } = env.DB
  const spy = vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
    const prepared = prepare.call(env.DB, query)
    return watchRows(prepared, passedOn)
  })
  const answer = await get(path)
  spy.mockRestore()
  expect(answer.status).toBe(200)
  expect(Math.max(...passedOn)).toBeLessThanOrEqual(20)
  expect(rowsRead(answer)).toBeLessThanOrEqual(2 * days.length + 100)
})

/** Notes the number of rows of a statement's result. */
function watchRows(prepared: D1PreparedStatement, rows: number[]): D1PreparedStatement {
  return Object.create(prepared, {
    bind: { value: (...values: unknown[]) => watchRows(prepared.bind(...values), rows) },
    all: {
      value: async () => {
        const result = await prepared.all()
        rows.push(result.results.length)
        return result
      },
    },
  })
}
