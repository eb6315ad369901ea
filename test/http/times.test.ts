import { beforeAll, describe, expect, test } from 'vitest'
import { everything, putEverything } from '../examples/everything.ts'
import { idsIn, requestMeasured } from '../formats/measured-export.ts'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { rows } from '../store/whole-index.ts'
import { createEvents, minuteToTime, notes } from './create-events.ts'

type Organisation = Awaited<ReturnType<typeof newOrganisation>>
type Event = { eventId: string; $created?: string; $updated?: string; $version?: number }
type List = { events: Event[]; total: number }

const ids = ({ events }: List) => events.map(({ eventId }) => eventId)

test('every list shows the times of its records when asked, last, and otherwise none', async () => {
  const organisation = await newOrganisation()
  const { json } = organisation
  await putEverything(organisation)
  const { changes } = await json<{
    changes: { collection: string; version: number; at: string }[]
  }>('/changes')
  for (const { collection, version, at } of changes) {
    const of = async (query: string) => {
      const [list] = Object.values(await json<Record<string, object[]>>(`/${collection}${query}`))
      return list?.[0] ?? {}
    }
    const [plain, timed] = [await of(''), await of('?$include=times')]
    expect(Object.entries(timed)).toEqual([
      ...Object.entries(plain),
      ['$created', at],
      ['$updated', at],
      ['$version', version],
    ])
  }
  expect(changes).toHaveLength(Object.keys(everything).length)
})

test('$created stays, $updated and $version change with the record and with nothing else', async () => {
  const { json, put } = await newOrganisation()
  const event = (name: string) => [{ id: 'e', document: { eventId: 'e', name } }]
  const times = async () =>
    (await json<List>('/events?$include=times')).events[0] ?? { eventId: '' }
  await put('events', event('x'))
  const first = await times()
  await put('events', event('x'))
  expect(await times()).toEqual(first)
  await put('events', event('y'))
  const second = await times()
  expect(second.$created).toBe(first.$created)
  expect(second.$version).toBeGreaterThan(first.$version ?? 0)
  expect((second.$updated ?? '') >= (first.$updated ?? '')).toBe(true)
})

describe('a list of records of some time', () => {
  let organisation: Organisation
  let list: (query: string) => Promise<List>

  // e0 to e9 at minutes 0 to 9, of which e3 and e1 changed at minutes 10 and 11; e7 is gone.
  beforeAll(async () => {
    organisation = await newOrganisation()
    list = (query) => organisation.json<List>(`/events?${query}`)
    await createEvents(organisation, 10, [3, 1])
    await organisation.put('members', [{ id: 'm', document: { memberId: 'm' } }])
    await rows("DELETE FROM records WHERE organisation_id = ? AND id = 'e7'", organisation.id)
  })

  test.each([
    [`$createdFrom=${minuteToTime(8)}`, ['e8', 'e9']],
    [`$createdFrom=${minuteToTime(7)}`, ['e8', 'e9']],
    [`$createdTo=${minuteToTime(2)}`, ['e0', 'e1']],
    [`$createdFrom=${minuteToTime(2)}&$createdTo=${minuteToTime(4)}`, ['e2', 'e3']],
    [`$createdFrom=2025-03-01T00:07:59.999Z&$createdTo=2025-03-01T00:08:00.001Z`, ['e8']],
    [`$createdFrom=2025-03-01T01:02:00%2B01:00&$createdTo=2025-03-01 00:03`, ['e2']],
    [`$createdFrom=${minuteToTime(100)}`, []],
    ['$createdTo=2000-01-01', []],
    ['$createdFrom=2000-01-01', ['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e8', 'e9']],
    [`$updatedFrom=${minuteToTime(8)}`, ['e8', 'e9', 'e3', 'e1']],
    [`$updatedFrom=${minuteToTime(9)}&$updatedTo=${minuteToTime(11)}`, ['e9', 'e3']],
    [`$updatedTo=${minuteToTime(4)}`, ['e0', 'e2']],
    [`$updatedTo=${minuteToTime(0)}`, []],
    ['$updatedFrom=2999-01-01', []],
    [`$updatedFrom=${minuteToTime(5)}&$createdTo=${minuteToTime(6)}`, ['e5', 'e3', 'e1']],
    [`$updatedFrom=${minuteToTime(5)}&bookable=true`, ['e6', 'e8']],
    [`$updatedFrom=2000-01-01&name=changed`, ['e3', 'e1']],
    [`$updatedFrom=${minuteToTime(2)}&bookable=false&name=new`, ['e5', 'e9']],
    [`$createdFrom=${minuteToTime(2)}&bookable=true`, ['e2', 'e4', 'e6', 'e8']],
    [
      `$createdFrom=${minuteToTime(2)}&$createdTo=${minuteToTime(9)}&bookable=false&name=new`,
      ['e5'],
    ],
    [`$createdFrom=${minuteToTime(5)}&$createdTo=${minuteToTime(2)}`, []],
  ])('%s, with its total and page by page', async (query, expected) => {
    const all = await list(query)
    expect([ids(all), all.total]).toEqual([expected, expected.length])
    for (let offset = 0; offset <= expected.length; offset++) {
      const page = await list(`${query}&limit=2&offset=${offset}`)
      expect([ids(page), page.total]).toEqual([expected.slice(offset, offset + 2), expected.length])
      const none = await list(`${query}&$top=0&offset=${offset}`)
      expect([ids(none), none.total]).toEqual([[], expected.length])
    }
  })

  test('a time that is none is refused by name', async () => {
    for (const name of ['$createdFrom', '$createdTo', '$updatedFrom', '$updatedTo']) {
      for (const time of ['', 'yesterday', '2025-02-30', '2025-03-01T25:00:00Z', '1740787200']) {
        const answer = await organisation.get(`/events?${name}=${time}`)
        expect([time, answer.status, await answer.json()]).toEqual([
          time,
          400,
          {
            type: 'BAD_REQUEST',
            message: `${name}: must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.`,
          },
        ])
      }
    }
    const answer = await organisation.get('/events?$include=records')
    expect(await answer.json()).toMatchObject({ message: '$include: must be times.' })
  })
})

describe('a list of an organisation with 20,000 events', () => {
  const many = 20_000
  let organisation: Organisation

  beforeAll(async () => {
    organisation = await newOrganisation()
    await createEvents(organisation, many, [5, 6, 7, 11, 9])
    await organisation.put('funds', [{ id: 'f', document: { fundId: 'f' } }])
  }, 120_000)

  test.each([
    [`$updatedFrom=${minuteToTime(many)}`, 5, 200],
    [`$updatedFrom=${minuteToTime(many)}&name=changed&bookable=false`, 4, 250],
    [`$updatedFrom=${minuteToTime(many - 100)}&limit=10&offset=50`, 10, 600],
    [`$createdFrom=${minuteToTime(many - 100)}`, 100, 450],
    [
      `$createdFrom=${minuteToTime(many / 2)}&$createdTo=${minuteToTime(many - 10)}&offset=5000`,
      100,
      450,
    ],
    [`$createdFrom=${minuteToTime(many / 2)}&bookable=true&offset=4000`, 100, 550],
  ])('%s reads what it shows and what changed', async (query, count, budget) => {
    const answer = await organisation.get(`/events?${query}`)
    const { events } = await answer.json<List>()
    expect(events).toHaveLength(count)
    expect(rowsRead(answer)).toBeLessThanOrEqual(budget)
  })

  test('texts that are longer than the index holds are compared in what changed', async () => {
    const answer = await organisation.get(`/events?$updatedFrom=2000-01-01&notes=${notes}`)
    expect(await answer.json()).toMatchObject({ total: many })
    expect(rowsRead(answer)).toBeLessThanOrEqual(5 * many)
    const shorter = `$updatedFrom=${minuteToTime(many - 100)}&notes=${notes}`
    expect(await organisation.json(`/events?${shorter}`)).toMatchObject({ total: 105 })
  })

  test('twenty texts that are longer than the index holds fit one statement', async () => {
    const filters = Array.from({ length: 20 }, (_, at) => `deep.field${at}=${notes}`).join('&')
    for (const path of [`/events?${filters}`, `/volunteers?${filters}`])
      expect(
        await organisation.json(`${path}&$updatedFrom=2000-01-01&$createdFrom=2000-01-01`),
      ).toMatchObject({ total: 0 })
  })

  test('a pull goes through many changes a part at a time, each once', async () => {
    const late = Array.from({ length: 5000 }, (_, index) => `e${15_000 + index}`)
    const of = (filter: string) => `/events?$format=csv&$updatedFrom=2000-01-01${filter}`
    for (const [filter, expected, calls, rows] of [
      ['&colour=blue', late, 10, 5 * many],
      [`&colour=blue&notes=${notes}`, late, 15, 30 * many],
      ['&name=changed', ['e5', 'e6', 'e7', 'e11', 'e9'], 2, 200],
    ] as const) {
      const { answer, happened, cost } = await requestMeasured(of(filter), organisation.key)
      expect(idsIn(await answer.text())).toEqual(expected)
      expect(happened.calls).toBeLessThanOrEqual(calls)
      expect(cost.rows).toBeLessThanOrEqual(rows)
    }
    const answer = await organisation.get(of('&offset=19990'))
    expect(idsIn(await answer.text())).toHaveLength(10)
  })

  test('a small collection is asked without going through what changed in others', async () => {
    const answer = await organisation.get('/funds?$updatedFrom=2000-01-01')
    expect(await answer.json()).toMatchObject({ total: 1 })
    expect(rowsRead(answer)).toBeLessThanOrEqual(150)
  })
})
