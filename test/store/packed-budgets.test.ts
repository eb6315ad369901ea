import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { newOrganisation, rowsRead } from '../organisation.ts'
import { insertInBulk } from './bulk-records.ts'
import { packColumns } from './pack-columns.ts'
import { rows } from './whole-index.ts'

// A fifth of the largest organisation that a summary has to read, so that the test stays quick; `npm run test:long` has it whole.
const scale = env.TEST_RUNS > 1 ? 5 : 1
const [bookings, members, events] = [scale * 40_000, scale * 2000, scale * 400]

const fields = [{ id: 'Ward', name: 'Ward', label: 'Ward', type: 'text', order: 0 }]

let organisation: Awaited<ReturnType<typeof newOrganisation>>

/** SQL for the day of a record, if as many records are spread in order over the days of 2025 and 2026. */
const dayOf = (count: number) =>
  `date('2025-01-01', '+' || ((number - 1) * 730 / ${count}) || ' days')`

const records = {
  members: [members, `json_object('memberId', id, 'Ward', 'Ward ' || (number % 20))`],
  events: [events, `json_object('eventId', id, 'start', ${dayOf(events)} || 'T10:00:00.000Z')`],
  bookings: [
    bookings,
    `json_object(
      'eventId', 'events-' || (1 + (number - 1) * ${events} / ${bookings}),
      'memberId', 'members-' || (1 + number * 7919 % ${members}),
      'date', ${dayOf(bookings)}
    )`,
  ],
} as const

beforeAll(async () => {
  organisation = await newOrganisation(fields)
  for (const [collection, [count, document]] of Object.entries(records))
    await insertInBulk(organisation.id, collection, count, document)
  await packColumns(env.DB, organisation.id)
}, 120_000)

const year = 'date ge 2026-01-01 and date lt 2027-01-01'

const [byEvent, byDate] = ['month(event.start)', 'month(date)'].map(
  (month) => `$by=${month},member.Ward&$measures=count,people`,
)

test.each([
  [byEvent, scale * 10_000],
  [byDate, scale * 11_000],
  [`${byDate}&$filter=${year}`, scale * 12_000],
  // Two years of half of the bookings each.
  [`${byDate}&$filter=${year}&$compare=previousYear`, scale * 24_000],
])(
  `a summary of ${bookings} bookings of ${members} members, %s, reads at most %i rows`,
  async (query, budget) => {
    const answer = await organisation.get(`/bookings/$summary?${query}`)
    expect(answer.status).toBe(200)
    expect(rowsRead(answer)).toBeLessThanOrEqual(budget)
    const { groups } = await answer.json<{ groups: { by: [string, string]; people: number }[] }>()
    const { by, people } = groups[7] ?? { by: ['', ''] }
    const [expected] = await rows(
      `SELECT count(DISTINCT booking.member_id) AS people
      FROM records AS booking CROSS JOIN records AS member
        ON member.organisation_id = ?1 AND member.collection = 'members' AND member.id = booking.member_id
      WHERE booking.organisation_id = ?1 AND booking.collection = 'bookings'
        AND booking.document ->> 'date' GLOB '${by[0]}*' AND member.document ->> 'Ward' = '${by[1]}'`,
      organisation.id,
    )
    expect(people).toBe(expected?.people)
  },
)
